import { RESTORED } from '../../domain/operations/delivery-hold.ts';
import type { OperatorCommand } from '../audit/record-command.ts';
import { OperatorError } from '../errors/operator-error.ts';
import { refuseOtherEnvironment } from '../errors/refuse-other-environment.ts';
import type { Access, BackupFiles, BackupProgress, Inventory, QueuedDocument } from '../ports/backup.ts';
import type { Clock } from '../ports/platform.ts';
import type { AuditEntry } from '../ports/storage/audit-store.ts';
import type { StoreEnvironment } from '../ports/store-environment.ts';
import type { FoundDamage } from '../recovery/check-stored-bytes.ts';
import { checkCopy } from './check-copy.ts';

type Needs = {
  readonly files: BackupFiles;
  /** The path of the service's database. */
  readonly database: string;
  readonly entryOf: (command: OperatorCommand) => AuditEntry;
  /** That of the service: neither the backup nor the database that it replaces may belong to the other one. */
  readonly environment: StoreEnvironment;
  readonly clock: Clock;
};

export type Restored = Inventory & {
  readonly database: string;
  readonly sha256: string;
  /** Whether there was a checksum file beside the backup; if so, it matched. */
  readonly hasChecksum: boolean;
  /** Where the former database was moved to. */
  readonly setAside: string | null;
  /** What was damaged when it was backed up. */
  readonly damage: readonly FoundDamage[];
  /** Who may use the service again and could not by the former database; null where that is missing or cannot be read. */
  readonly worksAgain: WorksAgain | null;
  /** Documents that were cancelled after the backup and wait for delivery again; null as above. */
  readonly queuedAgain: readonly QueuedDocument[] | null;
  /** The former database was restored itself, and neither compared nor released: what differed from the one before that has to be dealt with again. */
  readonly isFormerRestored: boolean;
};

/**
 * Keys that were revoked, keys that had an earlier end or fewer addresses, operators who were removed or had another password or
 * role, and tenants that were in another environment, had another account or no certificate, or might submit nothing.
 */
export type WorksAgain = {
  readonly keys: readonly string[];
  readonly widenedKeys: readonly string[];
  readonly operators: readonly string[];
  /** With the environment that they are in now. */
  readonly movedTenants: readonly Pick<Access['tenants'][number], 'edb' | 'environment'>[];
  /** Tenants that have a former certificate or a former EUJP-ID again. */
  readonly formerAccounts: readonly string[];
  /** Tenants that are signed for again. */
  readonly certificates: readonly string[];
  /** Tenants that may submit again. */
  readonly submitting: readonly string[];
};

export type RestoreDatabase = (
  file: string,
  options: { readonly force: boolean; readonly acceptDamage: boolean },
  progress: BackupProgress,
) => Promise<Restored>;

/** The database is replaced only after a copy of the backup lies beside it and was checked. */
export function restoreDatabase({ files, database, environment, entryOf, clock }: Needs): RestoreDatabase {
  return async (file, { force, acceptDamage }, progress) => {
    if (!files.exists(file)) throw new OperatorError('not-found', `There is no file ${file}.`);
    if (files.exists(database) && !force) {
      throw new OperatorError('refused', `There is a database already: ${database}.`, 'database-exists');
    }
    refuseOtherEnvironment(database, await files.liveEnvironment(), environment);
    const expected = await files.checksum(file);
    if (expected === null) await refuseLogBeside(files, file);
    const draft = `${database}.restoring`;
    using _lock = files.lock(draft);
    await refuseDraft(files, file, draft);
    try {
      const sha256 = await files.copyFile(file, draft, progress);
      if (expected !== null && expected !== sha256) {
        throw new OperatorError(
          'refused',
          `${file} is not what was backed up: its SHA-256 does not match the checksum file beside it.`,
        );
      }
      const copy = await checkCopy(files, { draft, of: file }, progress);
      const { inventory, damage } = copy;
      if (damage.length > 0 && !acceptDamage) throw damagedBackup(file, damage);
      refuseOtherEnvironment(file, copy.environment, environment);
      const worksAgain = returned(await files.access(database), await files.access(draft));
      const queuedAgain = await files.queuedAgain(draft, database);
      const isFormerRestored = await files.isRestored(database);
      // In the database that is put in place: the entry is there exactly when the change is.
      const entry = entryOf({ command: 'restore', target: `${sha256} from ${file}`, tenant: null });
      await files.record(draft, entry, { reason: RESTORED, since: clock.now() });
      const { setAside } = await files.install(draft);
      return {
        database,
        sha256,
        hasChecksum: expected !== null,
        setAside,
        ...inventory,
        damage,
        worksAgain,
        queuedAgain,
        isFormerRestored,
      };
    } catch (error) {
      await files.remove(draft);
      throw error;
    }
  };
}

