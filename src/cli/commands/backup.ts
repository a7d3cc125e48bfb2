import type { Restored, WorksAgain } from '../../application/maintenance/restore-database.ts';
import type { Inventory } from '../../application/ports/backup.ts';
import { counted } from '../../domain/messages/message.ts';
import { type Command, required } from '../command.ts';
import { progressLines } from '../progress-lines.ts';
import { damageTable } from './recovery/damage-table.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Writes the embedded database into a file, while the service may run, and checks it.',
  positionals: '',
  options: {
    to: { value: 'file', help: 'A file that does not exist yet; its SHA-256 is written beside it.', isRequired: true },
  },
  async runTool({ timers, backUp }, given, report) {
    const done = await backUp(required(given, 'to'), progressLines(report, timers));
    const isDamaged = done.damage.length > 0;
    const text = [
      ...(isDamaged ? [damageTable(done.damage), ''] : []),
      `${done.file}: ${counted(done.bytes, 'byte')}, SHA-256 ${done.sha256}`,
      holdings(done),
      "CREDENTIALS_KEY is not in it: keep it elsewhere. Without it the taxpayers' private keys cannot be used.",
      ...(isDamaged
        ? [`${counted(done.damage.length, 'is', 'are')} DAMAGED in the database, and so in this backup. ${ADVICE}`]
        : []),
    ];
    return { text: text.join('\n'), json: done, isDamaged };
  },
};

export const restore: Command = {
  name: 'restore',
  summary: 'Checks a backup and makes it the embedded database. The service must be stopped.',
  positionals: '',
  options: {
    from: { value: 'file', help: 'A file that "dostava backup" wrote.', isRequired: true },
    force: { value: null, help: 'Also when there is a database already, which is set aside.' },
    'accept-damage': { value: null, help: 'Also when something was damaged already when it was backed up.' },
  },
  async runTool({ timers, restore }, given, report) {
    const options = { force: given.option('force') !== null, acceptDamage: given.option('accept-damage') !== null };
    const done = await restore(required(given, 'from'), options, progressLines(report, timers));
    const isDamaged = done.damage.length > 0;
    const text = [
      ...(isDamaged ? [damageTable(done.damage), ''] : []),
      `${done.database}: ${holdings(done)}`,
      done.hasChecksum ? 'The backup matches its checksum.' : 'There was no checksum beside the backup.',
      ...(done.setAside === null ? [] : [`The former database is now ${done.setAside}.`]),
      'CREDENTIALS_KEY is not in the backup: the service needs the one that was in use then.',
      ...againText(done.worksAgain),
      ...queuedText(done.queuedAgain),
      ...(done.isFormerRestored ? [EARLIER] : []),
      'Nothing is sent until "dostava reconcile --since <time of the backup>" has compared it with the authority.',
      ...(isDamaged ? [`${counted(done.damage.length, 'is', 'are')} DAMAGED; nothing of them is sent or served.`] : []),
    ];
    return { text: text.join('\n'), json: done, isDamaged };
  },
};

const EARLIER =
  'The database that was replaced was restored itself. What that restore, or one before it, has named has to be dealt with again: keys, operators, taxpayers, and documents that were cancelled.';

/** Whoever was shut out after the backup is not any more. */
function againText(again: WorksAgain | null): readonly string[] {
  if (again === null)
    return [
      'Keys that were revoked after the backup work again, as do operators of the console who were removed; keys that got an earlier end or fewer addresses are as before. Revoke, remove and limit them again.',
      'Certificates that were removed are back, certificates and EUJP-IDs that were replaced are the former ones, and taxpayers whose outbound was switched off may submit again.',
      'Taxpayers are in the environment that they had then, test or production: see "dostava tenant list". Those that were in production, then or since, must be there when you reconcile.',
    ];
  const { keys, widenedKeys, operators, movedTenants, formerAccounts, certificates, submitting } = again;
  return [
    ...(keys.length === 0 ? [] : [`Keys that were revoked work again: ${keys.join(', ')}. Revoke them again.`]),
    ...(widenedKeys.length === 0
      ? []
      : [
          `Keys may be used longer, or from more addresses, than before: ${widenedKeys.join(', ')}. Set addresses again with "dostava key allow"; revoke those that were replaced.`,
        ]),
    ...(operators.length === 0
      ? []
      : [
          `Operators of the console who were removed, or had another password or role, are as before: ${operators.join(', ')}. Remove or change them again.`,
        ]),
    ...(submitting.length === 0
      ? []
      : [
          `Taxpayers whose outbound was off may submit again: ${submitting.join(', ')}. Switch it off again with "dostava tenant set <EDB> --outbound off".`,
        ]),
    ...(certificates.length === 0
      ? []
      : [
          `Certificates that were removed are back with their private keys: ${certificates.join(', ')}. Remove them again with "dostava tenant remove-certificate" when you have reconciled.`,
        ]),
    ...(formerAccounts.length === 0
      ? []
      : [
          `Taxpayers have a former certificate or EUJP-ID again: ${formerAccounts.join(', ')}. Set the present one with "dostava tenant set <EDB>" before you reconcile: the authority may refuse the former.`,
        ]),
    ...movedText(movedTenants),
  ];
}

/** What a client has cancelled must not be registered; nobody else would notice. */
function queuedText(queued: Restored['queuedAgain']): readonly string[] {
  if (queued === null)
    return [
      'Documents that were cancelled after the backup, and waited in it, are sent: see "dostava outbound list --status 10 --status 20". Cancel them again, on the console or by their software, before you reconcile.',
    ];
  if (queued.length === 0) return [];
  const named = queued.slice(0, MOST_NAMED).map(({ docUid }) => docUid);
  const more = queued.length > named.length ? [`${queued.length - named.length} more ("--json" names all)`] : [];
  return [
    `Documents that were cancelled wait for delivery again: ${[...named, ...more].join(', ')}. Cancel them again, on the console or by their software, before you reconcile: they would be sent.`,
  ];
}

/** Only the environment that a taxpayer is in is compared: what counts is what was registered in production. */
function movedText(moved: WorksAgain['movedTenants']): readonly string[] {
  const [inTest, inProduction] = ['test', 'production'].map((now) =>
    moved.flatMap(({ edb, environment }) => (environment === now ? edb : [])).join(', '),
  );
  return [
    ...(inTest === ''
      ? []
      : [
          `Taxpayers are in test again and were in production: ${inTest}. Set them to production with "dostava tenant set <EDB> --environment" before you reconcile.`,
        ]),
    ...(inProduction === ''
      ? []
      : [
          `Taxpayers are in production again and were in test: ${inProduction}. Set them to test after you have reconciled; what they registered in production since the backup would not be found otherwise.`,
        ]),
  ];
}

const MOST_NAMED = 20;

const ADVICE = 'Keep older backups: they may have them whole. Look at the disk, then at "dostava check".';

function holdings({ outbound, inbound, files, damage }: Inventory & { readonly damage: readonly unknown[] }): string {
  const checked = damage.length === 0 ? 'each verified by its SHA-256' : 'all verified but those that are named';
  return `${outbound ?? 'an unknown number of'} outbound and ${inbound ?? 'an unknown number of'} inbound documents, ${counted(files, 'file')}, ${checked}.`;
}
