import type { Verdict } from './classify-status.ts';
import type { ServiceTraits } from './exchange.ts';
import type { ReportedError } from './reported-errors.ts';

const CODE = /^E\d{4,6}$/u;

/** The clock by which a request was made is not the authority's. */
const WRONG_TIMES: ReadonlySet<string> = new Set(['E4012', 'E40121', 'E40122']);
const TURNED_AWAY = 'E4007';
const MISSING_RIGHT = 'E1011';
/** Nobody to ask about a certificate (OCSP) for the receiver; an invalid value for the query API. */
const NO_OCSP = 'E5011';

const UNCERTAIN: ReadonlySet<string> = new Set(['E4009', 'E5000', 'E5001']);
/** Something the authority leans on does not work: the state of certificates, time stamps. */
const OUT_OF_ORDER: ReadonlySet<string> = new Set([...WRONG_TIMES, 'E4025', 'E5003', 'E5008']);
const CREDENTIALS: ReadonlySet<string> = new Set([
  ...['E1010', MISSING_RIGHT, 'E1012', 'E1013', 'E1014', 'E4016'],
  ...['E4020', 'E4021', 'E4022', 'E4023', 'E5002', 'E5004', 'E5012'],
]);

/** From what leaves most open to what is final. */
const LEAST_FINAL_FIRST: readonly Verdict[] = [
  { kind: 'error', isUncertain: true },
  { kind: 'busy', isUncertain: false },
  { kind: 'error', isUncertain: false },
  { kind: 'credentials', isUncertain: false },
  { kind: 'refused', isUncertain: false },
];

/**
 * What the authority's codes mean for the request, whatever HTTP status they come with; of several the one that is least
 * final. Null where no code is the authority's: then somebody else answered in its place.
 */
export function classifyErrors(asked: ServiceTraits, reportedErrors: readonly ReportedError[]): Verdict | null {
  const kinds = reportedErrors.filter(({ code }) => CODE.test(code)).map(({ code }) => classifyCode(asked, code));
  const isAmong = (verdict: Verdict) =>
    kinds.some(({ kind, isUncertain }) => kind === verdict.kind && isUncertain === verdict.isUncertain);
  return LEAST_FINAL_FIRST.find(isAmong) ?? null;
}

export function tellsWrongTime(reportedErrors: readonly { readonly code: string | null }[]): boolean {
  return reportedErrors.some(({ code }) => code !== null && WRONG_TIMES.has(code));
}

function classifyCode({ api, isDownload }: ServiceTraits, code: string): Verdict {
  if (UNCERTAIN.has(code)) return { kind: 'error', isUncertain: true };
  if (code === TURNED_AWAY) return { kind: 'busy', isUncertain: false };
  if (OUT_OF_ORDER.has(code) || (code === NO_OCSP && api === 'receiver')) return { kind: 'error', isUncertain: false };
  const isOfCredentials = CREDENTIALS.has(code) && !(code === MISSING_RIGHT && isDownload);
  return { kind: isOfCredentials ? 'credentials' : 'refused', isUncertain: false };
}
