import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, QUICK_START, startProgram, temporaryFolder, until } from '../support/process.ts';

/** A pipe that nobody writes to: whoever opens it waits for ever, as for a disk in the network that is gone. */
function stuckThread(): string {
  const pipe = join(temporaryFolder(), 'pipe');
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
  const program = `import { open } from 'node:fs'; open(${JSON.stringify(pipe)}, 'r', () => undefined);`;
  return `--import=data:text/javascript,${encodeURIComponent(program)}`;
}

async function serveStuck(t: TestContext) {
  const variables = {
    DATA_DIR: temporaryFolder(),
    PORT: String(await freePort()),
    OPS_PORT: String(await freePort()),
    SIMULATOR_PORT: String(await freePort()),
    ROLE: 'api',
  };
  const words = [...QUICK_START, stuckThread(), 'src/main.ts', 'serve', '--json'];
  const service = startProgram(t, process.execPath, words, variables);
  await service.waitFor(/Dostava listens on/u);
  return service;
}

test('a service ends in order although one of its threads waits for a disk that does not answer', async (t) => {
  const service = await serveStuck(t);
  service.signal('SIGTERM');
  await service.waitFor(/Dostava has stopped/u);
  await endsSoon(service);
  const { exitCode, stderr } = await service.finished();
  assert.deepEqual([exitCode, stderr], [0, '']);
});

/** A test that waits for what would never come says nothing for minutes. */
async function endsSoon({ isRunning, signal }: Awaited<ReturnType<typeof serveStuck>>): Promise<void> {
  const late = pause(120_000, 'late', { ref: false });
  const ended = until('the process has ended', () => !isRunning()).then(() => 'ended');
  const first = await Promise.race([late, ended]);
  if (first === 'late') signal('SIGKILL');
  assert.equal(first, 'ended');
}
