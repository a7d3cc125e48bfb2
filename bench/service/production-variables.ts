import { randomBytes } from 'node:crypto';
import type { AuthorityUrls } from '../../src/config.ts';

/** Where nobody answers: for what is measured without the authority. */
const NOBODY: AuthorityUrls = {
  query: 'http://127.0.0.1:9/query',
  receiver: 'http://127.0.0.1:9/receiver',
  portal: 'http://127.0.0.1:9/portal',
};

/** A service as in production, on ports that the system chooses. */
export function productionVariables(urls: AuthorityUrls = NOBODY): Readonly<Record<string, string>> {
  return {
    ENVIRONMENT: 'production',
    PORT: '0',
    OPS_PORT: '0',
    LOG_LEVEL: 'error',
    PUBLIC_URL: 'https://invoices.example',
    ALLOW_PLAIN_HTTP: 'i-know-that-others-can-read-and-change-it',
    CREDENTIALS_KEY: randomBytes(32).toString('base64'),
    AUTHORITY_PRODUCTION_URL: urls.query,
    AUTHORITY_PRODUCTION_RECEIVER_URL: urls.receiver,
    AUTHORITY_PRODUCTION_PORTAL_URL: urls.portal,
  };
}
