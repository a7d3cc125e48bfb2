import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { START_FLAGS } from '../../bin/start-flags.js';
import { PROJECT } from '../support/process.ts';

const MAIN = join(PROJECT, 'src', 'main.ts');
/** Comes before ours, so Node asks it only for what ours does not answer. */
const TELLING = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(name, context, next) {
      const found = next(name, context);
      console.error(name.startsWith('.') ? 'own' : 'other', found.url);
      return found;
    },
  });`)}`;

function leftToNode(flags: readonly string[]): readonly string[] {
  const { status, stderr } = spawnSync(process.execPath, [TELLING, ...flags, MAIN, '--version'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stderr.split('\n').filter((line) => line.startsWith('own '));
}

test('files of the program are found without a search, and are those that Node would find', () => {
  assert.deepEqual(leftToNode(START_FLAGS), []);
  assert.ok(leftToNode([]).length > 10);
});
