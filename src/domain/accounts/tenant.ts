import type { Language } from '../messages/languages.ts';
import type { Edb } from './edb.ts';

/** The authority has two installations; each tenant works with one of them. */
export type AuthorityEnvironment = 'test' | 'production';

export const AUTHORITY_ENVIRONMENTS: readonly AuthorityEnvironment[] = ['test', 'production'];

/** The rates of value added tax above zero. */
export const REVERSE_CHARGE_RATES = [18, 10, 5] as const;
export type ReverseChargeRate = (typeof REVERSE_CHARGE_RATES)[number];

/** One taxpayer, identified by its EDB throughout the service. */
export type Tenant = {
  readonly edb: Edb;
  readonly name: string;
  readonly environment: AuthorityEnvironment;
  readonly outboundEnabled: boolean;
  /** The authority's identifier of the person in whose name calls are made. */
  readonly eujpId: string | null;
  /** In percent: the rate of a reverse charge whose document states none, as European rules require. */
  readonly reverseChargeRate: ReverseChargeRate;
  /** Whether it is confirmed that the authority takes the tenant's documents in another currency than denars. */
  readonly foreignCurrency: boolean;
  /** The language that its messages are shown in. */
  readonly language: Language;
  /** Null while delivery is not stopped. */
  readonly stopped: DeliveryStop | null;
};

/**
 * Why delivery is stopped: `account` the authority does not accept it · `refused-requests` it refuses the requests of several
 * documents · `refused-document` it refuses those of a single one, which may be peculiar: others are tried meanwhile.
 */
export const STOP_CAUSES = ['account', 'refused-requests', 'refused-document'] as const;

export type StopCause = (typeof STOP_CAUSES)[number];

/** Nothing is sent for the tenant until the given time, but for what the cause lets through. */
export type DeliveryStop = {
  readonly until: number;
  readonly since: number;
  readonly reason: string;
  readonly cause: StopCause;
};

/** What the operator sets. Whether delivery is stopped follows from the authority's answers. */
export type TenantSettings = Omit<Tenant, 'stopped'>;

const MINUTE_MS = 60_000;

/** An account is often mended within minutes; what makes the authority refuse requests takes its operators or ours longer. */
const PAUSES_MS: Readonly<Record<StopCause, { readonly first: number; readonly longest: number }>> = {
  account: { first: MINUTE_MS, longest: 15 * MINUTE_MS },
  'refused-requests': { first: 5 * MINUTE_MS, longest: 60 * MINUTE_MS },
  'refused-document': { first: 5 * MINUTE_MS, longest: 60 * MINUTE_MS },
};
type SettingsWithDefault = Pick<Tenant, 'reverseChargeRate' | 'foreignCurrency' | 'language'>;

/** A tenant to be added: how its documents are converted, and its language, are set later, if at all. */
export type NewTenant = Omit<TenantSettings, keyof SettingsWithDefault> & Partial<SettingsWithDefault>;

/** Who tries the demo reads its English documentation; a taxpayer's accountants read Macedonian. */
export function defaultSettings(environment: 'demo' | 'production' | null): SettingsWithDefault {
  return { reverseChargeRate: 18, foreignCurrency: false, language: environment === 'demo' ? 'en' : 'mk' };
}

/** No stop is longer, whatever its cause. */
export const LONGEST_STOP_MS = Math.max(...Object.values(PAUSES_MS).map(({ longest }) => longest));

/**
 * By so much the time at which a stop was written may be ahead of that of who asks: a worker looks at its clock, waits for the tenant's lock,
 * and finds a stop that another one has written meanwhile; and the clocks of two processes differ a little.
 */
const WRITTEN_AHEAD_MS = MINUTE_MS;

/** Whether the stop is still on at this time. One that seems to end later than any stop can was written by a wrong clock. */
export function isStopOn({ until, cause }: DeliveryStop, now: number): boolean {
  return until > now && until <= now + PAUSES_MS[cause].longest + WRITTEN_AHEAD_MS;
}

/** How long delivery is stopped the n-th time in a row. */
export function stopPauseMs(cause: StopCause, times: number): number {
  const { first, longest } = PAUSES_MS[cause];
  return Math.min(first * 2 ** Math.max(0, times - 1), longest);
}
