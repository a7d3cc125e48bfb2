import { OperatorError } from '../../application/errors/operator-error.ts';
import type { ProbeStep } from '../../application/ports/authority-probe.ts';
import type { SentProbe } from '../../application/probe/send-probe-document.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { counted } from '../../domain/messages/message.ts';
import { askYes } from '../ask.ts';
import { type Command, type Report, required, UsageError } from '../command.ts';
import { oneLine } from '../one-line.ts';
import type { Operator } from '../operator.ts';

export const authorityProbe: Command = {
  name: 'authority probe',
  summary: "Asks every service of the authority in a taxpayer's name and compares the answers with what is expected.",
  positionals: '',
  options: {
    tenant: {
      value: 'EDB',
      help: 'The taxpayer in whose name the authority is asked, one request a second.',
      isRequired: true,
    },
    send: {
      value: null,
      help: 'Then sends one document of one denar to the taxpayer itself, and follows it to its end.',
    },
    yes: { value: null, help: 'Sends without asking first.' },
  },
  async run(operator, given, report) {
    const tenant = await operator.tenants.find(required(given, 'tenant'));
    const isSending = given.option('send') !== null;
    const isSure = given.option('yes') !== null;
    if (isSure && !isSending) throw new UsageError('--yes goes with --send.');
    if (isSending && !isSure) await confirm(tenant);
    const steps = await probe(operator, tenant, report);
    const sent = isSending ? await operator.sendProbeDocument(tenant, (status) => report(`status ${status}`)) : null;
    const isOk = steps.every(isInOrder) && (sent === null || sent.status === OUTBOUND_STATUS.accepted);
    return {
      text: [...steps.flatMap(lines), ...sentLines(sent), summary(steps)].join('\n'),
      json: { edb: tenant.edb, environment: tenant.environment, isOk, services: steps, sent },
      isFailure: !isOk,
    };
  },
};

function probe({ authorityProbe: authority }: Operator, tenant: Tenant, report: Report): Promise<readonly ProbeStep[]> {
  const count = authority.count();
  let done = 0;
  return authority.run(tenant, ({ service, outcome }) => {
    done += 1;
    report(`${done} of ${count}: ${service} ${outcome}`);
  });
}

/** A registered document cannot be taken back, in production it is a real one. */
async function confirm({ edb, environment }: Tenant): Promise<void> {
  const question = `Register a document of ${edb} with the authority's ${environment} installation? It cannot be taken back.`;
  if (await askYes(question, 'Give --yes to send without being asked.')) return;
  throw new OperatorError('refused', 'Nothing was asked and nothing was sent.');
}

function isInOrder({ outcome }: ProbeStep): boolean {
  return outcome !== 'deviates' && outcome !== 'failed';
}

/** Everything that comes from the authority is shown on one line that does not act on the terminal. */
function lines({ service, outcome, detail, deviations, unknownMembers }: ProbeStep): readonly string[] {
  const unknown = unknownMembers.length === 0 ? [] : [`  note: unknown members: ${oneLine(unknownMembers.join(', '))}`];
  return [
    `${isInOrder({ outcome } as ProbeStep) ? 'OK    ' : 'FAILED'}  ${service}: ${outcome}${detail === null ? '' : `. ${oneLine(detail)}`}`,
    ...deviations.map(({ path, expected, found, times }) => {
      const more = times === 1 ? '' : ` (${counted(times, 'time')})`;
      return `  ${oneLine(path === '' ? 'the answer' : path)}: expected ${expected}, found ${oneLine(found)}${more}`;
    }),
    ...unknown,
  ];
}

function sentLines(sent: SentProbe | null): readonly string[] {
  if (sent === null) return [];
  const { docUid, number, status, euid, failureCode, failureMessage, isFinished } = sent;
  const reason = failureCode === null ? '' : ` ${failureCode} ${oneLine(failureMessage ?? '')}`;
  const end = isFinished ? '' : ' It has not come to its end: does the service run? "outbound show" tells more.';
  const result = status === OUTBOUND_STATUS.accepted ? 'OK    ' : 'FAILED';
  return [
    `${result}  document ${number} (${docUid}): status ${status}${euid === null ? '' : `, EUID ${euid}`}.${reason}${end}`,
  ];
}

function summary(steps: readonly ProbeStep[]): string {
  const count = (outcome: ProbeStep['outcome']) => steps.filter((step) => step.outcome === outcome).length;
  return `${counted(steps.length, 'service')}: ${counted(count('deviates'), 'deviates', 'deviate')}, ${count('failed')} failed, ${counted(count('not-tried'), 'was', 'were')} not tried.`;
}