/** Whoever saved the files of a machine that died has a database whose last documents are in its log. A checksum says that there is nothing more. */
async function refuseLogBeside(files: BackupFiles, file: string): Promise<void> {
  const log = await files.logBeside(file);
  if (log === null) return;
  throw new OperatorError(
    'refused',
    `${file} is no backup but a database that was not closed: its last changes are in ${log}, and would be missing. Copy both into an empty folder as dostava.sqlite and dostava.sqlite-wal, and take a backup there: DATA_DIR=<folder> dostava backup --to <file>.`,
  );
}

/** It would be removed before it is read. */
async function refuseDraft(files: BackupFiles, file: string, draft: string): Promise<void> {
  if (!(await files.isDraft(file, draft))) return;
  throw new OperatorError(
    'refused',
    `${file} is what a restore that was broken off has left, and may be incomplete. Restore the backup itself; if this is all that is left of it, copy it elsewhere first.`,
  );
}

function returned(former: Access | null, restored: Access | null): WorksAgain | null {
  if (former === null || restored === null) return null;
  const keys = new Map(former.keys.map((key) => [key.keyId, key]));
  const tenants = new Map(former.tenants.map((tenant) => [tenant.edb, tenant]));
  const inBoth = restored.tenants.flatMap((now) => {
    const before = tenants.get(now.edb);
    return before === undefined ? [] : [{ before, now }];
  });
  const accounts = new Map(former.operators.map(({ name, account }) => [name, account]));
  return {
    keys: restored.keys.filter(({ keyId }) => !keys.has(keyId)).map(({ keyId }) => keyId),
    widenedKeys: restored.keys.filter((key) => isWidened(keys.get(key.keyId) ?? key, key)).map(({ keyId }) => keyId),
    movedTenants: inBoth
      .filter(({ before, now }) => before.environment !== now.environment)
      .map(({ now: { edb, environment } }) => ({ edb, environment })),
    formerAccounts: inBoth.filter(({ before, now }) => isFormerAccount(before, now)).map(({ now }) => now.edb),
    certificates: inBoth
      .filter(({ before, now }) => now.certificate !== null && before.certificate === null)
      .map(({ now }) => now.edb),
    submitting: inBoth
      .filter(({ before, now }) => now.outboundEnabled && !before.outboundEnabled)
      .map(({ now }) => now.edb),
    operators: restored.operators.filter(({ name, account }) => accounts.get(name) !== account).map(({ name }) => name),
  };
}

type TenantAccess = Access['tenants'][number];

/** One without a certificate, now or before, is told otherwise. */
function isFormerAccount(former: TenantAccess, restored: TenantAccess): boolean {
  if (former.eujpId !== restored.eujpId) return true;
  return former.certificate !== null && restored.certificate !== null && former.certificate !== restored.certificate;
}

type Key = Access['keys'][number];

/** By the text of addresses: a range within another one may be named without need. */
function isWidened(former: Key, restored: Key): boolean {
  const isLonger = (restored.expiresAt ?? Infinity) > (former.expiresAt ?? Infinity);
  const known = former.allowedAddresses;
  if (isLonger || known.length === 0) return isLonger;
  return restored.allowedAddresses.length === 0 || restored.allowedAddresses.some((one) => !known.includes(one));
}

function damagedBackup(file: string, damage: readonly FoundDamage[]): OperatorError {
  const [first] = damage;
  const of = first?.tenant === null || first === undefined ? '' : ` of ${first.tenant}`;
  const more = damage.length === 1 ? '' : `, and ${damage.length - 1} more`;
  const message = `${file} is damaged: ${first?.what}${of}${more}. An older backup may be whole.`;
  return new OperatorError('refused', message, 'backup-damaged');
}
