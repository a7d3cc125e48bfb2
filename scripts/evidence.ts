import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { runSeeds, type Summary, withTemplate } from '../test/simulation/run-seeds.ts';

const USAGE = `Runs the histories and the planted bugs, and writes the figures into docs/reliability.md.

Usage: npm run evidence -- [options]

  --seeds <number>  histories, from seed 1 on (default 10000; about half a second each)
  --no-mutants      leave the planted bugs out
  --help            show this text

Ends with 1 when a promise was broken or a planted bug was not found; then nothing is written.
`;

const PAGE = fileURLToPath(new URL('../docs/reliability.md', import.meta.url));
const MUTANTS = fileURLToPath(new URL('./mutants.ts', import.meta.url));
const FIGURES = /(<!-- evidence -->\n).*(<!-- \/evidence -->)/su;
const FOUND = /^(\d+) of (\d+) planted bugs found$/mu;
const PROGRESS_EVERY = 100;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    'no-mutants': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(USAGE);
else process.exitCode = (await gather(Number(values.seeds), !values['no-mutants'])) ? 0 : 1;

async function gather(seeds: number, withMutants: boolean): Promise<boolean> {
  const summary = await runHistories(seeds);
  for (const { seed, violations } of summary.broken) console.log(`Seed ${seed} breaks a promise: ${violations[0]}`);
  const mutants = withMutants ? await runMutants() : null;
  if (summary.broken.length > 0 || mutants === 'not all') return false;
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(FIGURES, (_, start, end) => `${start}${figures(summary, mutants)}${end}`),
  );
  console.log('docs/reliability.md has the figures.');
  return true;
}

function runHistories(seeds: number): Promise<Summary> {
  const all = Array.from({ length: seeds }, (_, index) => index + 1);
  return withTemplate((template) =>
    runSeeds(template, all, {
      shrinks: false,
      mostBroken: Number.POSITIVE_INFINITY,
      onHistory(_history, { histories, broken }) {
        if (histories % PROGRESS_EVERY === 0) console.log(`${histories} histories, ${broken.length} broken`);
      },
    }),
  );
}

/** How many were found, of all. */
async function runMutants(): Promise<string> {
  console.log('planted bugs: a few minutes');
  const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', MUTANTS], {
    maxBuffer: 2 ** 26,
  }).catch((error: { readonly stdout?: string }) => ({ stdout: error.stdout ?? '' }));
  console.log(stdout);
  const [, found, all] = FOUND.exec(stdout) ?? [];
  return found !== undefined && found === all ? `${found} of ${all}` : 'not all';
}

function figures(summary: Summary, mutants: string | null): string {
  const count = (value: number) => value.toLocaleString('en');
  const rows = [
    ['histories, seeds from 1 on', count(summary.histories)],
    ['promises broken', count(summary.broken.length)],
    ['documents submitted', count(summary.documents)],
    ['registrations at the authority', count(summary.registrations)],
    ['faults planned', count(summary.faults)],
    ['processes killed', count(summary.crashes)],
    ['events', count(summary.events)],
    ...(mutants === null ? [] : [['planted bugs found', mutants]]),
  ];
  const machine = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${platform()} ${arch()}`;
  return `| ${machine} | |\n|---|---|\n${rows.map((row) => `| ${row.join(' | ')} |\n`).join('')}`;
}
