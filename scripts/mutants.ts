import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const USAGE = `Plants each bug of test/simulation/mutants and test/simulation/postgres/mutants in a copy of the program and looks for a seed that finds it.

Usage: npm run mutants -- [options] [name …]

  --seeds <number>  the most seeds for each (default 400)
  --engine <name>   only those of one engine: sqlite, or postgres for test/simulation/postgres/mutants, which only that engine can have
  --help            show this text

Ends with 1 when a planted bug is not found, or does not apply to the program any more.
`;

const PROJECT = fileURLToPath(new URL('../', import.meta.url));
const MUTANTS: Readonly<Record<string, string>> = {
  sqlite: join(PROJECT, 'test/simulation/mutants'),
  postgres: join(PROJECT, 'test/simulation/postgres/mutants'),
};
const NOT_COPIED = new Set(['node_modules', '.git', 'data']);
const BROKEN = /Seed (\d+) breaks a promise:\n {2}([^:]+):/u;

const run = promisify(execFile);

/** A copy without history; what is installed is shared, because nothing there is changed. */
function copyProgram(): string {
  const copy = mkdtempSync(join(tmpdir(), 'dostava-mutants-'));
  cpSync(PROJECT, copy, {
    recursive: true,
    filter: (path) => !NOT_COPIED.has(relative(PROJECT, path).split('/')[0] ?? ''),
  });
  symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Little context, so that a patch outlives changes near it. */
async function apply(copy: string, patch: string, ...options: readonly string[]): Promise<void> {
  await run('git', ['apply', '-C1', ...options, patch], { cwd: copy });
}

/** What the first seed that finds the bug says; null when none does. */
async function findBug(copy: string, seeds: string, engine: string): Promise<string | null> {
  const wanted = ['--engine', engine, '--seeds', seeds, '--no-shrinking'];
  const args = ['--disable-warning=ExperimentalWarning', 'scripts/simulate.ts', ...wanted];
  try {
    await run(process.execPath, args, { cwd: copy, maxBuffer: 2 ** 26 });
    return null;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    const [, seed, promise] = BROKEN.exec(stdout) ?? [];
    if (seed === undefined) throw new Error(`The simulation failed.\n${stdout}\n${stderr}`, { cause: error });
    return `seed ${seed}: ${promise}`;
  }
}

type Mutant = { readonly name: string; readonly patch: string; readonly engine: string };

function mutantsOf(engine: string): readonly Mutant[] {
  const folder = MUTANTS[engine];
  if (folder === undefined) throw new Error(`--engine must be sqlite or postgres, not '${engine}'.`);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.patch'))
    .toSorted()
    .map((file) => ({ name: file.slice(0, -'.patch'.length), patch: join(folder, file), engine }));
}

async function tryMutants(mutants: readonly Mutant[], seeds: string): Promise<readonly string[]> {
  const copy = copyProgram();
  const survivors: string[] = [];
  try {
    for (const { name, patch, engine } of mutants) {
      const [what] = readFileSync(patch, 'utf8').split('\n');
      await apply(copy, patch);
      const found = await findBug(copy, seeds, engine);
      await apply(copy, patch, '--reverse');
      if (found === null) survivors.push(name);
      console.log(
        `${found === null ? 'NOT FOUND' : 'found    '}  ${name}: ${what}${found === null ? '' : ` (${engine}, ${found})`}`,
      );
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  return survivors;
}

const { values, positionals } = parseArgs({
  options: {
    seeds: { type: 'string', default: '400' },
    engine: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

if (values.help) console.log(USAGE);
else {
  const engines = values.engine === undefined ? Object.keys(MUTANTS) : [values.engine];
  const all = engines.flatMap(mutantsOf);
  const unknown = positionals.find((name) => !all.some((mutant) => mutant.name === name));
  if (unknown !== undefined) throw new Error(`There is no planted bug '${unknown}'.`);
  const wanted = positionals.length === 0 ? all : all.filter(({ name }) => positionals.includes(name));
  const survivors = await tryMutants(wanted, values.seeds);
  console.log(`${wanted.length - survivors.length} of ${wanted.length} planted bugs found`);
  if (survivors.length > 0) process.exitCode = 1;
}
