import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { render } from '../../src/domain/messages/render.ts';
import { until } from '../support/process.ts';
import { ALFA, startTwoWorkers, type Workers } from './two-workers.ts';
import { isSending, watchDocuments } from './watch-documents.ts';

const DOCUMENTS = 4;
/** More than a look-up or a retry waits for. */
const LOOK_UP_MS = 3_000;
const failure = (code: string, status = 500) => ({ status, body: { code, message: 'Internal server error' } });

/** Its own, and codes of another form than it has published, with either status that leaves the outcome open. */
const FAILURES: readonly (readonly [code: string, status: number])[] = [
  ...(['E5000', 'E5001', 'E4009'] as const).map((code) => [code, 500] as const),
  ['SIG-001', 200],
  ['40151', 500],
];

describe('an authority that answers failures of its own', () => {
  let workers: Workers;
  const { documentOf, stopOf, steps, reach } = watchDocuments(() => workers);
  before(async () => {
    workers = await startTwoWorkers();
    await reach(await workers.submit(ALFA, 'FIRST'), 40);
  });
  after(() => workers.stop());

  /** Lets the pauses before look-ups, retries and tests of a stop pass until it is so. */
  async function passUntil(what: string, look: () => Promise<boolean>): Promise<void> {
    await until(what, async () => {
      if (await look()) return true;
      const now = workers.clock.now();
      await workers.pass(Math.max(LOOK_UP_MS, ((await stopOf())?.until ?? now) - now));
      return false;
    });
  }

  const sends = async (docUid: DocUid) =>
    (await workers.storage.deliveries.attempts(ALFA, docUid)).filter(({ act }) => act === 'send').length;

  for (const [code, status] of FAILURES) {
    test(`with ${code} and HTTP ${status} to every document ends none, is named as the cause of a stop, and gets each of them later once`, async () => {
      workers.setMood(async (path, edb) => (edb === ALFA && isSending(path) ? failure(code, status) : null));
      const numbers = Array.from({ length: DOCUMENTS }, (_, index) => `${code}-${index}`);
      const docUids: DocUid[] = [];
      for (const number of numbers) docUids.push(await workers.submit(ALFA, number));
      await passUntil('a stop', async () => (await stopOf()) !== null);
      assert.match((await stopOf())?.reason ?? '', new RegExp(`failure of its own\\. It says: ${code} “Internal`, 'u'));
      // Through many tries of each of them.
      await passUntil('six tries of one', async () => (await Promise.all(docUids.map(sends))).some((one) => one >= 6));
      for (const docUid of docUids) {
        const { status, failureCode, ujp } = await documentOf(docUid);
        assert.ok([10, 20, 30].includes(status), `${status}`);
        assert.ok([null, 'AUTHORITY-ERROR'].includes(failureCode), `${failureCode}`);
        assert.equal(ujp, null);
      }
      workers.setMood(async () => null);
      const isAccepted = async (docUid: DocUid) => (await documentOf(docUid)).status === 40;
      await passUntil('all accepted', async () => (await Promise.all(docUids.map(isAccepted))).every(Boolean));
      assert.equal(await stopOf(), null);
      const registered = await workers.registrations();
      for (const number of numbers) assert.equal(registered.get(number)?.length, 1, number);
    });
  }

  test('to one document every time while others pass, has it end in 55 after five times, never in 50', async () => {
    let isPeculiar = true;
    workers.setMood(async (path) => (isPeculiar && isSending(path) ? failure('E5000') : null));
    const docUid = await workers.submit(ALFA, 'PECULIAR');
    for (let times = 1; times <= 5; times += 1) {
      isPeculiar = true;
      await passUntil(`${times} sends`, async () => (await sends(docUid)) === times);
      await until('an unknown outcome', async () => !(await workers.isHeld(ALFA)));
      isPeculiar = false;
      await reach(await workers.submit(ALFA, `PASSES-${times}`), 40);
      isPeculiar = true;
      await passUntil('the look-up', async () => [20, 55].includes((await documentOf(docUid)).status));
    }
    const { status, failureCode, failureMessage, failureSentences, ujp } = await documentOf(docUid);
    assert.deepEqual([status, failureCode, ujp], [55, 'AUTHORITY-ERROR', null]);
    assert.match(
      failureMessage ?? '',
      /It says: E5000 “Internal server error”\..* 5 times while it took other documents/u,
    );
    assert.match(render('mk', failureSentences ?? []), /Тоа се случи 5 пати додека УЈП примаше други документи/u);
    assert.equal(await steps(docUid), `10 20 30 ${'20:AUTHORITY-ERROR 30 '.repeat(4)}55:AUTHORITY-ERROR`);
    isPeculiar = false;
    assert.equal(await workers.operator.requeueOutbound(ALFA, docUid), 'requeued');
    await passUntil('accepted', async () => (await documentOf(docUid)).status === 40);
    assert.equal((await workers.registrations()).get('PECULIAR')?.length, 1);
  });

  test('although it has registered the document is not held against anybody: it is found, and nothing stops', async () => {
    workers.sayNoAfterwards(failure('E5000'));
    const docUids: DocUid[] = [];
    for (let index = 0; index < 4; index += 1) docUids.push(await workers.submit(ALFA, `REGISTERED-${index}`));
    const isAccepted = async (docUid: DocUid) => (await documentOf(docUid)).status === 40;
    await passUntil('all found', async () => (await Promise.all(docUids.map(isAccepted))).every(Boolean));
    workers.sayNoAfterwards(null);
    assert.equal(await stopOf(), null);
    for (const docUid of docUids) assert.equal(await steps(docUid), '10 20 30 40');
  });
});
