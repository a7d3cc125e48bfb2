import { parseArgs } from 'node:util';
import { describeFailure } from '../test/simulation/describe-history.ts';
import { runHistory } from '../test/simulation/history.ts';
import { postgresSource } from '../test/simulation/postgres/postgres-database.ts';
import { runSeeds, type Summary, withTemplate } from '../test/simulation/run-seeds.ts';
import type { DatabaseSource } from '../test/simulation/world/template.ts';

const USAGE = `Simulates the whole service: replicas, database, network, authority, clients and faults of one seed are one history.

Usage: npm run simulate -- [options]

  --seed <number>    one history, with its trace: one line for each thing that happens
  --seeds <number>   so many histories, one after another (default 100)
  --from <number>    the first seed (default 1)
  --keep-going       do not stop at the first history that breaks a promise
  --no-shrinking     show a failure with all its faults
  --engine <name>    the database: sqlite (default) or postgres, on a real server
  --minutes <number> stop after so many minutes
  --help             show this text

Ends with 1 when a promise was broken. How to read a failure: test/simulation/README.md
`;

const PROGRESS_EVERY = 25;

type Wanted = {
  readonly seeds: number;
  readonly from: number;
  readonly mostBroken: number;
  readonly shrinks: boolean;
  readonly minutes: number;
};

async function showOne(seed: number, source?: DatabaseSource): Promise<boolean> {
  return withTemplate(async (template) => {
    const history = await runHistory(template, seed, { keepsTrace: true });
    console.log(history.trace.join('\n'));
    console.log(`\nSHA-256 of the trace: ${history.digest}`);
    if (history.violations.length === 0) return true;
    const { broken } = await runSeeds(template, [seed]);
    for (const shrunk of broken) console.log(`\n${describeFailure(shrunk, values.engine)}`);
    return false;
  }, source);
}

async function runMany(
  { seeds, from, mostBroken, minutes, shrinks }: Wanted,
  source?: DatabaseSource,
): Promise<boolean> {
  const until = performance.now() + minutes * 60_000;
  function* wanted() {
    for (let seed = from; seed < from + seeds && performance.now() < until; seed += 1) yield seed;
  }
  const summary = await withTemplate(
    (template) =>
      runSeeds(template, wanted(), {
        mostBroken,
        shrinks,
        onHistory(history, soFar) {
          const shrunk = soFar.broken.at(-1);
          if (history.violations.length > 0 && shrunk !== undefined)
            console.log(`\n${describeFailure(shrunk, values.engine)}\n`);
          if (soFar.histories % PROGRESS_EVERY === 0) console.log(`seed ${history.seed}: ${describeSummary(soFar)}`);
        },
      }),
    source,
  );
  console.log(describeSummary(summary));
  return summary.broken.length === 0;
}

function describeSummary({ histories, documents, registrations, faults, crashes, events, broken }: Summary): string {
  return `${histories} histories, ${documents} documents, ${registrations} registrations, ${faults} faults, ${crashes} crashes, ${events} events, ${broken.length} broken`;
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/u.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number, not '${text}'.`);
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1000000' },
    engine: { type: 'string', default: 'sqlite' },
    'no-shrinking': { type: 'boolean', default: false },
    'keep-going': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Undefined for the embedded database. */
async function sourceOf(engine: string): Promise<DatabaseSource | undefined> {
  if (engine === 'postgres') return postgresSource();
  if (engine === 'sqlite') return undefined;
  throw new Error(`--engine must be sqlite or postgres, not '${engine}'.`);
}

if (values.help) console.log(USAGE);
else {
  const source = await sourceOf(values.engine);
  const isKept =
    values.seed === undefined
      ? await runMany(
          {
            seeds: wholeNumber('seeds', values.seeds),
            from: wholeNumber('from', values.from),
            minutes: wholeNumber('minutes', values.minutes),
            shrinks: !values['no-shrinking'],
            mostBroken: values['keep-going'] ? Number.POSITIVE_INFINITY : 1,
          },
          source,
        )
      : await showOne(wholeNumber('seed', values.seed), source);
  if (!isKept) process.exitCode = 1;
}
