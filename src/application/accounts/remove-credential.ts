import type { RecordCommand } from '../audit/record-command.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { readEdb } from './manage-tenants.ts';
import { refuseWhileUnfinished } from './unfinished-work.ts';

type Needs = { readonly storage: Storage; readonly clock: Clock; readonly record: RecordCommand };

/**
 * Removes the certificate and the private key of a tenant that leaves, and with them all work in its name.
 * Documents stay, and so does everything else; a new certificate makes it a tenant like others again.
 */
export type RemoveCredential = (edbText: string) => Promise<{
  readonly serialNumber: string;
  /** Of accepted documents that have none and cannot get it any more. */
  readonly containers: number;
}>;

export function removeCredential({ storage, clock, record }: Needs): RemoveCredential {
  return (edbText) =>
    storage.transaction(async (tx) => {
      const edb = readEdb(edbText);
      const tenant = await tx.tenants.find(edb);
      if (tenant === null) throw new OperatorError('not-found', `There is no tenant ${edb}.`);
      const credential = await tx.credentials.find(edb);
      if (credential === null) throw new OperatorError('refused', `The tenant ${edb} has no certificate.`);
      const because = 'The certificate stays, because documents are still signed with it.';
      if (tenant.outboundEnabled) {
        throw new OperatorError('refused', `${because} Set "--outbound off" first, so that no more are submitted.`);
      }
      await refuseWhileUnfinished(tx, edb, { because, afterRestore: [] });
      await tx.credentials.remove(edb);
      await tx.recurringTasks.remove(edb);
      const containers = await tx.deliveries.giveUpContainers(edb);
      // Nobody asks for these again, and nothing is left that a stop could stop.
      await tx.arrivalProblems.removeUnstored(edb);
      await tx.tenants.resume(edb, clock.now());
      const { serialNumber } = credential;
      const target = `${edb} certificate ${serialNumber}`;
      await record(tx, { command: 'tenant remove-certificate', target, tenant: edb });
      return { serialNumber, containers };
    });
}
