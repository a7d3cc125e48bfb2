import { globSync } from 'node:fs';

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
 * What shares a process, which starts and compiles once for all of it: files whose paths begin in one of these ways; the longest beginning
 * counts. Each file has its own service and database and touches nothing that belongs to the process: what it does before or after each
 * test it does within a suite, since outside of suites that would be done for the tests of all files.
 *
 * They start in this order: first what waits most, for timers and for processes it started, among what takes long; at the end what is
 * short, so that no processor is left without work while the last one ends.
 */
const TOGETHER: readonly (readonly string[])[] = [
  // Some rooms are in two halves: as a whole they would take longer than everything else.
  ['test/simulation/simulation.'],
  ['test/delivery/'],
  ['going-live-', 'guides', 'operating-', 'packed-', 'quick-imports', 'shutdown', 'taken-'].map(inSystem),
  ['damaged-', 'demo', 'descriptors', 'launcher', 'logs', 'npm-', 'start'].map(inSystem),
  ['test/simulation/'],
  ['crash', 'database-outage', 'production', 'replicas', 'roles', 'suspended-'].map(inSystem),
  ['test/system/browser/'],
  // One process after the other, so it would be the last to end, with a processor at rest beside it.
  ['test/examples/'],
  ['test/system/attack-worst-cases.'],
  ['a', 'c', 'i', 'k', 'l'].map((letter) => `test/delivery/${letter}`),
  ['test/system/attack-sockets.'],
  ['test/system/full-disk.'],
  ['test/system/memory.'],
  ['test/system/overload/'],
  // What no other process has, but for the histories and system tests.
  ['adapters/', 'app', 'bench/', 'config', 'console/', 'demo/', 'http/', 'main/', 'support/', 'worker/'].map(inTest),
  ['test/intake/', 'test/adapters/ubl/', 'test/schemas/'],
  ['test/cli/'],
  ['test/engines/'],
  ['test/domain/', 'test/consistency/', 'test/adapters/credentials/', 'test/adapters/ujp/'],
  ['a', 'b', 'c', 'd', 'e', 'i', 'l'].map((letter) => `test/engines/${letter}`),
  ['test/contract/', 'test/extensions/', 'test/client/'],
  // System tests of services in the process. Those that are alone in theirs watch what belongs to a process.
  ['attack-connections', 'attack-downloads', 'attack-pipelines', 'errors-page', 'ops', 'shared-cache'].map(inSystem),
  ['a', 'b', 'c', 'd', 'e'].map((letter) => `test/contract/${letter}`),
  ['test/openapi/', 'test/alerts/'],
  ['test/simulator/'],
  ['test/cli/command-processes'],
];

/** Files that are asked for by name run each in a process of its own. */
export function jobsFor(lanes: readonly Lane[], patterns: readonly string[]): readonly Job[] {
  return lanes.flatMap((lane) => {
    const found = globSync([...(patterns.length > 0 ? patterns : EVERYTHING[lane])]).toSorted();
    const isLeftOut = (file: string) =>
      patterns.length === 0 && lane === 'PostgreSQL' && !IS_LONG && ABOUT_ANSWERS.test(file);
    const files = found.filter((file) => !isLeftOut(file));
    const groups = Map.groupBy(files, (file) =>
      patterns.length > 0 ? file : (TOGETHER[placeOf(file)]?.join() ?? file),
    );
    return [...groups.values()].map((together) => ({ lane, files: together }));
  });
}

/** In the order in which they are to start. What has no place in it may take long, and comes first. */
export function inOrder(jobs: readonly Job[]): readonly Job[] {
  const placeOfJob = ({ files: [first = ''] }: Job) => placeOf(first);
  return jobs.toSorted((a, b) => placeOfJob(a) - placeOfJob(b));
}

function placeOf(file: string): number {
  const lengths = TOGETHER.map((rooms) => Math.max(...rooms.map((room) => (file.startsWith(room) ? room.length : 0))));
  const longest = Math.max(...lengths);
  return longest === 0 ? -1 : lengths.indexOf(longest);
}

function inSystem(name: string): string {
  return `test/system/${name}`;
}

function inTest(name: string): string {
  return `test/${name}`;
}

export function nameOf({ lane, files }: Job): string {
  const [file = ''] = files;
  const what = files.length === 1 ? file : `${files.length} files in one process, ${file} …`;
  return lane === 'SQLite' ? what : `${what} (${lane})`;
}
