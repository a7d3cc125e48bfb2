import type { Edb } from '../../domain/accounts/edb.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { KeySealing } from '../ports/credentials.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = { readonly storage: Storage; readonly sealing: KeySealing; readonly record: RecordCommand };

export type Resealed = {
  /** Private keys that were sealed anew by this run. */
  readonly resealed: number;
  /** Those that were sealed with the current key already. */
  readonly current: number;
  /** Those that none of the sealing keys opens, with the reason. */
  readonly unopened: readonly { readonly tenant: Edb; readonly reason: string }[];
};

export type ResealCredentials = (progress: (done: number, total: number) => void) => Promise<Resealed>;

/**
 * Seals every private key with the current sealing key, so that the former ones can be discarded. Each is a transaction of its
 * own: a run that is interrupted is started again and goes on. Services that have both keys go on working.
 */
export function resealCredentials({ storage, sealing, record }: Needs): ResealCredentials {
  /** False when the credential was replaced, or sealed anew by another run, meanwhile. */
  function reseal(tenant: Edb): Promise<boolean> {
    return storage.transaction(async (tx) => {
      const credential = await tx.credentials.find(tenant);
      if (credential === null || sealing.isCurrent(credential)) return false;
      const source = sealing.open(credential);
      const sealed =
        source.kind === 'private-key' ? sealing.seal(tenant, source.pem) : sealing.sealCommand(tenant, source.name);
      if (!(await tx.credentials.reseal(tenant, credential.sealedKey, sealed))) return false;
      await record(tx, { command: 'credentials reseal', target: tenant, tenant });
      return true;
    });
  }

  return async (progress) => {
    const credentials = await storage.credentials.list();
    const unopened: { tenant: Edb; reason: string }[] = [];
    let resealed = 0;
    for (const [done, { tenant }] of credentials.entries()) {
      progress(done, credentials.length);
      try {
        if (await reseal(tenant)) resealed += 1;
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        unopened.push({ tenant, reason: error.message });
      }
    }
    return { resealed, current: credentials.length - resealed - unopened.length, unopened };
  };
}
