import { type Command, required, UsageError } from '../../command.ts';
import { progressLines } from '../../progress-lines.ts';
import { table } from '../../table.ts';
import { readInstantValue } from '../../values.ts';

const OUTCOMES = {
  accepted: 'is in status 40 now',
  stray: 'was cancelled here; a stray registration',
  lost: 'is not in the database; its number is not sent again',
} as const;

export const reconcile: Command = {
  name: 'reconcile',
  summary:
    'After a restore: compares the database with what the authority has registered since the backup, settles what differs, and lets delivery go on.',
  positionals: '',
  options: { since: { value: 'time', help: 'When the backup was taken, or earlier.' } },
  async run(operator, given, report) {
    const since = readInstantValue('since', required(given, 'since'));
    if (since === null) throw new UsageError('--since is missing.');
    const show = progressLines(report, operator.timers);
    const done = await operator.reconcile(since, ({ tenant, ...step }) =>
      show({ act: 'comparing', what: tenant, ...step, unit: 'taxpayers' }),
    );
    const { compared, settled, failed, isReleased } = done;
    const rows = settled.map(({ tenant, docNumber, docDate, euid, docUid, outcome }) => [
      tenant,
      docNumber,
      docDate,
      euid,
      docUid,
      OUTCOMES[outcome],
    ]);
    const text = [
      ...(rows.length === 0 ? [] : [table(['EDB', 'NUMBER', 'DATE', 'EUID', 'DOCUMENT', 'RESULT'], rows), '']),
      ...failed.map(({ tenant, reason }) => `${tenant} could not be compared: ${reason}`),
      `${compared} registrations were compared, ${settled.length} were not known here.`,
      failed.length > 0
        ? 'Not complete: run it again.'
        : isReleased
          ? 'Documents are sent again.'
          : 'Nothing was held.',
    ];
    return { text: text.join('\n'), json: done, isFailure: failed.length > 0 };
  },
};
