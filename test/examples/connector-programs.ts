import { spawnSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from '../support/process.ts';
import { CANNOT_PACK, folderWithClient } from './packed-client.ts';

const FOLDER = join(PROJECT, 'examples/connectors');

function lacks(...programs: readonly (readonly [string, string])[]): string | false {
  const absent = programs.filter(([program, option]) => spawnSync(program, [option]).status !== 0);
  return absent.length === 0 ? false : `absent here: ${absent.map(([program]) => program).join(', ')}`;
}

export type Connector = {
  readonly skip: string | false;
  readonly command: () => Promise<readonly [program: string, ...args: string[]]>;
};

/** Itself: what is found under its name may be a script that looks for it. Without what is installed beside the standard library. */
export const PYTHON = pythonProgram();

function pythonProgram(): readonly [program: string, ...args: string[]] {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  return [stdout?.trim() || 'python3', '-S'];
}

/** By their language. */
export const CONNECTORS: Readonly<Record<string, Connector>> = {
  typescript: {
    skip: CANNOT_PACK,
    async command() {
      const program = join(await folderWithClient(), 'connector.ts');
      await cp(join(FOLDER, 'typescript/connector.ts'), program);
      return [process.execPath, '--disable-warning=ExperimentalWarning', program];
    },
  },
  python: {
    skip: lacks([PYTHON[0], '--version']),
    command: async () => [...PYTHON, join(FOLDER, 'python/connector.py')],
  },
  bash: {
    skip: lacks(...['bash', 'curl', 'jq', 'flock', 'sha256sum'].map((program) => [program, '--version'] as const)),
    command: async () => ['bash', join(FOLDER, 'bash/connector.sh')],
  },
};
