import { OperatorError } from '../../../application/errors/operator-error.ts';
import type { RecordedAttempt } from '../../../application/ports/storage/delivery-store.ts';
import type { StrayRegistration } from '../../../application/ports/storage/outbound/stray-registration-store.ts';
import type { ConversionWarning } from '../../../domain/documents/conversion-warning.ts';
import { OUTBOUND_STATUS } from '../../../domain/documents/outbound-status.ts';
import { counted } from '../../../domain/messages/message.ts';
import { formatInstant } from '../../../domain/values/instant.ts';
import type { Command } from '../../command.ts';
import { oneLine } from '../../one-line.ts';
import { type Table, table } from '../../table.ts';
import { writeNewFile } from '../../write-new-file.ts';
import { givenDocUid } from './given-doc-uid.ts';
import { voidJson } from './outbound-void.ts';

export const outboundShow: Command = {
  name: 'outbound show',
  summary: "Prints everything about a document: facts, history, attempts and the authority's answers.",
  positionals: '<docUid>',
  options: {},
  async run({ findOutboundTenant, inspectOutbound }, given) {
    const docUid = givenDocUid(given);
    const details = await inspectOutbound(await findOutboundTenant(docUid), docUid);
    const { warnings: found, failureSentences: _, ...document } = details.document;
    const warnings = found.map(({ code, text, path }) => ({ code, text, path }));
    const facts = {
      tenant: details.tenant,
      ...document,
      createdAt: formatInstant(document.createdAt),
      nextStepAt: instant(details.dueAt),
      void: details.void === null ? null : voidJson(details.void),
    };
    const history = details.history.map((change) => ({ ...change, at: formatInstant(change.at) }));
    const attempts = details.attempts.map((attempt) => ({
      ...attempt,
      startedAt: formatInstant(attempt.startedAt),
      endedAt: instant(attempt.endedAt),
    }));
    const strayRegistrations = details.strayRegistrations.map((stray) => ({
      ...stray,
      recordedAt: formatInstant(stray.recordedAt),
    }));
    return {
      text: [...detailsText(facts, history, attempts, warnings), ...strayText(strayRegistrations)],
      json: { ...facts, history, attempts, warnings, strayRegistrations },
    };
  },
};

type HistoryRow = { readonly at: string; readonly status: number; readonly failureCode: string | null };

type AttemptRow = Omit<RecordedAttempt, 'startedAt' | 'endedAt'> & {
  readonly startedAt: string;
  readonly endedAt: string | null;
};

type StrayRow = Omit<StrayRegistration, 'recordedAt'> & { readonly recordedAt: string };

function detailsText(
  facts: object,
  history: readonly HistoryRow[],
  attempts: readonly AttemptRow[],
  warnings: readonly ConversionWarning[],
): readonly (string | Table)[] {
  const parts: (string | Table)[] = [
    table(
      ['FACT', 'VALUE'],
      Object.entries(facts).map(([name, value]) => [name, shown(value)]),
    ),
    table(
      ['AT', 'STATUS', 'FAILURE'],
      history.map(({ at, status, failureCode }) => [at, status, failureCode]),
    ),
  ];
  if (attempts.length > 0) {
    const rows = attempts.map(({ startedAt, endedAt, act, outcome, failureCode }) => [
      startedAt,
      endedAt,
      act,
      outcome ?? 'in progress or interrupted',
      failureCode,
    ]);
    parts.push(table(['ATTEMPT BEGAN', 'ENDED', 'ACT', 'OUTCOME', 'CODE'], rows));
  }
  const answers = attempts.flatMap(({ startedAt, message, answer }) => {
    const lines = [message, answer].filter((part) => part !== null).map(oneLine);
    return lines.length === 0 ? [] : [`${startedAt}  ${lines.join('\n                          ')}`];
  });
  if (answers.length > 0) parts.push(['ANSWERS', ...answers].join('\n'));
  if (warnings.length > 0) parts.push(['WARNINGS', ...warnings.map(({ text }) => oneLine(text))].join('\n'));
  return parts;
}

function strayText(strays: readonly StrayRow[]): readonly Table[] {
  if (strays.length === 0) return [];
  const rows = strays.map(({ recordedAt, euid, act, status }) => [recordedAt, euid, act, status]);
  return [table(['STRAY REGISTRATION', 'EUID', 'ACT', 'FOUND IN STATUS'], rows)];
}

export const outboundSent: Command = {
  name: 'outbound sent',
  summary:
    'Prints what was sent to the authority, as it was signed. Once the container was fetched, what was sent is in it, and only there.',
  positionals: '<docUid>',
  options: { to: { value: 'file', help: 'Saves it byte for byte in a file that does not exist yet.' } },
  async run({ findOutboundTenant, inspectOutbound }, given) {
    const docUid = givenDocUid(given);
    const file = given.option('to');
    const { sent, isSentDamaged, document } = await inspectOutbound(await findOutboundTenant(docUid), docUid);
    if (isSentDamaged) {
      throw new OperatorError('refused', `What was sent of ${docUid} is damaged: it does not match its checksum.`);
    }
    if (sent === null) {
      const reason =
        document.status === OUTBOUND_STATUS.accepted
          ? "is inside the authority's container (format ujp)"
          : 'is not in the database';
      throw new OperatorError('not-found', `What was sent of the document ${docUid} ${reason}.`);
    }
    if (file === null) return { text: oneLine(sent), json: JSON.parse(sent) };
    await writeNewFile(file, sent);
    return { text: `${file}: ${counted(Buffer.byteLength(sent), 'byte')}`, json: { docUid, file } };
  },
};

function instant(value: number | null): string | null {
  return value === null ? null : formatInstant(value);
}

function shown(value: unknown): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
