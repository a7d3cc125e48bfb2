import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../../src/adapters/platform/metrics.ts';

test('memory that is held, calls that find none, submissions and failed signatures are counted', async () => {
  const metrics = createMetrics({
    auditWaiting: () => 0,
    auditUnwritten: () => 0,
    tenantsStopped: async () => null,
    unsafeSettings: () => ['fsync'],
    clockOffsetsMs: () => new Map(),
    isStoppedByClock: () => false,
  });
  const answers = metrics.memory('answers', 8_192);
  answers.held(4_096);
  answers.refused();
  metrics.memory('bodies', 70).held(7);
  metrics.signatureFailed('command');
  metrics.signatureFailed('command');
  metrics.submissions.changed(3, 512);
  metrics.submissions.refused();
  const { text } = await metrics.render();
  for (const sample of [
    'dostava_memory_held_bytes{of="answers"} 4096',
    'dostava_memory_held_bytes{of="bodies"} 7',
    'dostava_memory_limit_bytes{of="answers"} 8192',
    'dostava_memory_limit_bytes{of="bodies"} 70',
    'dostava_memory_refusals_total{of="answers"} 1',
    'dostava_memory_refusals_total{of="bodies"} 0',
    'dostava_database_unsafe_settings 1',
    'dostava_submissions_under_way 3',
    'dostava_submissions_limit 512',
    'dostava_submissions_refused_total 1',
    'dostava_signatures_failed_total{signer="command"} 2',
    'dostava_signatures_failed_total{signer="key"} 0',
  ]) {
    assert.ok(text.includes(`${sample}\n`), sample);
  }
});

test('stopped tenants stay counted while the database does not answer, so that an alert does not end by that', async () => {
  const answers: (ReadonlyMap<string, number> | null)[] = [null, new Map([['account', 2]]), null, new Map()];
  const metrics = createMetrics({
    auditWaiting: () => 0,
    auditUnwritten: () => 0,
    tenantsStopped: async () => answers.shift() ?? null,
    unsafeSettings: () => [],
    clockOffsetsMs: () => new Map(),
    isStoppedByClock: () => false,
  });
  const seen: (string | undefined)[] = [];
  while (answers.length > 0)
    seen.push(/^dostava_tenants_stopped\{cause="account"\} (\d+)$/mu.exec((await metrics.render()).text)?.[1]);
  assert.deepEqual(seen, [undefined, '2', '2', undefined]);
});
