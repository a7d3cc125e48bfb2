import type { VariableGroup } from './described-variable.ts';

/** Beside `ENVIRONMENT=production` itself; of `DATA_DIR` and `DATABASE_URL` one is enough. */
export const REQUIRED_VARIABLES: VariableGroup = {
  title: 'Required in production',
  variables: [
    {
      name: 'PUBLIC_URL',
      meaning: 'where clients reach the service',
      example: 'https://invoices.example',
      default: null,
      defaultText: 'in the demo `http://<HOST>:<PORT>`',
      isRequired: true,
    },
    {
      name: 'DATA_DIR',
      meaning: 'folder of the embedded database, absolute; not required where `DATABASE_URL` names a database',
      example: '/var/lib/dostava',
      default: null,
      demoDefault: './data',
      isRequired: true,
    },
    {
      name: 'CREDENTIALS_KEY',
      meaning:
        "32 random bytes in base64 (`openssl rand -base64 32`), the key that encrypts the taxpayers' private keys; in production a key that is easy to guess is refused. Several may be given, separated by commas: the first encrypts, all decrypt. Links to views of documents are signed with a key derived from it",
      example: 'replace-by-the-output-of-openssl-rand-base64-32',
      default: null,
      isRequired: true,
      isSecret: true,
    },
    {
      name: 'AUTHORITY_PRODUCTION_URL',
      meaning: "the authority's production installation: base URL of its query services",
      example: 'https://authority.example/einvoice_api',
      default: null,
      isRequired: true,
    },
    {
      name: 'AUTHORITY_PRODUCTION_RECEIVER_URL',
      meaning: 'base URL of its receiver of documents',
      example: 'https://authority.example/JSONReceiver',
      default: null,
      isRequired: true,
    },
    {
      name: 'AUTHORITY_PRODUCTION_PORTAL_URL',
      meaning: 'the site that QR codes of registered documents link to',
      example: 'https://portal.authority.example',
      default: null,
      isRequired: true,
    },
  ],
};
