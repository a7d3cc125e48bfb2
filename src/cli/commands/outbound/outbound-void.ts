import { OperatorError } from '../../../application/errors/operator-error.ts';
import type { OutboundVoid } from '../../../application/ports/storage/outbound/void-store.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import { askYes } from '../../ask.ts';
import { type Command, type Report, required } from '../../command.ts';
import { oneLine } from '../../one-line.ts';
import type { Operator } from '../../operator.ts';
import { showInstant } from '../../values.ts';
import { givenDocUid } from './given-doc-uid.ts';

const LOOK_EVERY_MS = 500;

export const outboundVoid: Command = {
  name: 'outbound void',
  summary: 'Voids (storno) a registered document that its buyer has not decided about, and waits for the outcome.',
  positionals: '<docUid>',
  options: {
    reason: { value: 'code', help: "The reason, a code of the authority's list of void reasons.", isRequired: true },
    comment: { value: 'text', help: 'A comment for the authority and the buyer.' },
    yes: { value: null, help: 'Voids without asking first.' },
    'no-wait': { value: null, help: 'Returns when the void is on record; the service sends it.' },
  },
  async run(operator, given, report) {
    const docUid = givenDocUid(given);
    const reason = required(given, 'reason');
    const tenant = await operator.findOutboundTenant(docUid);
    if (given.option('yes') === null) await confirm(operator, tenant, docUid);
    const requested = await operator.voids.request(tenant, docUid, reason, given.option('comment'));
    const isWaiting = given.option('no-wait') === null;
    return outputOf(isWaiting ? await ended(operator, requested, report) : requested);
  },
};

/** A void cannot be taken back, and the buyer sees it. */
async function confirm({ inspectOutbound }: Operator, tenant: Edb, docUid: DocUid): Promise<void> {
  const { documentNumber, amount, currency } = (await inspectOutbound(tenant, docUid)).document;
  const what = oneLine(`${documentNumber ?? docUid} of ${tenant} (${amount ?? ''} ${currency ?? ''})`);
  const question = `Void the document ${what} at the authority? It cannot be taken back.`;
  if (await askYes(question, 'Give --yes to void without being asked.')) return;
  throw new OperatorError('refused', 'Nothing was voided.');
}

/** The void is on record: whoever interrupts the command leaves it to the service. */
async function ended({ timers, voids }: Operator, requested: OutboundVoid, report: Report): Promise<OutboundVoid> {
  const { tenant, docUid } = requested;
  report('The void is on record. The service sends it, also when this command is interrupted.');
  let shown = '';
  for (let current = requested; ; current = (await voids.find(tenant, docUid)) ?? requested) {
    if (current.endedAt !== null) return current;
    const line = progressOf(current);
    if (line !== shown) report(line);
    shown = line;
    await timers.pause(LOOK_EVERY_MS);
  }
}

function progressOf({ state, failureCode, failureMessage }: OutboundVoid): string {
  const why = [failureCode, failureMessage].filter((part) => part !== null).join(': ');
  const what = state === 'sent' ? 'Sent; the outcome is not known yet.' : 'Waiting to be sent.';
  return why === '' ? what : `${what} ${why}`;
}

export function voidJson({ sent, requestedAt, endedAt, dueAt, ...facts }: OutboundVoid) {
  return {
    ...facts,
    docNumber: sent?.docNumber ?? null,
    requestedAt: showInstant(requestedAt),
    endedAt: showInstant(endedAt),
    nextStepAt: showInstant(dueAt),
  };
}

function outputOf(outcome: OutboundVoid) {
  const { state, docUid, failureCode, failureMessage, endedAt } = outcome;
  const json = voidJson(outcome);
  if (state === 'registered') return { text: `${docUid} is voided (EUID of the void: ${outcome.voidEuid}).`, json };
  if (endedAt === null) return { text: `The void of ${docUid} is on record.`, json };
  return { text: `${docUid} is not voided. ${failureCode}: ${failureMessage}`, json, isFailure: true };
}
