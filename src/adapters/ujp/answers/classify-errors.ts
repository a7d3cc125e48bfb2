import { isAuthorityCode } from '../../../domain/documents/outbound-document.ts';
import type { ErrorClass } from './classify-status.ts';
import { CONTENT_CODES } from './content-codes.ts';
import type { ServiceTraits } from './exchange.ts';
import type { ReportedError } from './reported-errors.ts';

/** The request's timestamp does not agree with the authority's clock. */
const WRONG_TIMES: ReadonlySet<string> = new Set(['E4012', 'E40121', 'E40122']);
const THROTTLED = 'E4007';
const MISSING_RIGHT = 'E1011';
/** The receiver cannot check a certificate's status (OCSP); for the query API the same code is an invalid value. */
const NO_OCSP = 'E5011';

const UNCERTAIN: ReadonlySet<string> = new Set(['E4009', 'E5000', 'E5001']);
/** A service that the authority depends on does not work: certificate status, time stamps. */
const OUT_OF_ORDER: ReadonlySet<string> = new Set([...WRONG_TIMES, 'E4025', 'E5003', 'E5008']);
const CREDENTIALS: ReadonlySet<string> = new Set([
  ...['E1010', MISSING_RIGHT, 'E1012', 'E1013', 'E1014', 'E4016'],
  ...['E4020', 'E4021', 'E4022', 'E4023', 'E5002', 'E5004', 'E5012'],
]);

/** From the class that settles least about the request to the one that is final. */
const LEAST_FINAL_FIRST: readonly ErrorClass[] = [
  { kind: 'error', isUncertain: true },
  { kind: 'busy', isUncertain: false },
  { kind: 'error', isUncertain: false },
  { kind: 'credentials', isUncertain: false },
  { kind: 'request-refused', isUncertain: false },
  { kind: 'refused', isUncertain: false },
];

/**
 * What the authority's codes mean for the request, whatever HTTP status they come with; of several the least final one. Null
 * where no code has the authority's form: then a proxy answered in its place.
 */
export function classifyErrors(service: ServiceTraits, errors: readonly ReportedError[]): ErrorClass | null {
  const classes = errors.filter(({ code }) => isAuthorityCode(code)).map(({ code }) => classifyCode(service, code));
  const isAmong = (wanted: ErrorClass) =>
    classes.some(({ kind, isUncertain }) => kind === wanted.kind && isUncertain === wanted.isUncertain);
  return LEAST_FINAL_FIRST.find(isAmong) ?? null;
}

export function reportsWrongTime(errors: readonly { readonly code: string | null }[]): boolean {
  return errors.some(({ code }) => code !== null && WRONG_TIMES.has(code));
}

function classifyCode({ api, isDownload }: ServiceTraits, code: string): ErrorClass {
  if (UNCERTAIN.has(code)) return { kind: 'error', isUncertain: true };
  if (code === THROTTLED) return { kind: 'busy', isUncertain: false };
  if (OUT_OF_ORDER.has(code) || (code === NO_OCSP && api === 'receiver')) return { kind: 'error', isUncertain: false };
  if (code === MISSING_RIGHT && isDownload) return { kind: 'refused', isUncertain: false };
  if (CREDENTIALS.has(code)) return { kind: 'credentials', isUncertain: false };
  return { kind: CONTENT_CODES[api].has(code) ? 'refused' : 'request-refused', isUncertain: false };
}
