import { OperatorError } from '../../application/errors/operator-error.ts';
import type { RecordedAttempt } from '../../application/ports/storage/delivery-store.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { type Command, onePositional } from '../command.ts';
import { oneLine } from '../one-line.ts';
import { table } from '../table.ts';

export const outboundShow: Command = {
  name: 'outbound show',
  summary: "Prints a document's whole story: facts, history, attempts and the authority's answers.",
  positionals: '<docUid>',
  options: {},
  async run({ findOutboundOwner, describeOutbound }, given) {
    const docUid = onePositional(given, 'docUid');
    const story = await describeOutbound(await findOutboundOwner(docUid), docUid);
    const facts = {
      tenant: story.tenant,
      ...story.document,
      createdAt: formatInstant(story.document.createdAt),
      nextStepAt: instant(story.dueAt),
    };
    const history = story.history.map((change) => ({ ...change, at: formatInstant(change.at) }));
    const attempts = story.attempts.map((attempt) => ({
      ...attempt,
      startedAt: formatInstant(attempt.startedAt),
      endedAt: instant(attempt.endedAt),
    }));
    const { warnings } = story;
    return { text: storyText(facts, history, attempts, warnings), json: { ...facts, history, attempts, warnings } };
  },
};

type Told<Entry extends object> = { readonly [Member in keyof Entry]: Entry[Member] };

function storyText(
  facts: object,
  history: readonly Told<{ at: string; status: number; failureCode: string | null }>[],
  attempts: readonly Told<
    Omit<RecordedAttempt, 'startedAt' | 'endedAt'> & { startedAt: string; endedAt: string | null }
  >[],
  warnings: readonly string[],
): string {
  const parts = [
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
      outcome ?? 'under way, or cut off',
      failureCode,
    ]);
    parts.push(table(['ATTEMPT BEGAN', 'ENDED', 'ACT', 'OUTCOME', 'CODE'], rows));
  }
  const answers = attempts.flatMap(({ startedAt, message, answer }) => {
    const said = [message, answer].filter((part) => part !== null).map(oneLine);
    return said.length === 0 ? [] : [`${startedAt}  ${said.join('\n                          ')}`];
  });
  if (answers.length > 0) parts.push(['WHAT CAME BACK', ...answers].join('\n'));
  if (warnings.length > 0) parts.push(['LEFT OUT OR DOUBTFUL', ...warnings.map(oneLine)].join('\n'));
  return parts.join('\n\n');
}

export const outboundRetry: Command = {
  name: 'outbound retry',
  summary: 'Puts a failed document (status 55) back into the queue.',
  positionals: '<docUid>',
  options: {},
  async run({ findOutboundOwner, requeueOutbound }, given) {
    const docUid = onePositional(given, 'docUid');
    const tenant = await findOutboundOwner(docUid);
    const outcome = await requeueOutbound(tenant, docUid);
    if (outcome !== 'requeued') {
      throw new OperatorError('refused', `The document ${docUid} is not in status 55; only a failed one is retried.`);
    }
    return { text: `${docUid} is queued again.`, json: { docUid, tenant, status: 20 } };
  },
};

function instant(value: number | null): string | null {
  return value === null ? null : formatInstant(value);
}

function shown(value: unknown): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
