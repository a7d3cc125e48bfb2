import type { ReconcileOutcome } from '../../../application/recovery/reconcile.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import { counted } from '../../../domain/messages/message.ts';
import { RESTORED } from '../../../domain/operations/delivery-hold.ts';
import { type Command, required, UsageError } from '../../command.ts';
import { progressLines } from '../../progress-lines.ts';
import { table } from '../../table.ts';
import { readTimeLimit, showInstant, showTaxpayers } from '../../values.ts';

const OUTCOMES = {
  accepted: 'is in status 40 now',
  stray: 'was cancelled here, or has another EUID; a stray registration, its number is not sent again',
  unclear: 'may be a document of this database: the authority shows no readable docId; its number is not sent again',
  lost: 'is not in the database; its number is not sent again',
} as const;

/** Where the authority fails on everything, these are thousands. */
const MOST_UNREAD_SHOWN = 50;

export const reconcile: Command = {
  name: 'reconcile',
  summary:
    'After a restore: compares the database with what the authority has registered since the backup, settles what differs, and lets delivery go on.',
  positionals: '',
  options: {
    since: {
      value: 'time',
      help: 'When the backup was taken, or earlier; a date is the beginning of that day in Skopje.',
      isRequired: true,
    },
  },
  async run(operator, given, report) {
    const since = readTimeLimit('since', required(given, 'since'), 'from');
    if (since === null) throw new UsageError('--since is missing.');
    const show = progressLines(report, operator.timers);
    const done = await operator.reconcile(since, ({ tenant, nth, tenants, of, notCompared, ...step }) =>
      show({
        act: of === 'lists' ? 'listing' : 'comparing',
        what: `taxpayer ${nth} of ${tenants} (${tenant}${notCompared === 0 ? '' : `, ${notCompared} not compared so far`})`,
        ...step,
        unit: of,
      }),
    );
    const { compared, settled, unread, failed } = done;
    const settledRows = settled.map(({ tenant, docTypeCode, docNumber, docDate, euid, docUid, outcome }) => [
      tenant,
      docTypeCode,
      docNumber,
      docDate,
      euid,
      docUid,
      OUTCOMES[outcome],
    ]);
    const unreadRows = unread
      .slice(0, MOST_UNREAD_SHOWN)
      .map(({ tenant, docNumber, docDate, euid }) => [
        tenant,
        null,
        docNumber || null,
        docDate || null,
        euid,
        null,
        unreadResult(done, tenant),
      ]);
    const rows = [...settledRows, ...unreadRows];
    const text = [
      ...(rows.length === 0 ? [] : [table(['EDB', 'TYPE', 'NUMBER', 'DATE', 'EUID', 'DOCUMENT', 'RESULT'], rows), '']),
      ...(unread.length > unreadRows.length
        ? [`${counted(unread.length - unreadRows.length, 'more was', 'more were')} not compared. --json has them.`, '']
        : []),
      ...failed.map(({ tenant, reason }) => `${tenant} could not be compared: ${reason}`),
      ...done.aheadRefused.map(
        ({ tenant, reason }) => `${tenant}: documents dated later than tomorrow were not compared: ${reason}`,
      ),
      ...notCompared(done),
      `${counted(compared, 'registration was', 'registrations were')} compared, ${counted(settled.length, 'was', 'were')} not known here.`,
      ending(done),
    ];
    return { text: text.join('\n'), json: jsonOf(done), isFailure: failed.length > 0 || done.repeatAfter !== null };
  },
};

/** Without a restore nothing keeps it from being sent now. */
function unreadResult({ stillHeld, uncompared }: ReconcileOutcome, tenant: Edb): string {
  const isHeld = stillHeld !== null || uncompared.includes(tenant);
  return `not compared; ${isHeld ? 'once its taxpayer is released, ' : ''}its number may be sent again`;
}

function ending({ failed, uncompared, repeatAfter, isReleased, stillHeld }: ReconcileOutcome): string {
  if (repeatAfter !== null)
    return `Not complete: what was sent last may still be registered. Run it again after ${showInstant(repeatAfter)}.`;
  const again = 'Not complete: run it again.';
  if (stillHeld === RESTORED) return failed.length === 0 ? again : `${again}${orGiveUp('dostava release')}`;
  if (failed.length > 0 && uncompared.length === 0) return again;
  if (failed.length > 0) return endingWithout(uncompared, stillHeld);
  if (stillHeld !== null) return `Compared, but ${forNobody(stillHeld)}`;
  return isReleased ? 'Documents are sent again.' : 'Nothing was held.';
}

function endingWithout(held: readonly Edb[], stillHeld: string | null): string {
  const others = stillHeld === null ? 'Documents of the others are sent.' : `For the others ${forNobody(stillHeld)}`;
  const given = orGiveUp('dostava release --tenant <EDB>');
  return `Not complete: run it again. Until then nothing is sent for ${showTaxpayers(held)}. ${others}${given}`;
}

/** The authority may fail on some of it for good. */
function orGiveUp(command: string): string {
  return ` What can never be compared is given up by "${command}"; what was compared stays settled.`;
}

function forNobody(stillHeld: string): string {
  return `nothing is sent still: ${stillHeld}. "dostava release" ends that.`;
}

function notCompared({ withoutAccount }: ReconcileOutcome): readonly string[] {
  if (withoutAccount.length === 0) return [];
  return [
    `Without an account here and not compared: ${showTaxpayers(withoutAccount)}. Nothing is sent for them until they were: run it again when they have one.`,
  ];
}

function jsonOf(done: ReconcileOutcome) {
  return { ...done, repeatAfter: showInstant(done.repeatAfter) };
}
