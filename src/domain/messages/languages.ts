import { AUTHORITY_CODES } from './en/authority-codes.ts';
import { CHECKS } from './en/checks.ts';
import { DELIVERY } from './en/delivery.ts';
import { DOCUMENT } from './en/document.ts';
import { FINDINGS } from './en/findings.ts';
import { LINES } from './en/lines.ts';
import { PROBLEMS } from './en/problems.ts';
import { REFUSALS } from './en/refusals.ts';
import { WARNINGS } from './en/warnings.ts';
import { AUTHORITY_CODES as AUTHORITY_CODES_MK } from './mk/authority-codes.ts';
import { CHECKS as CHECKS_MK } from './mk/checks.ts';
import { DELIVERY as DELIVERY_MK } from './mk/delivery.ts';
import { DOCUMENT as DOCUMENT_MK } from './mk/document.ts';
import { FINDINGS as FINDINGS_MK } from './mk/findings.ts';
import { LINES as LINES_MK } from './mk/lines.ts';
import { PROBLEMS as PROBLEMS_MK } from './mk/problems.ts';
import { REFUSALS as REFUSALS_MK } from './mk/refusals.ts';
import { WARNINGS as WARNINGS_MK } from './mk/warnings.ts';

/** The English texts define which keys there are and which values each of them takes. */
const en = {
  ...DOCUMENT,
  ...LINES,
  ...WARNINGS,
  ...AUTHORITY_CODES,
  ...DELIVERY,
  ...PROBLEMS,
  ...REFUSALS,
  ...FINDINGS,
  ...CHECKS,
};
const mk = {
  ...DOCUMENT_MK,
  ...LINES_MK,
  ...WARNINGS_MK,
  ...AUTHORITY_CODES_MK,
  ...DELIVERY_MK,
  ...PROBLEMS_MK,
  ...REFUSALS_MK,
  ...FINDINGS_MK,
  ...CHECKS_MK,
};

export type English = typeof en;
export type MessageKey = keyof English;

/** Every language that messages exist in. */
export const TEXTS = { mk, en } as const satisfies Readonly<Record<string, Readonly<Record<MessageKey, string>>>>;

export type Language = keyof typeof TEXTS;

export const LANGUAGES = Object.keys(TEXTS) as readonly Language[];

/** The language of records, logs and the operator's command line. */
export const OPERATOR_LANGUAGE = 'en' satisfies Language;
