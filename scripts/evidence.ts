import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { Summary } from '../test/simulation/run-seeds.ts';
import { runInProcesses } from './histories/run-in-processes.ts';

const USAGE = `Runs the histories and the planted bugs, and writes the figures into docs/reliability.md.

Usage: npm run evidence -- [options]

  --seeds <number>           histories on SQLite, from seed 1 on (default 10000; about half a second of a processor each)
  --postgres-seeds <number>  histories on PostgreSQL, from seed 1 on (default 200; about four)
  --no-mutants               leave the planted bugs out: what was found before stays on the page
  --help                     show this text

Ends with 1 when a promise was broken or a planted bug was not found; then nothing is written.
`;

const PAGE = fileURLToPath(new URL('../docs/reliability.md', import.meta.url));
const MUTANTS = fileURLToPath(new URL('./mutants.ts', import.meta.url));
const FOUND = /^found +(?<name>\S+): (?<what>.+) \((?<engine>\w+), seed (?<seed>\d+): (?<promise>.+)\)$/gmu;
const PROGRESS_EVERY = 100;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    'postgres-seeds': { type: 'string', default: '200' },
    'no-mutants': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(USAGE);
else {
  const seeds = { sqlite: Number(values.seeds), postgres: Number(values['postgres-seeds']) };
  process.exitCode = (await gather(seeds, !values['no-mutants'])) ? 0 : 1;
}

type Seeds = { readonly sqlite: number; readonly postgres: number };

async function gather(seeds: Seeds, withMutants: boolean): Promise<boolean> {
  const sqlite = await runHistories('sqlite', seeds.sqlite);
  const postgres = await runHistories('postgres', seeds.postgres);
  const mutants = withMutants ? await runMutants() : null;
  if (sqlite.broken.length + postgres.broken.length > 0 || mutants === 'not all') return false;
  const machine = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${platform()} ${arch()}`;
  write('evidence', figures(machine, sqlite, postgres));
  if (mutants !== null) write('planted bugs', mutants);
  console.log('docs/reliability.md has the figures.');
  return true;
}

/** Between the two comments with that name. */
function write(name: string, text: string): void {
  const between = new RegExp(`(<!-- ${name} -->\\n).*(<!-- /${name} -->)`, 'su');
  const page = readFileSync(PAGE, 'utf8');
  if (!between.test(page)) throw new Error(`docs/reliability.md has no place for: ${name}`);
  writeFileSync(
    PAGE,
    page.replace(between, (_, start, end) => `${start}${text}${end}`),
  );
}

function runHistories(engine: 'sqlite' | 'postgres', seeds: number): Promise<Summary> {
  return runInProcesses(engine, seeds, ({ seed, violations }, { histories, broken }) => {
    for (const { promise, facts } of violations) console.log(`Seed ${seed} breaks a promise: ${promise}: ${facts}`);
    if (histories % PROGRESS_EVERY === 0) console.log(`${histories} histories, ${broken.length} broken`);
  });
}

/** Which seed found which, as a table. */
async function runMutants(): Promise<string> {
  console.log('planted bugs: half an hour');
  const { stdout, isComplete } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MUTANTS],
    { maxBuffer: 2 ** 26 },
  ).then(
    (result) => ({ ...result, isComplete: true }),
    (error: { readonly stdout?: string }) => ({ stdout: error.stdout ?? '', isComplete: false }),
  );
  console.log(stdout);
  if (!isComplete) return 'not all';
  const rows = [...stdout.matchAll(FOUND)].map(({ groups = {} }) => {
    const { what, name, engine, seed, promise } = groups;
    return `| ${what} | \`${name}\` | ${engine === 'sqlite' ? '' : 'PostgreSQL, '}${seed} | ${promise} |\n`;
  });
  return `| What is wrong | Patch | Seed | Promise that it breaks |\n|---|---|---|---|\n${rows.join('')}`;
}

function figures(machine: string, ...engines: readonly [sqlite: Summary, postgres: Summary]): string {
  const cells = (what: string, cell: (summary: Summary) => string) =>
    `| ${what} | ${engines.map(cell).join(' | ')} |\n`;
  const row = (what: string, count: (summary: Summary) => number) =>
    cells(what, (summary) => count(summary).toLocaleString('en'));
  return [
    `| ${machine} | SQLite | PostgreSQL |\n|---|---|---|\n`,
    row('histories, seeds from 1 on', ({ histories }) => histories),
    row('promises broken', ({ broken }) => broken.length),
    row('documents submitted', ({ documents }) => documents),
    row('registrations at the authority', ({ registrations }) => registrations),
    row('faults planned', ({ faults }) => faults),
    row('processes killed', ({ crashes }) => crashes),
    row('events', ({ events }) => events),
    cells('SHA-256 over the traces, its first 16 digits', ({ digest }) => `\`${digest.slice(0, 16)}\``),
  ].join('');
}
