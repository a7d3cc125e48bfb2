import type { OperatorAccount } from '../domain/accounts/operator-account.ts';
import type { Language } from '../domain/messages/languages.ts';
import type { Site } from './requests/site.ts';

/** One request to the console, with all that pages and actions need of it. */
export type Visit = {
  /** Below `/console`; `/` is the overview. */
  readonly path: string;
  /** The parts of the path that its route leaves open. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Empty where none was sent. */
  readonly form: URLSearchParams;
  readonly language: Language;
  readonly address: string;
  readonly site: Site;
  /** Null where nobody is signed in: then only what needs no session is served. */
  readonly session: Session | null;
};

export type Session = {
  readonly operator: OperatorAccount;
  readonly token: string;
  /** What every form of its pages brings along. */
  readonly formToken: string;
};

/** A visit of somebody who is signed in. */
export type SignedVisit = Visit & { readonly session: Session };

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array;
};
