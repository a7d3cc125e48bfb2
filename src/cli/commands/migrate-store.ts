import type { CopyOutcome } from '../../application/maintenance/copy-database.ts';
import { type Command, required, UsageError } from '../command.ts';
import { progressLines } from '../progress-lines.ts';
import type { OutputText } from '../screen/output-text.ts';
import { table } from '../table.ts';

export const migrateStore: Command = {
  name: 'migrate-store',
  summary:
    'Copies an embedded database into PostgreSQL and compares every byte. If interrupted, it can be started again and continues.',
  positionals: '',
  options: {
    from: {
      value: 'folder',
      help: 'The DATA_DIR of the embedded database; the service must be stopped.',
      isRequired: true,
    },
    to: { value: 'url', help: 'An empty PostgreSQL database, postgres://…; DATABASE_URL by default.' },
  },
  async runTool({ timers, copyToPostgres }, given, report) {
    const from = required(given, 'from');
    const to = given.option('to');
    if (to !== null && !(/^postgres(?:ql)?:\/\//u.test(to) && URL.canParse(to))) {
      throw new UsageError('--to must be an address that begins with postgres://.');
    }
    const show = progressLines(report, timers);
    const outcome = await copyToPostgres(from, to, ({ act, table: what, done, total }) =>
      show({ act, what, done, total, unit: 'rows' }),
    );
    return { text: text(outcome), json: outcome, isFailure: !outcome.isSame };
  },
};

function text({ isResumed, isSame, tables }: CopyOutcome): OutputText {
  const rows = tables.map(({ table: name, source, target, isSame, damagedFiles }) => [
    name,
    source.rows,
    target.rows,
    source.sha256,
    isSame ? 'same' : damagedFiles > 0 ? `${damagedFiles} damaged files` : 'DIFFERENT',
  ]);
  const begun = isResumed ? ['An earlier copy was continued.'] : [];
  const headings = ['TABLE', 'SOURCE', 'TARGET', 'SHA-256 OF THE SOURCE', 'COMPARED'];
  return [...begun, table(headings, rows), conclusion(isSame)];
}

function conclusion(isSame: boolean): string {
  return isSame
    ? 'Every row is there, byte for byte. Set DATABASE_URL and start the service; keep the folder until you trust the copy.'
    : 'The copy is NOT the same: one of the two databases was changed during the copy, or is damaged. Start again with a new database.';
}
