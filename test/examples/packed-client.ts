import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT, temporaryFolder } from '../support/process.ts';

const run = promisify(execFile);

/** Why the package cannot be made on this machine; false when it can. */
export const CANNOT_PACK =
  spawnSync('sh', ['-c', 'command -v npm']).status === 0 ? false : 'npm is needed to pack the client';

let installed: Promise<string> | null = null;

/** A folder in which the client is installed from its package, as an integrator would; the same one for all tests of a process. */
export function folderWithClient(): Promise<string> {
  installed ??= install();
  return installed;
}

async function install(): Promise<string> {
  const folder = temporaryFolder();
  // Built in a copy: other tests of the same run may build it, too.
  const copy = temporaryFolder();
  const isSource = (path: string) => !['dist', 'node_modules'].includes(basename(path));
  await cp(join(PROJECT, 'client'), join(copy, 'client'), { recursive: true, filter: isSource });
  await symlink(join(PROJECT, 'node_modules'), join(copy, 'node_modules'));
  const { stdout } = await run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], {
    cwd: join(copy, 'client'),
  });
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
  await mkdir(join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const options = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
  await run('npm', ['install', ...options, `./${packed?.filename}`], { cwd: folder });
  return folder;
}
