import type { Edb } from '../../domain/accounts/edb.ts';
import { counted } from '../../domain/messages/message.ts';
import { KeyUnopened } from '../errors/key-unopened.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { KeySealing } from '../ports/credentials.ts';
import type { Clock, Timers } from '../ports/platform.ts';
import type { Signer, Signers } from '../ports/signer.ts';
import type { CredentialStore, SealedCredential } from '../ports/storage/credential-store.ts';

type KeyNeeds = {
  readonly credentials: Pick<CredentialStore, 'page'>;
  readonly sealing: Pick<KeySealing, 'open'>;
  readonly nextTurn: Timers['nextTurn'];
};

type Needs = KeyNeeds & {
  readonly signers: Signers;
  readonly clock: Clock;
  readonly report: (event: KeyEvent) => void;
};

/** A tenant's key cannot be opened, for the reason, or can be opened again (null). */
export type KeyEvent = {
  readonly tenant: Edb;
  readonly reason: string | null;
  /** It signs all the same, with the key that was opened before others have sealed it anew. */
  readonly isInMemory: boolean;
  /** How many tenants there are whose key cannot be opened. */
  readonly unopened: number;
};

/** Which tenants this process cannot sign for. It leaves their work to others, and stops nobody. */
export type KeyWatch = {
  /** The signers, watched: whoever uses one tells whether its key opens. */
  readonly signers: Signers;
  /** Looks at every sealed key. */
  readonly check: () => Promise<void>;
  /** Whether work of the tenant may be claimed. A tenant without any key may be served: what is missing is then said to it. */
  readonly mayServe: (tenant: Edb) => Promise<boolean>;
  /** Those whose work is left to others. */
  readonly unopened: () => readonly Edb[];
};

type Unopened = { readonly failedAt: number; readonly isInMemory: boolean };

/** A key that did not open is tried again after this time. */
const TRIED_AGAIN_MS = 5_000;

/** Keys that are opened without a pause: those of thousands of tenants take a second of the processor. */
const KEYS_AT_A_TIME = 100;

export function watchKeys({ signers, clock, report, ...keys }: Needs): KeyWatch {
  const unopened = new Map<Edb, Unopened>();

  function note(tenant: Edb, reason: string | null, isInMemory = false): void {
    const before = unopened.get(tenant);
    if (reason === null) unopened.delete(tenant);
    else unopened.set(tenant, { failedAt: clock.now(), isInMemory });
    const isNews = before?.isInMemory !== unopened.get(tenant)?.isInMemory;
    if (isNews) report({ tenant, reason, isInMemory, unopened: unopened.size });
  }

  async function find(tenant: Edb): Promise<Signer | null> {
    try {
      const signer = await signers.find(tenant);
      // One from memory says nothing about the key that is stored now.
      if (unopened.get(tenant)?.isInMemory !== true) note(tenant, null);
      return signer;
    } catch (error) {
      if (error instanceof KeyUnopened) note(tenant, error.message);
      throw error;
    }
  }

  async function opens(tenant: Edb): Promise<boolean> {
    try {
      await find(tenant);
      return true;
    } catch (error) {
      if (error instanceof KeyUnopened) return false;
      throw error;
    }
  }

  async function look(tenant: Edb, reason: string | null): Promise<void> {
    const known = unopened.get(tenant);
    if (reason !== null) {
      if (known === undefined && (await opens(tenant))) note(tenant, reason, true);
    } else if (known?.isInMemory === true) note(tenant, null);
    else if (known !== undefined) await opens(tenant);
  }

  return {
    signers: { find },
    unopened: () => [...unopened].filter(([, { isInMemory }]) => !isInMemory).map(([tenant]) => tenant),
    async mayServe(tenant) {
      const known = unopened.get(tenant);
      const now = clock.now();
      // By a clock that was set back it is tried at once.
      const isTooSoon = (at: number) => now >= at && now < at + TRIED_AGAIN_MS;
      if (known !== undefined && !known.isInMemory && isTooSoon(known.failedAt)) return false;
      return opens(tenant);
    },
    async check() {
      const gone = new Set(unopened.keys());
      for await (const { tenant, reason } of openedKeys(keys)) {
        gone.delete(tenant);
        await look(tenant, reason);
      }
      for (const tenant of gone) note(tenant, null);
    },
  };
}

/** Every tenant with a key, and why it does not open; null where it does. */
async function* openedKeys({ credentials, sealing, nextTurn }: KeyNeeds) {
  let after = '';
  for (;;) {
    const page = await credentials.page(after, KEYS_AT_A_TIME);
    for (const credential of page) yield { tenant: credential.tenant, reason: whyUnopened(sealing, credential) };
    if (page.length < KEYS_AT_A_TIME) return;
    after = page.at(-1)?.tenant ?? '';
    await nextTurn();
  }
}

function whyUnopened(sealing: KeyNeeds['sealing'], credential: SealedCredential): string | null {
  try {
    sealing.open(credential);
    return null;
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
}

const MOST_NAMED = 5;

/** At the start every sealed key must open: a process with a wrong CREDENTIALS_KEY could sign for nobody. */
export async function requireOpenKeys(keys: KeyNeeds): Promise<void> {
  const unopened: Edb[] = [];
  let all = 0;
  for await (const { tenant, reason } of openedKeys(keys)) {
    all += 1;
    if (reason !== null) unopened.push(tenant);
  }
  if (unopened.length === 0) return;
  const named = unopened.slice(0, MOST_NAMED).join(', ');
  const more = unopened.length > MOST_NAMED ? ` and ${unopened.length - MOST_NAMED} more` : '';
  throw new OperatorError(
    'refused',
    `CREDENTIALS_KEY does not open the private keys of ${unopened.length} of ${counted(all, 'taxpayer')}: ${named}${more}. ` +
      'Set the key that they were sealed with, before or after the present one, or store their keys anew with "dostava tenant set".',
  );
}
