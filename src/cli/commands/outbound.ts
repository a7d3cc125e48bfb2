import { OperatorError } from '../../application/operator-error.ts';
import { formatInstant } from '../../domain/instant.ts';
import { type Command, onePositional } from '../command.ts';
import { table } from '../table.ts';

export const outboundShow: Command = {
  name: 'outbound show',
  summary: "Prints a document's facts and history.",
  positionals: '<docUid>',
  options: {},
  async run({ findOutboundOwner, readOutbound }, given) {
    const docUid = onePositional(given, 'docUid');
    const tenant = await findOutboundOwner(docUid);
    const document = await readOutbound.detail(tenant, docUid);
    const changes = await readOutbound.history(tenant, docUid);
    const history = changes.map((change) => ({ ...change, at: formatInstant(change.at) }));
    const facts = { tenant, ...document, createdAt: formatInstant(document.createdAt) };
    const factRows = Object.entries(facts).map(([name, value]) => [name, shown(value)]);
    const historyRows = history.map(({ at, status, failureCode }) => [at, status, failureCode]);
    return {
      text: `${table(['FACT', 'VALUE'], factRows)}\n\n${table(['AT', 'STATUS', 'FAILURE'], historyRows)}`,
      json: { ...facts, history },
    };
  },
};

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

function shown(value: unknown): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
