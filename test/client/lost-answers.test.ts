import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { createClient } from '../../client/src/client.ts';
import { newTenant } from '../contract/support/tenant.ts';
import { withRandom } from '../support/seeds.ts';
import { startTestService } from '../support/service.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';
import { type Fate, startLosingProxy } from './losing-proxy.ts';

const SUBMISSIONS = process.env['TEST_LONG'] === '1' ? 1_000 : 100;
const AT_A_TIME = 8;
const LOST = 0.3;
/** So many in a row are lost once in 10^15 runs. */
const TRIES = 40;

const service = await startTestService();
const proxy = await startLosingProxy(service.url);
after(async () => {
  proxy.close();
  await service.stop();
});

suite('a client whose answers are lost', () => {
  test(`has ${SUBMISSIONS} documents after ${SUBMISSIONS} submissions, and knows which is which`, async (t) => {
    const tenant = await newTenant(service);
    const { secret: apiKey } = await tenant.withKey({ callsPerMinute: 10_000_000 });
    const told = await withRandom(async (random) => {
      proxy.decide = (_, when) => (when === 'before' ? draw(random) : 'answered');
      const client = createClient({
        url: proxy.url,
        apiKey,
        software: 'test/1.0',
        random,
        retries: { maxTries: TRIES, firstPauseMs: 1, longestPauseMs: 20 },
      });
      const docUids = new Map<string, string>();
      const numbers = Array.from({ length: SUBMISSIONS }, (_, place) => `L-${place}`).values();
      const submitOneByOne = async () => {
        for (const number of numbers) docUids.set(number, (await client.submit(sampleInvoice({ number }))).docUid);
      };
      await Promise.all(Array.from({ length: AT_A_TIME }, submitOneByOne));
      return docUids;
    });
    t.diagnostic(JSON.stringify(proxy.counts));
    assert.ok(proxy.counts['lost-before'] > 0 && proxy.counts['lost-after'] > 0 && proxy.counts.cut > 0);

    const direct = createClient({ url: service.url, apiKey, software: 'test/1.0' });
    const stored = new Map<string, string>();
    for await (const { docUid, documentNumber } of direct.eachOutbound({ pageSize: 500 })) {
      assert.ok(!stored.has(documentNumber ?? ''), `${documentNumber} is there twice`);
      stored.set(documentNumber ?? '', docUid);
    }
    assert.equal(stored.size, SUBMISSIONS);
    assert.deepEqual(new Map([...told].toSorted()), new Map([...stored].toSorted()));
  });
});

/** Half of what is lost reached the service; of that, half is cut in the body. */
function draw(random: () => number): Fate {
  if (random() >= LOST) return 'answered';
  const half = random();
  if (half < 0.5) return 'lost-before';
  return half < 0.75 ? 'lost-after' : 'cut';
}
