import { OperatorError } from '../../../application/errors/operator-error.ts';
import { refuseNotRetried } from '../../../application/outbound/not-retried.ts';
import { OUTBOUND_STATUS } from '../../../domain/documents/outbound-status.ts';
import { counted } from '../../../domain/messages/message.ts';
import { askYes } from '../../ask.ts';
import { type Arguments, type Command, type Output, type Report, UsageError } from '../../command.ts';
import type { Operator } from '../../operator.ts';
import { progressLines } from '../../progress-lines.ts';
import { readTimeLimit, showInstant } from '../../values.ts';
import { givenDocUid } from './given-doc-uid.ts';

const OF_MANY = ['since', 'tenant', 'yes'];

export const outboundRetry: Command = {
  name: 'outbound retry',
  summary:
    'Puts a failed document (status 55), or all that failed for one reason, back into the queue; with --rejected one that was rejected (50).',
  positionals: '[docUid]',
  options: {
    rejected: {
      value: null,
      help: 'For a document that the authority rejected by mistake: it is looked up there, and sent again when it is not.',
    },
    'failure-code': { value: 'code', help: 'All failed documents with this failure code, instead of one document.' },
    since: {
      value: 'time',
      help: 'Of those only the ones that failed from this time on, or from the beginning of this day in Skopje.',
    },
    tenant: { value: 'EDB', help: 'Of those only the ones of this taxpayer.' },
    yes: { value: null, help: 'Retries them without asking first.' },
  },
  async run(operator, given, report) {
    const failureCode = given.option('failure-code');
    if (failureCode !== null) return retryMany(operator, failureCode, given, report);
    const misplaced = OF_MANY.find((name) => given.option(name) !== null);
    if (misplaced !== undefined) throw new UsageError(`--${misplaced} goes with --failure-code.`);
    return retryOne(operator, given);
  },
};

async function retryMany(operator: Operator, failureCode: string, given: Arguments, report: Report): Promise<Output> {
  if (given.positionals.length > 0 || given.option('rejected') !== null) {
    throw new UsageError('--failure-code retries many failed documents: give neither a docUid nor --rejected.');
  }
  const { tenants, retryFailed, timers } = operator;
  const edb = given.option('tenant');
  const { search, documents } = await retryFailed.look({
    tenant: edb === null ? null : (await tenants.find(edb)).edb,
    failureCode,
    since: readTimeLimit('since', given.option('since'), 'from'),
  });
  const facts = { failureCode, tenant: search.tenant, since: showInstant(search.since), found: documents };
  if (documents === 0) return { text: 'There are none.', json: { ...facts, requeued: 0, ofFormerEnvironment: 0 } };
  if (given.option('yes') === null) await confirm(documents, failureCode);
  const show = progressLines(report, timers);
  const retried = await retryFailed.retry(search, (done) =>
    show({ act: 'retrying', what: failureCode, done, total: documents, unit: 'documents' }),
  );
  const { requeued, ofFormerEnvironment } = retried;
  const left =
    ofFormerEnvironment === 0
      ? ''
      : ` ${ofFormerEnvironment} stay failed: submitted before their taxpayer's environment was changed.`;
  return {
    text: `${requeued} of ${documents} ${requeued === 1 ? 'is' : 'are'} queued again.${left}`,
    json: { ...facts, ...retried },
  };
}

async function confirm(documents: number, failureCode: string): Promise<void> {
  const question = `Put ${counted(documents, 'failed document')} (${failureCode}) back into the queue?`;
  if (await askYes(question, 'Give --yes to retry without being asked.')) return;
  throw new OperatorError('refused', 'Nothing was retried.');
}

async function retryOne(operator: Operator, given: Arguments): Promise<Output> {
  const { findOutboundTenant, requeueOutbound, reopenOutbound } = operator;
  const docUid = givenDocUid(given);
  const tenant = await findOutboundTenant(docUid);
  const isRejected = given.option('rejected') !== null;
  const outcome = isRejected ? await reopenOutbound(tenant, docUid) : await requeueOutbound(tenant, docUid);
  refuseNotRetried(docUid, outcome);
  const { sent, processing } = OUTBOUND_STATUS;
  const status = isRejected ? sent : processing;
  return { text: `${docUid} is queued again.`, json: { docUid, tenant, status } };
}
