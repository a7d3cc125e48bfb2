import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { until } from '../support/process.ts';
import { ALFA, startTwoWorkers, type Workers } from './two-workers.ts';
import { watchDocuments } from './watch-documents.ts';

/** More than a look-up waits for. */
const LOOK_UP_MS = 3_000;

let workers: Workers;
const { documentOf, steps, reach } = watchDocuments(() => workers);
before(async () => {
  workers = await startTwoWorkers();
});
after(() => workers.stop());

const OF_A_VOID = '01a1e35e-c000-7aaa-8bbb-000000000009';

/** As another process has put it on record. */
async function voided(docUid: DocUid): Promise<string> {
  const now = workers.clock.now();
  await workers.storage.transaction(async ({ voids }) => {
    await voids.request(ALFA, docUid, { code: 'S-1', name: 'Reason', comment: null }, now);
    await voids.claim(ALFA, { token: 'void', until: now + 60_000 }, now, 1);
    const end = { dueAt: null, failures: 0, failureCode: null, failureMessage: null };
    assert.ok(await voids.settle(ALFA, docUid, 'void', { ...end, state: 'registered', voidEuid: OF_A_VOID }));
  });
  return OF_A_VOID;
}

const euidOf = async (docUid: DocUid) => (await documentOf(docUid)).ujp?.euid ?? '';

for (const [name, letters, answered] of [
  ['another document', 'SMALL', euidOf],
  ['another document, in large letters,', 'LARGE', async (docUid: DocUid) => (await euidOf(docUid)).toUpperCase()],
  ['a void', 'VOID', voided],
] as const) {
  test(`the answer to ${name} accepts nothing: each gets the EUID that is its own`, async () => {
    const first = await workers.submit(ALFA, `FIRST-${letters}`);
    await reach(first, 40);
    const euid = await answered(first);
    workers.sayNoAfterwards({ status: 200, body: { euid, message: 'Фактура успешно зачувана', status: 200 } });
    const second = await workers.submit(ALFA, `SECOND-${letters}`);
    await until('it is accepted', async () => {
      if (!(await workers.isHeld(ALFA))) workers.clock.advance(LOOK_UP_MS);
      return (await documentOf(second)).status === 40;
    });
    workers.sayNoAfterwards(null);
    const registered = await workers.registrations();
    for (const [docUid, number] of [
      [first, `FIRST-${letters}`],
      [second, `SECOND-${letters}`],
    ] as const) {
      assert.deepEqual(
        registered.get(number)?.map((one) => one.euid),
        [(await documentOf(docUid)).ujp?.euid],
        number,
      );
    }
    assert.equal(await steps(second), '10 20 30 40');
    const [send] = await workers.storage.deliveries.attempts(ALFA, second);
    assert.deepEqual([send?.outcome, send?.failureCode], ['unknown', 'AUTHORITY-ERROR']);
    assert.match(send?.message ?? '', /another document/u);
    assert.match(send?.answer ?? '', new RegExp(euid, 'u'));
  });
}

test('an answer that came before its owner had it is told once the owner is found', async () => {
  /** Nobody finds the owner meanwhile, however long it takes. */
  const answerWith = (answer: Parameters<Workers['sayNoAfterwards']>[0]) => {
    workers.sayNoAfterwards(answer);
    workers.setMood(async (path) => (path.endsWith('/invoices-status') ? { status: 503, body: {} } : null));
  };
  answerWith({ status: 502, body: {} });
  const owner = await workers.submit(ALFA, 'OWNER');
  await until('its answer is lost', async () => {
    const [send] = await workers.storage.deliveries.attempts(ALFA, owner);
    return send?.outcome === 'unknown';
  });
  const euid = (await workers.registrations()).get('OWNER')?.[0]?.euid ?? assert.fail('not registered');
  answerWith({ status: 200, body: { euid, message: 'Фактура успешно зачувана', status: 200 } });
  const mistaken = await workers.submit(ALFA, 'MISTAKEN');
  await reach(mistaken, 40);
  workers.sayNoAfterwards(null);
  await until('the owner is found', async () => {
    if (!(await workers.isHeld(ALFA))) workers.clock.advance(LOOK_UP_MS);
    return (await documentOf(owner)).status === 40;
  });
  assert.deepEqual([await euidOf(owner), await euidOf(mistaken)], [euid, euid]);
  const strays = await workers.storage.strayRegistrations.list(ALFA, mistaken);
  assert.deepEqual(
    strays.map((stray) => [stray.euid, stray.act]),
    [[euid, 'look-up']],
  );
});
