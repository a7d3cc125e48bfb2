import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { render } from '../../src/domain/messages/render.ts';
import { until } from '../support/process.ts';
import { ALFA, startTwoWorkers, type Workers } from './two-workers.ts';
import { isSending, watchDocuments } from './watch-documents.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
/** Longer than what is left open stays so. */
const LOOK_UP_MS = 400 * SECOND_MS;

/** What may pass by the authority's own description, and answers that say nothing at all. */
const ANSWERS: Readonly<Record<string, { readonly status: number; readonly body: unknown }>> = {
  'a page': { status: 200, body: '<html>Одржување</html>' },
  'an empty object': { status: 200, body: {} },
  nothing: { status: 200, body: '' },
  'HTTP 500 without a code': { status: 500, body: '' },
  E5008: { status: 500, body: { code: 'E5008', message: 'TimeStampToken' } },
  E40122: { status: 400, body: { code: 'E40122', message: 'timestamp' } },
  E4007: { status: 429, body: { code: 'E4007', message: 'limit' } },
};

describe('an authority that answers every send with', () => {
  let workers: Workers;
  const { documentOf, stopOf, reach } = watchDocuments(() => workers);
  before(async () => {
    workers = await startTwoWorkers();
    await reach(await workers.submit(ALFA, 'FIRST'), 40);
  });
  after(() => workers.stop());

  /** Lets time pass until the document has failed; returns after what time the operator could see it. */
  async function endsIn55(docUid: DocUid, begunAt: number): Promise<number> {
    let toldAfterMs: number | null = null;
    await until('the end in 55', async () => {
      if ((await documentOf(docUid)).status === 55) return true;
      if ((await workers.operator.tenants.failing()).has(ALFA)) toldAfterMs ??= workers.clock.now() - begunAt;
      await workers.pass(toldAfterMs === null ? LOOK_UP_MS : HOUR_MS);
      return false;
    });
    return toldAfterMs ?? assert.fail('never told');
  }

  for (const [what, answer] of Object.entries(ANSWERS)) {
    test(`${what}: the document is tried for two days and ends in 55; the operator sees it after three failures`, async () => {
      workers.setMood(async (path, edb) => (edb === ALFA && isSending(path) ? answer : null));
      const begunAt = workers.clock.now();
      const docUid = await workers.submit(ALFA, `PASSES-${what}`.slice(0, 20));
      const toldAfterMs = await endsIn55(docUid, begunAt);
      assert.ok(toldAfterMs <= 4 * HOUR_MS, `told after ${toldAfterMs} ms`);
      const { failureCode, failureSentences, ujp } = await documentOf(docUid);
      assert.match(failureCode ?? '', /^AUTHORITY-(?:ERROR|BUSY)$/u);
      assert.equal(ujp, null);
      assert.ok(render('en', failureSentences ?? []).length > 0);
      assert.equal(await stopOf(), null);
      const lastedMs = workers.clock.now() - begunAt;
      assert.ok(lastedMs > 40 * HOUR_MS, `${lastedMs} ms`);
      workers.setMood(async () => null);
      assert.equal(await workers.operator.requeueOutbound(ALFA, docUid), 'requeued');
      await reach(docUid, 40);
      assert.equal((await workers.operator.tenants.failing()).get(ALFA), undefined);
    });
  }
});
