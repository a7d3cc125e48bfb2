import { randomBytes } from 'node:crypto';

/** What production needs to be configured, but for the place of its database; nothing answers at these addresses. */
export const PRODUCTION_VARIABLES = {
  ENVIRONMENT: 'production',
  PUBLIC_URL: 'https://invoices.example',
  AUTHORITY_PRODUCTION_URL: 'https://authority.example/einvoice_api',
  AUTHORITY_PRODUCTION_RECEIVER_URL: 'https://authority.example/JSONReceiver',
  AUTHORITY_PRODUCTION_PORTAL_URL: 'https://authority.example',
  CREDENTIALS_KEY: randomBytes(32).toString('base64'),
} as const;
