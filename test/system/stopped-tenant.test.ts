import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService, temporaryFolder, until } from '../support/process.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';

const REJECTING = 'SIM-E7777';

test('a stop because of refused requests is in the log once, as a warning, and in the metrics by its cause', async (t) => {
  const variables = { DATA_DIR: temporaryFolder(), DELIVERY_HOLD_SECONDS: '0', LOG_LEVEL: 'info' };
  const service = await startService(t, variables);
  // Both are due before the first can be tried a second time.
  const submitted = [1, 2].map((index) =>
    service.call('demo-alfa', '/outbound', {
      method: 'POST',
      headers: { 'X-Idempotency-Key': `${index}` },
      body: sampleInvoice({ number: `${REJECTING}-${index}` }),
    }),
  );
  for (const { status } of await Promise.all(submitted)) assert.equal(status, 201);
  const sample = /^dostava_tenants_stopped\{cause="refused-(?:requests|document)"\} 1$/mu;
  await until('the metric', async () => sample.test(await (await fetch(`${service.opsUrl}/metrics`)).text()));
  await service.waitFor(/delivery stopped: the authority refuses/u);
  // Another taxpayer's document is delivered after that, and no second line has come.
  await service.call('demo-beta', '/outbound', {
    method: 'POST',
    headers: { 'X-Idempotency-Key': '3' },
    body: sampleInvoice({
      number: 'BESIDE',
      supplier: { taxNumber: '4080026000023' },
      recipient: { taxNumber: '4030026000018' },
    }),
  });
  await service.waitFor(/"outcome":"accepted"/u);
  const lines = service
    .stdout()
    .split('\n')
    .filter((line) => line.includes('delivery stopped'));
  assert.equal(lines.length, 1);
  const line = JSON.parse(lines[0] ?? '') as Readonly<Record<string, unknown>>;
  assert.deepEqual([line['level'], line['tenant'], line['failureCode']], ['warn', '4030026000018', 'REQUEST-REFUSED']);
  assert.match(String(line['message']), /E7777/u);
});
