import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The engine under the suites that know nothing of engines. */
export type Lane = 'SQLite' | 'PostgreSQL';

/** What one process does. */
export type Job = { readonly lane: Lane; readonly files: readonly string[] };

const IS_LONG = process.env['TEST_LONG'] === '1';

/**
 * What runs on PostgreSQL as well. In long mode also what is about the answers of the authority, or about calls that read: what they
 * need of an engine the suites of the contract and of the engines show on both.
 */
const ON_POSTGRES = [
  'contract/**/*',
  'delivery/**/*',
  'extensions/changes*',
  ...(IS_LONG ? ['extensions/**/*', 'client/**/*'] : []),
];
const ABOUT_ANSWERS =
  /^test\/delivery\/(?:authority-failures|passing-failures|outages|refused-\w+|scenarios|signing-commands|undeliverable)\.test\.ts$/u;

const EVERYTHING: Readonly<Record<Lane, readonly string[]>> = {
  SQLite: ['test/**/*.test.ts'],
  PostgreSQL: ON_POSTGRES.map((files) => `test/${files}.test.ts`),
};

/**
 * Rooms whose files share a process, which starts and compiles once for all of them. Each file has its own service and
 * database and touches nothing that belongs to the process: what it does before or after each test it does within a suite,
 * since outside of suites that would be done for the tests of all files.
 */
const TOGETHER: readonly (readonly string[])[] = [
  // Some rooms are in two halves: as a whole they would take longer than everything else.
  ['a', 'b', 'c', 'd', 'e'].map((letter) => `test/contract/${letter}`),
  ['test/contract/', 'test/extensions/', 'test/client/'],
  ['a', 'c', 'i', 'k', 'l'].map((letter) => `test/delivery/${letter}`),
  ['test/delivery/'],
  ['test/cli/command-processes'],
  ['test/cli/'],
  ['a', 'b', 'c', 'd', 'e', 'i', 'l'].map((letter) => `test/engines/${letter}`),
  ['test/engines/'],
  ['test/intake/', 'test/adapters/ubl/', 'test/schemas/'],
  ['test/simulator/'],
  ['test/openapi/'],
  ['test/examples/'],
  ['test/domain/', 'test/consistency/', 'test/adapters/credentials/', 'test/adapters/ujp/'],
  // System tests of services in the process, then of short-lived ones in processes of their own. Others watch what belongs to a process.
  ['attack-connections', 'attack-downloads', 'attack-pipelines', 'errors-page', 'ops', 'shared-cache'].map(
    (name) => `test/system/${name}.`,
  ),
  ['damaged-', 'demo', 'descriptors', 'keys-', 'launcher', 'logs', 'npm-', 'start', 'stopped-'].map(
    (name) => `test/system/${name}`,
  ),
  ['crash', 'database-outage', 'production', 'replicas', 'roles', 'suspended-'].map((name) => `test/system/${name}`),
  ['going-live-', 'guides', 'operating-', 'packed-', 'quick-imports', 'shutdown', 'taken-'].map(
    (name) => `test/system/${name}`,
  ),
  ['test/system/browser/'],
  ['test/simulation/mutants', 'test/simulation/postgres/s', 'test/simulation/world/'],
  // What is left but other system tests and the histories.
  [
    'adapters/',
    'app/',
    'application/',
    'bench/',
    'config',
    'console/',
    'demo/',
    'http/',
    'main/',
    'support/',
    'worker/',
  ].map((room) => `test/${room}`),
];

const DURATIONS = 'node_modules/.cache/test-durations.json';

/** What was not measured yet begins first where it may be long: the histories, many files in one process, the rooms with long files. */
const LONGEST_ROOM = 'test/simulation/';
const SLOW_ROOMS = ['test/system/', 'test/cli/', 'test/delivery/', 'test/engines/', 'test/intake/', 'test/contract/'];
const ROOM_MS = 60_000;

/** Files that are asked for by name run each in a process of its own. */
export function jobsFor(lanes: readonly Lane[], patterns: readonly string[]): readonly Job[] {
  return lanes.flatMap((lane) => {
    const found = globSync([...(patterns.length > 0 ? patterns : EVERYTHING[lane])]).toSorted();
    const isLeftOut = (file: string) =>
      patterns.length === 0 && lane === 'PostgreSQL' && !IS_LONG && ABOUT_ANSWERS.test(file);
    const files = found.filter((file) => !isLeftOut(file));
    const groups = Map.groupBy(files, (file) => (patterns.length > 0 ? file : groupOf(file)));
    return [...groups.values()].map((together) => ({ lane, files: together }));
  });
}

function groupOf(file: string): string {
  return TOGETHER.find((rooms) => rooms.some((room) => file.startsWith(room)))?.join() ?? file;
}

/** The longest first, so that none of them begins when all others are done. */
export function longestFirst(jobs: readonly Job[]): readonly Job[] {
  const known = readDurations();
  const expectedMs = (job: Job) => known[nameOf(job)] ?? roomMs(job);
  return jobs.toSorted((a, b) => expectedMs(b) - expectedMs(a));
}

export function keepDurations(measured: ReadonlyMap<Job, number>): void {
  const known = readDurations();
  for (const [job, ms] of measured) known[nameOf(job)] = Math.round(ms);
  mkdirSync(dirname(DURATIONS), { recursive: true });
  writeFileSync(DURATIONS, JSON.stringify(known, null, 1));
}

export function nameOf({ lane, files }: Job): string {
  const [file = ''] = files;
  const what = files.length === 1 ? file : `${files.length} files in one process, ${file} …`;
  return lane === 'SQLite' ? what : `${what} (${lane})`;
}

function readDurations(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(DURATIONS, 'utf8')) as Record<string, number>;
  } catch {
    // There is none before the first run, and a broken one is worth no more.
    return {};
  }
}

function roomMs({ files }: Job): number {
  if (files[0]?.startsWith(LONGEST_ROOM)) return (SLOW_ROOMS.length + 2) * ROOM_MS;
  if (files.length > 1) return (SLOW_ROOMS.length + 1) * ROOM_MS;
  const place = SLOW_ROOMS.findIndex((room) => files[0]?.startsWith(room));
  return place < 0 ? 0 : (SLOW_ROOMS.length - place) * ROOM_MS;
}
