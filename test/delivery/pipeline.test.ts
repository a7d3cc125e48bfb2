import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { json } from '../contract/support/client.ts';
import { assertProblem } from '../contract/support/problem.ts';
import { until } from '../support/process.ts';
import { fullCount } from './full-count.ts';
import { DAY, type Delivering, MINUTE, SECOND, startDelivering, type Taxpayer } from './support.ts';

/** Longer than it takes to submit many documents: they shall all be due at once. */
const HOLD_SECONDS = 60;
const MANY = fullCount({ long: 300, sqlite: 150, postgres: 60 });
const WINDOW_SECONDS = 20;

describe('the pipeline', () => {
  let delivering: Delivering;
  let alfa: Taxpayer;
  before(async () => {
    delivering = await startDelivering({
      DELIVERY_HOLD_SECONDS: String(HOLD_SECONDS),
      OUTCOME_WINDOW_SECONDS: String(WINDOW_SECONDS),
    });
    ({ alfa } = delivering);
  });
  afterEach(async () => {
    await delivering.pull('outage', { on: false });
    await delivering.pull('faults', {});
  });
  after(() => delivering.service.stop());

  const hold = () => delivering.clock.advance(HOLD_SECONDS * SECOND);
  const cancel = (docUid: string) => alfa.post(`/outbound/${docUid}/cancel`);
  const isIn = async (docUid: string, status: number) => (await alfa.document(docUid)).status === status;

  test('holds a document back for the given time: due then and not before, and delivered', async () => {
    const docUid = await alfa.send('HELD');
    const { createdAt } = await alfa.document(docUid);
    assert.equal((await alfa.story(docUid)).dueAt, Date.parse(createdAt) + HOLD_SECONDS * SECOND);
    // A second document, submitted earlier by as long as the hold, goes all the way meanwhile.
    delivering.clock.advance((HOLD_SECONDS / 2) * SECOND);
    const second = await alfa.send('HELD-TOO');
    delivering.clock.advance((HOLD_SECONDS / 2) * SECOND);
    await delivering.reach(alfa, docUid, 40);
    assert.equal(await alfa.steps(second), '10');
    assert.equal(await alfa.steps(docUid), '10 20 30 40');
    hold();
    await delivering.reach(alfa, second, 40);
  });

  test('a document cancelled during the hold is never sent', async () => {
    const docUid = await alfa.send('HELD-CANCELLED');
    const answer = await cancel(docUid);
    assert.deepEqual([answer.status, json(answer)], [200, { docUid, status: 60 }]);
    hold();
    await delivering.reach(alfa, await delivered('AFTER-THE-CANCELLED'), 40);
    assert.equal(await alfa.steps(docUid), '10 60');
    assert.deepEqual(await delivering.registered({ docNumber: 'HELD-CANCELLED' }), []);
    assert.equal((await alfa.story(docUid)).dueAt, null);
    assertProblem(await cancel(docUid), 'ERR-3004');
  });

  async function delivered(number: string): Promise<DocUid> {
    const docUid = await alfa.send(number);
    hold();
    return docUid;
  }

  test('a document cancelled while it waits for another try is never sent', async () => {
    const docUid = await delivered('SIM-BUSY-CANCELLED');
    await delivering.reach(alfa, docUid, 20);
    assert.equal((await cancel(docUid)).status, 200);
    assert.equal((await alfa.story(docUid)).dueAt, null);
    delivering.clock.advance(DAY);
    await delivering.reach(alfa, await delivered('AFTER-THE-BUSY'), 40);
    assert.equal(await alfa.steps(docUid), '10 20 30 20:AUTHORITY-BUSY 60');
    const { failureCode, failureMessage } = await alfa.document(docUid);
    assert.deepEqual([failureCode, failureMessage], [null, null]);
    assert.deepEqual(await delivering.registered({ docNumber: 'SIM-BUSY-CANCELLED' }), []);
  });

  test('a document that was sent, accepted or refused cannot be cancelled; a failed one can', async () => {
    await delivering.pull('faults', { loseRequests: 1 });
    const sent = await delivered('SENT');
    await delivering.reach(alfa, sent, 30);
    assert.match(assertProblem(await cancel(sent), 'ERR-3003'), /status 30/u);
    await delivering.pull('faults', {});
    const accepted = await delivered('ACCEPTED');
    await delivering.reach(alfa, accepted, 40);
    assert.match(assertProblem(await cancel(accepted), 'ERR-3003'), /status 40/u);
    const refused = await delivered('SIM-E1020');
    await delivering.reach(alfa, refused, 50);
    assert.match(assertProblem(await cancel(refused), 'ERR-3003'), /status 50/u);
    const failed = await alfa.send('FAILED', { typeCode: '325' });
    hold();
    await delivering.reach(alfa, failed, 55);
    assert.equal((await cancel(failed)).status, 200);
    assert.equal(await alfa.steps(failed), '10 55:NOT-EXPRESSIBLE 60');
    await delivering.passUntil('the first one accepted', () => isIn(sent, 40));
  });

  test('before the window is over, a document that is not found counts as sent; then it is sent again', async () => {
    await delivering.pull('faults', { loseRequests: 1 });
    // The window begins with the time that the request states, which is between this and the beginning of the attempt.
    const before = delivering.clock.now();
    const docUid = await delivered('NOT-THERE');
    await until('the answer lost', async () => (await alfa.story(docUid)).attempts[0]?.outcome === 'unknown');
    await delivering.pull('faults', {});
    const sentAt = (await alfa.story(docUid)).attempts[0]?.startedAt ?? 0;
    const looks: number[] = [];
    while (await isIn(docUid, 30)) {
      const { dueAt } = await alfa.story(docUid);
      assert.ok(dueAt !== null);
      looks.push(dueAt - sentAt);
      delivering.clock.advance(Math.max(0, dueAt - delivering.clock.now()));
      await until('a look', async () => (await alfa.story(docUid)).dueAt !== dueAt);
      await until('nobody at it', async () => isUntouched(docUid));
    }
    const takenBackAt = (await alfa.story(docUid)).history.find(({ failureCode }) => failureCode !== null)?.at ?? 0;
    assert.ok(takenBackAt - before >= WINDOW_SECONDS * SECOND, 'not before its absence proves something');
    assert.ok(looks.length > 1, `${looks}`);
    assert.ok(looks.every((look, index) => index === 0 || look > (looks[index - 1] ?? 0)));
    await delivering.passUntil('accepted', () => isIn(docUid, 40));
    assert.equal(await alfa.steps(docUid), '10 20 30 20:AUTHORITY-UNREACHABLE 30 40');
    assert.equal((await delivering.registered({ docNumber: 'NOT-THERE' })).length, 1);
  });

  async function isUntouched(docUid: string): Promise<boolean> {
    const { engine } = delivering.service.foundation;
    return (await engine.get('select 1 from outbound where id = $1 and lease is not null', [docUid])) === null;
  }

  test('when attempts are used up, a document fails, after about two days; the operator can have it tried again', async () => {
    await delivering.pull('outage', { on: true });
    // By then nothing that a document needs is remembered any more: it does not come as far as being sent.
    delivering.clock.advance(DAY);
    const docUid = await delivered('USED-UP');
    const pauses: number[] = [];
    for (let tries = 1; tries <= 11; tries += 1) {
      await until(`try ${tries}`, async () => (await alfa.steps(docUid)).split(':').length === tries + 1);
      const { dueAt, history } = await alfa.story(docUid);
      pauses.push((dueAt ?? 0) - (history.at(-1)?.at ?? 0));
      await delivering.passUntil('the next try', async () => (await alfa.story(docUid)).dueAt !== dueAt);
    }
    const { failureCode, failureMessage } = await delivering.reach(alfa, docUid, 55);
    assert.equal(failureCode, 'AUTHORITY-ERROR');
    assert.match(failureMessage ?? '', /^The tax authority had a failure of its own\. All attempts are used up\.$/u);
    assert.equal(await alfa.steps(docUid), `10 20 30 ${'20:AUTHORITY-ERROR 30 '.repeat(11)}55:AUTHORITY-ERROR`);
    const days = pauses.reduce((sum, pause) => sum + pause, 0) / DAY;
    assert.ok(days > 1.7 && days < 2.6, `${days} days`);
    assert.ok((pauses[0] ?? 0) <= 6 * SECOND && (pauses[2] ?? 0) < 3 * MINUTE, `${pauses}`);
    assert.equal((await alfa.story(docUid)).dueAt, null);

    await delivering.pull('outage', { on: false });
    assert.equal(await delivering.service.operator.requeueOutbound(alfa.edb, docUid), 'requeued');
    await delivering.reach(alfa, docUid, 40);
    assert.match(await alfa.steps(docUid), /55:AUTHORITY-ERROR 20 30 40$/u);
    assert.equal((await delivering.registered({ docNumber: 'USED-UP' })).length, 1);
  });

  test(`one document of another taxpayer does not wait for the ${MANY} that were queued before it`, async () => {
    // In the order of their tax numbers the one with many documents comes first too.
    const many = await delivering.join('МНОГУ ДОО Скопје');
    const one = await delivering.join('ЕДЕН ДОО Скопје');
    await Promise.all(Array.from({ length: MANY }, (_, index) => many.send(`MANY-${index}`)));
    const docUid = await one.send('ONE');
    hold();
    await delivering.reach(one, docUid, 40);
    const registered = await delivering.registered();
    const order = registered.filter(({ seller }) => seller === many.edb || seller === one.edb);
    const place = order.findIndex(({ docNumber }) => docNumber === 'ONE');
    assert.ok(place !== -1 && place < MANY / 10, `after ${place} others`);
    assert.ok(order.length < MANY, 'the many are still under way');
  });
});
