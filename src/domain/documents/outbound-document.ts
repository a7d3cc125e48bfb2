import type { Sentence } from '../messages/message.ts';
import type { ConversionWarning } from './conversion-warning.ts';
import type { DocUid } from './doc-uid.ts';
import type { DocumentKind } from './invoice-facts.ts';
import type { OutboundStatus } from './outbound-status.ts';

/** A reported error: a code and a message in an answer of the authority. */
export type AuthorityError = {
  readonly code: string | null;
  readonly message: string | null;
  /** Whatever else the authority says with it, such as the row or the parameter: JSON in one line, shortened. */
  readonly details?: string;
};

const AUTHORITY_CODE = /^E\d{4,6}$/u;

export function isAuthorityCode(code: string | null): code is string {
  return code !== null && AUTHORITY_CODE.test(code);
}

/** The first code of the authority's own form. Null where there is none: then anything on the way to it may have answered in its place. */
export function authorityCodeOf(errors: readonly AuthorityError[]): string | null {
  return errors.map(({ code }) => code).find(isAuthorityCode) ?? null;
}

/** The authority's answer as clients see it in `ujp`. */
export type AuthorityAnswer = {
  readonly accepted: boolean;
  readonly euid: string | null;
  readonly qrLink: string | null;
  readonly registeredAt: string | null;
  readonly statusCode: string | null;
  readonly statusName: string | null;
  readonly message: string | null;
  readonly errors: readonly AuthorityError[];
};

export type OutboundSummary = {
  readonly docUid: DocUid;
  readonly status: OutboundStatus;
  readonly createdAt: number;
  readonly partnerEdb: string | null;
  readonly documentNumber: string | null;
  /** An exact decimal in plain notation. */
  readonly amount: string | null;
  readonly currency: string | null;
};

export type OutboundDocument = OutboundSummary & {
  readonly kind: DocumentKind;
  readonly failureCode: string | null;
  /** In English. */
  readonly failureMessage: string | null;
  /** The failure message in no language yet; null where there is none, or an earlier version wrote it. */
  readonly failureSentences: readonly Sentence[] | null;
  readonly ujp: AuthorityAnswer | null;
  readonly software: string;
  /** What was left out or assumed when the document was converted last. */
  readonly warnings: readonly ConversionWarning[];
};

export type StatusChange = {
  readonly status: OutboundStatus;
  readonly at: number;
  readonly failureCode: string | null;
};

export const OUTBOUND_REPRESENTATIONS = ['ubl', 'pdf', 'ujp'] as const;
export type OutboundRepresentation = (typeof OUTBOUND_REPRESENTATIONS)[number];
