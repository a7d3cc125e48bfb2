import type { CopyOutcome } from '../../application/maintenance/copy-database.ts';
import { counted } from '../../domain/messages/message.ts';
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
    to: {
      value: 'url',
      help: 'An empty PostgreSQL database, postgres://…; DATABASE_URL by default. Give its password there or in PGPASSWORD: others see this option in the list of processes.',
    },
    'accept-damage': { value: null, help: 'Also when files or payloads are damaged in the embedded database.' },
  },
  async runTool({ timers, copyToPostgres }, given, report) {
    const from = required(given, 'from');
    const to = given.option('to');
    if (to !== null && !(/^postgres(?:ql)?:\/\//u.test(to) && URL.canParse(to))) {
      throw new UsageError(
        '--to must be the address of one server, as postgres://dostava@db.internal/dostava, with the password in PGPASSWORD; # / ? % in one that is in the address are written %23 %2F %3F %25.',
      );
    }
    const acceptDamage = given.option('accept-damage') !== null;
    const show = progressLines(report, timers);
    const outcome = await copyToPostgres(from, { to, acceptDamage }, ({ act, table: what, done, total }) =>
      show({ act, what, done, total, unit: 'rows' }),
    );
    const { isFinished } = outcome;
    return {
      text: text(outcome),
      json: outcome,
      isFailure: !isFinished,
      isDamaged: isFinished && countDamaged(outcome) > 0,
    };
  },
};

function countDamaged({ tables }: CopyOutcome): number {
  return tables.reduce((sum, { damaged }) => sum + damaged, 0);
}

function text(outcome: CopyOutcome): OutputText {
  const rows = outcome.tables.map(({ table: name, source, target, isSame, damaged }) => [
    name,
    source.rows,
    target.rows,
    source.sha256,
    [isSame ? 'same' : 'DIFFERENT', ...(damaged > 0 ? [`${damaged} damaged`] : [])].join(', '),
  ]);
  const begun = outcome.isResumed ? ['An earlier copy was continued.'] : [];
  const headings = ['TABLE', 'SOURCE', 'TARGET', 'SHA-256 OF THE SOURCE', 'COMPARED'];
  return [...begun, table(headings, rows), ...conclusion(outcome)];
}

function conclusion(outcome: CopyOutcome): readonly string[] {
  const damaged = countDamaged(outcome);
  if (!outcome.isSame) {
    return [
      'The copy is NOT the same: one of the two databases was changed during the copy. Start again with a new database.',
    ];
  }
  if (!outcome.isFinished) {
    return [
      `Every row is there, but ${counted(damaged, 'is', 'are')} DAMAGED in the embedded database, and so in the copy: "dostava check" names them with their documents, with that folder as DATA_DIR and without DATABASE_URL. Mend them and start again with a new database, or start again with --accept-damage, which goes on with this one.`,
    ];
  }
  return [
    `Every row is there, byte for byte. The embedded database is now ${outcome.setAside}, so that nothing works on it any more. Set DATABASE_URL and start the service; keep the file until you trust the copy.`,
    ...(damaged > 0 ? [`${counted(damaged, 'is', 'are')} DAMAGED; nothing of them is sent or served.`] : []),
  ];
}
