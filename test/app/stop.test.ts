import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFoundation } from '../../src/app/foundation.ts';
import { readConfig } from '../../src/config.ts';
import { until } from '../support/process.ts';
import { startTestService } from '../support/service.ts';

type Task = { readonly name: string; readonly lease: string | null };

const TASKS = 'select name, lease from recurring_task';

test('a stop interrupts what waits for its turn at the authority, and leaves it to the next process at once', async () => {
  // With a pace of a minute every request but the first of a user waits for longer than a stop may take.
  const service = await startTestService({ variables: { AUTHORITY_PACE_MS: '60000' } });
  const { engine } = service.foundation;
  await until('tasks under way', async () => (await engine.all<Task>(TASKS, [])).some(({ lease }) => lease !== null));
  await service.stop();
  const reopened = await openFoundation(readConfig(service.database));
  const tasks = await reopened.engine.all<Task>(TASKS, []);
  await reopened.engine.close();
  assert.ok(tasks.length > 0);
  assert.deepEqual(
    tasks.filter(({ lease }) => lease !== null),
    [],
  );
});
