import type { InboundProblem } from '../../../application/inbound/list-inbound-problems.ts';
import type { Command } from '../../command.ts';
import { table } from '../../table.ts';
import { showInstant } from '../../values.ts';

const HEADINGS = ['TENANT', 'DOCUMENT', 'SINCE', 'TRIES', 'NEXT', 'REASON'];

export const inboundProblems: Command = {
  name: 'inbound problems',
  summary: 'Lists the inbound documents that the authority does not give or that cannot be read, with the reasons.',
  positionals: '',
  options: { tenant: { value: 'EDB', help: 'Only those of this taxpayer.' } },
  async run({ tenants, listInboundProblems }, given) {
    const edb = given.option('tenant');
    const problems = await listInboundProblems(edb === null ? null : (await tenants.find(edb)).edb);
    const rows = problems.map((problem) => [
      problem.tenant,
      problem.docUid ?? problem.subject,
      showInstant(problem.since),
      problem.failures,
      problem.docUid === null ? showInstant(problem.dueAt) : 'stored',
      problem.reason,
    ]);
    const text = rows.length === 0 ? 'There are none.' : table(HEADINGS, rows);
    return { text, json: problems.map(problemJson) };
  },
};

function problemJson({ since, dueAt, seenAt, ...problem }: InboundProblem): unknown {
  return { ...problem, since: showInstant(since), dueAt: showInstant(dueAt), seenAt: showInstant(seenAt) };
}
