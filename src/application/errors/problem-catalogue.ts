import { EXPLANATIONS } from '../../domain/messages/en/error-codes.ts';

/** One row of the catalogue: the text of the answer and of the page that explains the code. */
export type CatalogueRow = {
  readonly status: number;
  /** Short, English and stable: part of the contract. */
  readonly title: string;
  readonly happened: string;
  readonly remedy: string;
  /** Whether repeating the same call can help. */
  readonly retry: string;
};

/** Every error code of the API. Answers, pages, docs/errors.md and openapi.json are all generated from this table. */
export const PROBLEM_CATALOGUE = {
  'ERR-1001': { status: 401, title: 'API key is missing or unknown.', ...EXPLANATIONS['ERR-1001'] },
  'ERR-1002': { status: 401, title: 'API key has expired.', ...EXPLANATIONS['ERR-1002'] },
  'ERR-1003': { status: 401, title: 'API key was revoked.', ...EXPLANATIONS['ERR-1003'] },
  'ERR-1004': {
    status: 403,
    title: 'Caller address is not allowed for this API key.',
    ...EXPLANATIONS['ERR-1004'],
  },
  'ERR-1005': { status: 403, title: 'API key lacks the IntegrationApi scope.', ...EXPLANATIONS['ERR-1005'] },
  'ERR-1006': { status: 429, title: 'Traffic limit of the API key is reached.', ...EXPLANATIONS['ERR-1006'] },
  'ERR-1007': {
    status: 400,
    title: 'Request body must not contain a tenant-identifying field.',
    ...EXPLANATIONS['ERR-1007'],
  },
  'ERR-1008': { status: 400, title: 'X-Software-Id header is missing.', ...EXPLANATIONS['ERR-1008'] },
  'ERR-2001': { status: 400, title: 'Request body is not well-formed XML.', ...EXPLANATIONS['ERR-2001'] },
  'ERR-2002': {
    status: 400,
    title: 'Document is not a valid UBL 2.1 Invoice or CreditNote.',
    ...EXPLANATIONS['ERR-2002'],
  },
  'ERR-2003': { status: 400, title: 'Document has no recipient.', ...EXPLANATIONS['ERR-2003'] },
  'ERR-2004': {
    status: 400,
    title: 'Tax number of the recipient is malformed.',
    ...EXPLANATIONS['ERR-2004'],
  },
  'ERR-2005': { status: 400, title: 'Document has no document type.', ...EXPLANATIONS['ERR-2005'] },
  'ERR-2006': { status: 400, title: 'Document has no amount.', ...EXPLANATIONS['ERR-2006'] },
  'ERR-2010': {
    status: 409,
    title: 'This idempotency key was already used with different content.',
    ...EXPLANATIONS['ERR-2010'],
  },
  'ERR-2011': { status: 400, title: 'Request contains more than one document.', ...EXPLANATIONS['ERR-2011'] },
  'ERR-2012': {
    status: 413,
    title: 'Document exceeds the configured size limit.',
    ...EXPLANATIONS['ERR-2012'],
  },
  'ERR-2013': { status: 400, title: 'X-Idempotency-Key header is missing.', ...EXPLANATIONS['ERR-2013'] },
  'ERR-2021': { status: 400, title: 'Unknown codelist type.', ...EXPLANATIONS['ERR-2021'] },
  'ERR-3001': { status: 404, title: 'Document not found.', ...EXPLANATIONS['ERR-3001'] },
  'ERR-3002': {
    status: 404,
    title: 'Document does not exist in the requested representation.',
    ...EXPLANATIONS['ERR-3002'],
  },
  'ERR-3003': {
    status: 409,
    title: 'Current status does not allow cancelling.',
    ...EXPLANATIONS['ERR-3003'],
  },
  'ERR-3004': { status: 409, title: 'Document is already cancelled.', ...EXPLANATIONS['ERR-3004'] },
  'ERR-3005': {
    status: 400,
    title: 'Requested page size exceeds the allowed maximum.',
    ...EXPLANATIONS['ERR-3005'],
  },
  'ERR-9000': { status: 500, title: 'Unexpected error on the service side.', ...EXPLANATIONS['ERR-9000'] },
  'ERR-9001': {
    status: 409,
    title: 'Outbound over the API is not enabled for the tenant.',
    ...EXPLANATIONS['ERR-9001'],
  },
} as const satisfies Record<string, CatalogueRow>;

export type ErrorCode = keyof typeof PROBLEM_CATALOGUE;

export const ERROR_CODES = Object.keys(PROBLEM_CATALOGUE) as readonly ErrorCode[];

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(PROBLEM_CATALOGUE, text);
}
