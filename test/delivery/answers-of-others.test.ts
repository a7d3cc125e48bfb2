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
      await workers.pass(LOOK_UP_MS);
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

/** Longer than the authority carries out a request. */
const TOO_OLD_MS = 400_000;

test('a look-up that is answered with another document does not have it sent again', async () => {
  workers.sayNoAfterwards({ status: 502, body: {} });
  const docUid = await workers.submit(ALFA, 'LOOKED-UP');
  await until('its answer is lost', async () => {
    const [send] = await workers.storage.deliveries.attempts(ALFA, docUid);
    return send?.outcome === 'unknown';
  });
  workers.sayNoAfterwards(null);
  const other = JSON.stringify({ document: { header: { docId: 'another', docNumber: 'ANOTHER' } } });
  let answered = 0;
  workers.setMood(async (path) => {
    if (!path.endsWith('/sales-invoice/payload')) return null;
    answered += 1;
    return { status: 200, body: { success: true, payload: other } };
  });
  await until('it was answered twice, the second time too late for the request to be carried out', async () => {
    await workers.pass(TOO_OLD_MS);
    return answered >= 3;
  });
  assert.equal(await steps(docUid), '10 20 30');
  await until('its failure is on record', async () => {
    const attempts = await workers.storage.deliveries.attempts(ALFA, docUid);
    return /the payload of another document/u.test(attempts.at(-1)?.message ?? '');
  });
  workers.setMood(async () => null);
  await until('it is accepted', async () => {
    await workers.pass(TOO_OLD_MS);
    return (await documentOf(docUid)).status === 40;
  });
  assert.equal(await steps(docUid), '10 20 30 40');
  assert.equal((await workers.registrations()).get('LOOKED-UP')?.length, 1);
});

test('a document whose EUID is not its own is told once its container cannot be had by it', async () => {
  const unknown = '01a1e35e-c000-7aaa-8bbb-000000000077';
  workers.sayNoAfterwards({ status: 200, body: { euid: unknown, message: 'Фактура успешно зачувана', status: 200 } });
  const docUid = await workers.submit(ALFA, 'NOT-ITS-OWN');
  await reach(docUid, 40);
  workers.sayNoAfterwards(null);
  const euid = (await workers.registrations()).get('NOT-ITS-OWN')?.[0]?.euid ?? assert.fail('not registered');
  const told = () =>
    workers.events.filter(({ outcome, docUid: of }) => outcome === 'stray-registration' && of === docUid);
  await until('it is told', async () => {
    await workers.pass(TOO_OLD_MS);
    return told().length > 0;
  });
  assert.match(told()[0]?.message ?? '', new RegExp(`registered this document as ${euid}; ${unknown}`, 'u'));
  const strays = async () => (await workers.storage.strayRegistrations.list(ALFA, docUid)).map((stray) => stray.euid);
  assert.deepEqual(await strays(), [unknown]);
  const change = { euid: unknown, status: { code: '05', name: null }, from: '01', at: null, reason: null };
  const isRecorded = await workers.storage.transaction(({ deliveries }) =>
    deliveries.recordAuthorityStatus(ALFA, change, workers.clock.now()),
  );
  assert.equal(isRecorded, false, 'it gets no status of the other one');
  // The clock may have ended a lease in the moment in which it was taken; that is told when its work comes to an end.
  const events = () => workers.events.filter(({ outcome }) => outcome !== 'lease-lost').length;
  const before = events();
  workers.clock.advance(24 * 3_600_000);
  await workers.lookedAgain(3);
  assert.deepEqual([told().length, events()], [1, before], 'once');
});

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
    await workers.pass(LOOK_UP_MS);
    return (await documentOf(owner)).status === 40;
  });
  assert.deepEqual([await euidOf(owner), await euidOf(mistaken)], [euid, euid]);
  const strays = await workers.storage.strayRegistrations.list(ALFA, mistaken);
  assert.deepEqual(
    strays.map((stray) => [stray.euid, stray.act]),
    [[euid, 'look-up']],
  );
});
