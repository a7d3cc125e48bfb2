import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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

for (const [name, letters, asWritten] of [
  ['as it was', 'SMALL', (euid: string) => euid],
  ['in large letters', 'LARGE', (euid: string) => euid.toUpperCase()],
] as const) {
  test(`the answer to another document, ${name}, accepts nothing: each gets the EUID that is its own`, async () => {
    const first = await workers.submit(ALFA, `FIRST-${letters}`);
    await reach(first, 40);
    const euid = asWritten((await documentOf(first)).ujp?.euid ?? '');
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
