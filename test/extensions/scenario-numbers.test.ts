import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { SCENARIOS } from '../../simulator/faults/scenario.ts';
import type { Validation } from '../../src/application/validation/validation.ts';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { json, request } from '../contract/support/client.ts';
import { as, startTestService } from '../support/service.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';

/** The authority takes no longer numbers. */
const LONGEST_NUMBER = 20;

const service = await startTestService();
after(() => service.stop());

async function post(address: string, number: string, headers: Record<string, string> = {}) {
  const given = { ...as('demo-alfa'), 'X-Idempotency-Key': number, ...headers };
  return request(address, { method: 'POST', headers: given, body: sampleInvoice({ number }) });
}

suite('a number of the demo environment that begins with SIM-', () => {
  for (const number of ['SIM-LSOT-1', 'SIM-', 'SIM-BUSYBODY', 'SIM-E12-1', 'SIM-TIMEOUTS-1']) {
    test(`${number} names no scenario: it is refused with the list of them`, async () => {
      const refused = await post(`${service.api}/outbound`, number);
      assert.equal(refused.status, 400, refused.text);
      assert.match(refused.text, /ERR-2002/u);
      for (const scenario of SCENARIOS) assert.ok(refused.text.includes(scenario), scenario);
      const dryRun = json(await post(`${service.url}${EXTENSIONS_ROOT}/validate`, number)) as Validation;
      assert.equal(dryRun.outcome, 'refused');
      assert.ok(
        dryRun.findings.some(
          ({ code, path, message }) => code === 'ERR-2002' && path === 'cbc:ID' && message.includes('SIM-BUSY'),
        ),
      );
    });
  }

  test('is told so in Macedonian, too', async () => {
    const refused = await post(`${service.api}/outbound`, 'SIM-X-1', { 'Accept-Language': 'mk' });
    assert.match(refused.text, /сценарио за проба/u);
  });

  test('names a scenario, with room for six characters of its own', async () => {
    for (const scenario of SCENARIOS) {
      const number = `${scenario}-`.padEnd(LONGEST_NUMBER, '7');
      assert.ok(scenario.length + 1 <= LONGEST_NUMBER - 6, scenario);
      assert.equal((await post(`${service.api}/outbound`, number)).status, 201, number);
    }
  });
});

test('other numbers are nobody’s scenarios', async () => {
  for (const number of ['SIMILAR-1', 'sim-lost-1', 'X-SIM-1'])
    assert.equal((await post(`${service.api}/outbound`, number)).status, 201, number);
});
