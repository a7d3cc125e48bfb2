import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { until } from '../support/process.ts';
import { DAY, type Delivering, HOUR, SECOND, startDelivering } from './support.ts';

/** So long that no answer is late because the machine is busy. */
const PATIENT_SECONDS = 120;

describe('an outage of the authority', () => {
  let delivering: Delivering;
  before(async () => {
    delivering = await startOutages(PATIENT_SECONDS);
  });
  afterEach(() => outage(null));
  after(() => delivering.service.stop());

  const outage = (kind: string | null) => switchOutage(delivering, kind);
  const areIn = (docUids: readonly string[], ...statuses: readonly number[]) => allAreIn(delivering, docUids, statuses);

  /** An hour later nothing that a document needs is remembered any more: it does not come as far as being sent. */
  const forgetEverything = () => delivering.clock.advance(HOUR);

  for (const kind of ['502-html', 'refuse']) {
    test(`${kind}: what was submitted meanwhile is accepted afterwards, each registered exactly once`, () =>
      assertOutlasted(delivering, kind));
  }

  test('a document that waits in status 20 tells why, in a sentence', async () => {
    const { alfa, passUntil, reach } = delivering;
    forgetEverything();
    await outage('refuse');
    const docUid = await alfa.send('TOLD');
    const { failureCode, failureMessage, ujp } = await reach(alfa, docUid, 20);
    assert.deepEqual([failureCode, ujp], ['AUTHORITY-UNREACHABLE', null]);
    assert.match(failureMessage ?? '', /^The [a-z ]+ tax authority [a-z ]+\.$/u);
    await outage(null);
    await passUntil('accepted', () => areIn([docUid], 40));
  });

  test('failures of the way there do not count as failures of the authority on the document', async () => {
    const { alfa, passUntil } = delivering;
    forgetEverything();
    await outage('refuse');
    const docUid = await alfa.send('SIM-E5000-A');
    await passUntil('three tries', async () => (await alfa.steps(docUid)).split(':').length > 3);
    await outage(null);
    const theirs = async () => (await alfa.steps(docUid)).split('20:AUTHORITY-ERROR').length - 1;
    await passUntil('more failures of theirs than end one that others overtake', async () => (await theirs()) > 6);
    // Nothing else is sent: it may be anybody's fault.
    assert.match(await alfa.steps(docUid), /(20:AUTHORITY-UNREACHABLE 30 ){3}(20:AUTHORITY-ERROR 30 ?){6}/u);
    assert.ok([20, 30].includes((await alfa.document(docUid)).status));
  });

  test('a lost answer stays unknown for as long as nobody can be asked, however long, and is then found', async () => {
    const { alfa, clock, passUntil, pull, reach, registered } = delivering;
    // From then on nothing needs to be asked before the next one is sent.
    const first = await alfa.send('FIRST-SENT');
    await passUntil('the first one accepted', () => areIn([first], 40));
    await pull('faults', { loseAnswers: 1, loseQueries: 1 });
    const docUid = await alfa.send('LOST');
    await reach(alfa, docUid, 30);
    await until('the answer lost', async () => (await alfa.story(docUid)).attempts[0]?.outcome === 'unknown');
    clock.advance(2 * SECOND);
    await until('a look in vain', async () => (await alfa.story(docUid)).attempts.some(({ act }) => act === 'look-up'));
    for (let days = 0; days < 3; days += 1) {
      const { dueAt } = await alfa.story(docUid);
      clock.advance(DAY);
      await until('another look', async () => {
        const story = await alfa.story(docUid);
        return story.dueAt !== null && story.dueAt > clock.now() && story.dueAt !== dueAt;
      });
      assert.equal(await alfa.steps(docUid), '10 20 30');
    }
    // An outage of days is one row, not hundreds.
    assert.deepEqual(
      (await alfa.story(docUid)).attempts.map(({ act, outcome }) => `${act} ${outcome}`),
      ['send unknown', 'look-up failed'],
    );
    await pull('faults', {});
    await delivering.passUntil('accepted', () => areIn([docUid], 40));
    assert.equal(await alfa.steps(docUid), '10 20 30 40');
    assert.equal((await registered({ docNumber: 'LOST' })).length, 1);
  });
});

describe('an authority that does not answer', () => {
  let delivering: Delivering;
  before(async () => {
    delivering = await startOutages(1);
  });
  after(() => delivering.service.stop());

  test('what was submitted meanwhile is accepted afterwards, each registered exactly once', () =>
    assertOutlasted(delivering, 'timeout'));
});

async function startOutages(timeoutSeconds: number): Promise<Delivering> {
  const delivering = await startDelivering({
    AUTHORITY_TIMEOUT_SECONDS: String(timeoutSeconds),
    OUTCOME_WINDOW_SECONDS: '3',
  });
  const { alfa, passUntil } = delivering;
  const docUid = await alfa.send('BEFORE');
  await passUntil('the first one accepted', () => allAreIn(delivering, [docUid], [40]));
  return delivering;
}

function switchOutage({ pull }: Delivering, kind: string | null): Promise<unknown> {
  return pull('outage', kind === null ? { on: false } : { on: true, kind });
}

async function allAreIn(
  { alfa }: Delivering,
  docUids: readonly string[],
  statuses: readonly number[],
): Promise<boolean> {
  const documents = await Promise.all(docUids.map((docUid) => alfa.document(docUid)));
  return documents.every(({ status }) => statuses.includes(status));
}

async function assertOutlasted(delivering: Delivering, kind: string): Promise<void> {
  const { alfa, passUntil, registered, service } = delivering;
  await switchOutage(delivering, kind);
  // One more than can be under way at a time.
  const numbers = Array.from({ length: 3 }, (_, index) => `${kind}-${index}`);
  const docUids = await Promise.all(numbers.map((number) => alfa.send(number)));
  await until('every document tried', () => allAreIn(delivering, docUids, [20, 30]));
  await until('nobody at them', async () => {
    const held = await service.foundation.engine.get('select 1 from outbound where lease is not null', []);
    return held === null;
  });
  await switchOutage(delivering, null);
  await passUntil('every document accepted', () => allAreIn(delivering, docUids, [40]));
  for (const [index, docUid] of docUids.entries()) {
    assert.equal((await registered({ docNumber: numbers[index] ?? '' })).length, 1);
    assert.match(await alfa.steps(docUid), /^10 20 30 (20:AUTHORITY-[A-Z]+ 30 )+40$/u);
    const { failureCode, failureMessage } = await alfa.document(docUid);
    assert.deepEqual([failureCode, failureMessage], [null, null]);
  }
}
