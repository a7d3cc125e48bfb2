import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRaised } from '../../alerts/expression.ts';
import { exprOf } from '../../alerts/rules.ts';
import { metricsWith, quietMetrics } from '../../support/quiet-metrics.ts';

test('memory that is held, calls that find none, submissions and failed signatures are counted', async () => {
  const metrics = metricsWith({ unsafeSettings: () => ['fsync'] });
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
  const metrics = metricsWith({ tenantsStopped: async () => answers.shift() ?? null });
  const seen: (string | undefined)[] = [];
  while (answers.length > 0)
    seen.push(/^dostava_tenants_stopped\{cause="account"\} (\d+)$/mu.exec((await metrics.render()).text)?.[1]);
  assert.deepEqual(seen, [undefined, '2', '2', undefined]);
});

test('what keeps documents from being sent is counted by kind, with each kind also while there is none', async () => {
  const stopped = new Map([
    ['account', 2],
    ['refused-document', 1],
  ]);
  let asked = 0;
  const metrics = metricsWith({
    tenantsStopped: async () => {
      asked += 1;
      return stopped;
    },
    isStoppedByClock: () => true,
  });
  const open = async () => {
    const { text } = await metrics.render();
    return Object.fromEntries(
      [...text.matchAll(/^dostava_circuits_open\{kind="([\w-]+)"\} (\d+)$/gmu)].map(([, kind, count]) => [
        kind,
        Number(count),
      ]),
    );
  };
  const closed = { authority: 0, database: 0, key: 0, hold: 0, 'refused-requests': 0 };
  assert.deepEqual(await open(), { ...closed, account: 2, 'refused-document': 1, clock: 1 });
  assert.equal(asked, 1, 'the database is asked once');
  metrics.keysUnopened(3);
  metrics.deliveryHeld(true);
  const call = { service: 'sales-invoices/send' };
  metrics.authorityCalled({ ...call, environment: 'test', outcome: 'unreachable' }, 1);
  metrics.authorityCalled({ ...call, environment: 'production', outcome: 'answered' }, 1);
  stopped.clear();
  assert.deepEqual(await open(), {
    ...closed,
    account: 0,
    'refused-document': 0,
    clock: 1,
    key: 3,
    hold: 1,
    authority: 1,
  });
});

test('whether the authority answers is not told any more once nobody has asked it for minutes', async () => {
  let elapsedMs = 0;
  const metrics = metricsWith({ elapsedMs: () => elapsedMs });
  const call = (environment: string, outcome: string) =>
    metrics.authorityCalled({ environment, service: 'companies', outcome }, 1);
  const told = async () =>
    [
      ...(await metrics.render()).text.matchAll(
        /^dostava_(?:authority_available|circuits_open)\{.*="(production|test|authority)"\} (\d)$/gmu,
      ),
    ]
      .map(([, of, value]) => `${of} ${value}`)
      .toSorted();
  call('production', 'unreachable');
  call('test', 'answered');
  assert.deepEqual(await told(), ['authority 1', 'production 0', 'test 1']);
  elapsedMs += 299_000;
  call('test', 'answered');
  assert.deepEqual(await told(), ['authority 1', 'production 0', 'test 1']);
  elapsedMs += 2_000;
  assert.deepEqual(await told(), ['authority 0', 'test 1'], 'an outage of long ago is none of now');
  call('production', 'answered');
  assert.deepEqual(await told(), ['authority 0', 'production 1', 'test 1']);
});

test('a document that is given up raises the alert, also when others were retried or cancelled in the same hour', async () => {
  let given = 10;
  const metrics = quietMetrics();
  metrics.tellStates({
    build: { version: '1', node: '24', environment: 'production', role: 'all', database: 'sqlite' },
    workload: async () => ({
      documents: new Map([['55', given]]),
      oldestDueSeconds: new Map(),
      unknownSeconds: new Map(),
      tasks: [],
    }),
    database: async () => ({ isReachable: true, isWritable: true, sizeBytes: null, disk: null, connections: null }),
  });
  const isTold = (scrapes: readonly string[]) =>
    isRaised(
      exprOf('DostavaDocumentsFailed'),
      scrapes.map((text) => ({ at: 0, text })),
    );
  const { text: before } = await metrics.render();
  given = 4;
  const { text: cancelled } = await metrics.render();
  assert.ok(!isTold([before, cancelled]));
  given = 5;
  metrics.documentDelivered('failed', 'DUPLICATE-NUMBER');
  const { text: after } = await metrics.render();
  assert.ok(isTold([before, cancelled, after]));
  assert.ok(!isTold([after, after]), 'an hour later');
});

test('however many codes the authority invents, there is a limited number of time series', async () => {
  const metrics = quietMetrics();
  for (let code = 0; code < 2_000; code += 1) metrics.documentDelivered('failed', `UJP-${code}`);
  metrics.documentDelivered('failed', 'UJP-7');
  const { text } = await metrics.render();
  assert.equal(text.match(/^dostava_deliveries_total\{outcome="failed"/gmu)?.length, 501);
  assert.ok(text.includes('dostava_deliveries_total{outcome="failed",failure="UJP-7"} 2\n'));
  assert.ok(text.includes('dostava_deliveries_total{outcome="failed",failure="other"} 1500\n'));
});
