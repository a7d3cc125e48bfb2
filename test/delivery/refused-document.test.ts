import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { until } from '../support/process.ts';
import type { Refusal } from './forwarder.ts';
import { ALFA, startTwoWorkers, type Workers } from './two-workers.ts';
import { isSending, watchDocuments } from './watch-documents.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const REFUSAL = { status: 400, body: { code: 'E7777', message: 'Непозната порака', row: 3 } };
const REJECTION = { status: 400, body: { code: 'E1020', message: 'Totals', errorPropertyMap: { row: '3' } } };

describe('a document whose requests the authority refuses', () => {
  let workers: Workers;
  const { documentOf, stopOf, steps, reach } = watchDocuments(() => workers);
  before(async () => {
    workers = await startTwoWorkers();
    await reach(await workers.submit(ALFA, 'FIRST'), 40);
  });
  after(() => workers.stop());

  /** So often was its request refused. */
  async function refusals(docUid: DocUid): Promise<number> {
    const attempts = await workers.storage.deliveries.attempts(ALFA, docUid);
    return attempts.filter(({ outcome }) => outcome === 'request-refused').length;
  }

  async function refused(docUid: DocUid, times: number): Promise<void> {
    await until(`${docUid} refused ${times} times`, async () => (await refusals(docUid)) >= times);
    await until('released', async () => !(await workers.isHeld(ALFA)));
    await workers.lookedAgain(3);
    assert.equal(await refusals(docUid), times);
  }

  async function leapTo(docUid: DocUid): Promise<void> {
    const dueAt = (await workers.storage.deliveries.dueAt(ALFA, docUid)) ?? assert.fail('it is not due');
    workers.clock.advance(Math.max(0, dueAt - workers.clock.now()));
  }

  /** The gateway refuses so many requests to send, beginning with the next. */
  function refuseNext(times: number, answer: Refusal = REFUSAL): void {
    let left = times;
    workers.setMood(async (path) => {
      if (!isSending(path) || left === 0) return null;
      left -= 1;
      return answer;
    });
  }

  test('while others pass is tried with growing pauses, and after five times ends in 55, never in 50', async () => {
    refuseNext(1);
    const docUid = await workers.submit(ALFA, 'PECULIAR');
    let last = 0;
    for (let times = 1; times < 5; times += 1) {
      await refused(docUid, times);
      assert.equal(await stopOf(), null);
      const pause = ((await workers.storage.deliveries.dueAt(ALFA, docUid)) ?? 0) - workers.clock.now();
      assert.ok(pause > last, `${pause} after ${last}`);
      last = pause;
      await reach(await workers.submit(ALFA, `PASSES-${times}`), 40);
      refuseNext(1);
      await leapTo(docUid);
    }
    await reach(docUid, 55);
    const { failureCode, failureMessage, ujp } = await documentOf(docUid);
    assert.deepEqual([failureCode, ujp], ['REQUEST-REFUSED', null]);
    assert.match(
      failureMessage ?? '',
      /It says: E7777 “Непозната порака” \(row: 3\)\. .* 5 times .* the operator can queue it again\.$/u,
    );
    assert.equal(await steps(docUid), `10 20 30 ${'20:REQUEST-REFUSED 30 '.repeat(4)}55:REQUEST-REFUSED`);
    // It was the last that was refused; the next one goes alone and passes.
    await reach(await workers.submit(ALFA, 'PASSES-AT-LAST'), 40);
    assert.equal(await workers.operator.requeueOutbound(ALFA, docUid), 'requeued');
    await reach(docUid, 40);
    assert.equal((await workers.registrations()).get('PECULIAR')?.length, 1);
  });

  test('alone stops the tenant after two times, is tried without end, and lets another one pass at once', async () => {
    refuseNext(Number.POSITIVE_INFINITY);
    const docUid = await workers.submit(ALFA, 'ALONE');
    await refused(docUid, 1);
    assert.equal(await stopOf(), null);
    await leapTo(docUid);
    await refused(docUid, 2);
    for (let times = 3; times <= 9; times += 1) {
      const stop = (await stopOf()) ?? assert.fail('not stopped');
      assert.equal(stop.cause, 'refused-document');
      assert.match(stop.reason, /E7777 “Непозната порака”/u);
      await leapTo(docUid);
      await refused(docUid, times);
    }
    assert.equal((await documentOf(docUid)).status, 20);
    const { until: till } = (await stopOf()) ?? assert.fail('not stopped');
    assert.ok(till - workers.clock.now() > HOUR - MINUTE);
    workers.setMood(async () => null);
    await reach(await workers.submit(ALFA, 'BESIDE'), 40);
    assert.equal(await stopOf(), null);
    await reach(docUid, 40);
    assert.equal((await workers.registrations()).get('ALONE')?.length, 1);
  });

  test('by mistake as if for its content is reopened by the operator: looked up first, then sent once more', async () => {
    refuseNext(1, REJECTION);
    const docUid = await workers.submit(ALFA, 'REJECTED');
    await reach(docUid, 50);
    const { ujp } = await documentOf(docUid);
    assert.deepEqual(ujp?.errors, [{ code: 'E1020', message: 'Totals', details: '{"errorPropertyMap":{"row":"3"}}' }]);
    workers.clock.advance(MINUTE);
    assert.equal(await workers.operator.requeueOutbound(ALFA, docUid), 'not-failed');
    workers.setMood(async () => ({ status: 503, body: {} }));
    assert.equal(await workers.operator.reopenOutbound(ALFA, docUid), 'reopened');
    // The rejection no longer holds, and nobody has answered anew.
    const { status, ujp: reopened, failureCode } = await documentOf(docUid);
    assert.deepEqual([status, reopened, failureCode], [30, null, null]);
    workers.setMood(async () => null);
    await until('accepted', async () => {
      await workers.pass(MINUTE);
      return (await documentOf(docUid)).status === 40;
    });
    assert.equal(await steps(docUid), '10 20 30 50:UJP-E1020 30 20 30 40');
    const acts = (await workers.storage.deliveries.attempts(ALFA, docUid)).map(({ act }) => act);
    assert.deepEqual(
      acts.filter((act, index) => act !== acts[index - 1]),
      ['send', 'look-up', 'send'],
    );
    assert.equal((await workers.registrations()).get('REJECTED')?.length, 1);
    assert.equal(await workers.operator.reopenOutbound(ALFA, docUid), 'not-rejected');
  });

  test('that the authority registered although it said no is accepted when it is reopened, and not sent again', async () => {
    workers.sayNoAfterwards(REJECTION);
    const docUid = await workers.submit(ALFA, 'THERE-AFTER-ALL');
    await reach(docUid, 50);
    workers.sayNoAfterwards(null);
    workers.clock.advance(MINUTE);
    assert.equal(await workers.operator.reopenOutbound(ALFA, docUid), 'reopened');
    await reach(docUid, 40);
    assert.equal((await workers.registrations()).get('THERE-AFTER-ALL')?.length, 1);
    const acts = (await workers.storage.deliveries.attempts(ALFA, docUid)).map(({ act }) => act);
    assert.deepEqual(acts, ['send', 'look-up']);
  });

  test('because of a docId that the authority does not list is sent once more when it is reopened', async () => {
    refuseNext(1, { status: 400, body: { code: 'E1023', message: 'Постои документ со тој идентификатор' } });
    const docUid = await workers.submit(ALFA, 'NOT-LISTED');
    const passUntil = (status: number, ms: number) =>
      until(`${docUid} in ${status}`, async () => {
        await workers.pass(ms);
        return (await documentOf(docUid)).status === status;
      });
    await passUntil(50, HOUR);
    assert.equal(await workers.operator.reopenOutbound(ALFA, docUid), 'reopened');
    await passUntil(40, MINUTE);
    assert.equal(await steps(docUid), '10 20 30 50:UJP-E1023 30 20 30 40');
    assert.equal((await workers.registrations()).get('NOT-LISTED')?.length, 1);
  });

  test('is not reopened when it was submitted anew meanwhile', async () => {
    refuseNext(1, REJECTION);
    const docUid = await workers.submit(ALFA, 'ANEW');
    await reach(docUid, 50);
    await reach(await workers.submit(ALFA, 'ANEW'), 40);
    assert.equal(await workers.operator.reopenOutbound(ALFA, docUid), 'duplicate');
    assert.equal((await documentOf(docUid)).status, 50);
  });
});
