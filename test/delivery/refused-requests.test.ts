import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { until } from '../support/process.ts';
import { assertGapFree } from './gap-free.ts';
import { ALFA, BETA, type Mood, startTwoWorkers, type Workers } from './two-workers.ts';
import { isSending } from './watch-documents.ts';

const DOCUMENTS = 10;
const MINUTE = 60_000;

/** What a code means does not depend on the engine: the second one tries the first few of each kind. */
const MOST_CODES =
  process.env['TEST_DATABASE'] === 'postgres' && process.env['TEST_LONG'] !== '1' ? 4 : Number.POSITIVE_INFINITY;
const OF_THE_REQUEST = [
  ...['E50051', 'E4000', 'E4001', 'E4004', 'E4005', 'E4010', 'E4011', 'E4013', 'E4015', 'E4018', 'E4024', 'E5005'],
  ...['E7777', 'E999999'],
].slice(0, MOST_CODES);

const refusalOf = (code: string, status = 400) => ({ status, body: { code, message: `Порака ${code}` } });

describe('a gateway that refuses requests for a reason that is not in the document', () => {
  let workers: Workers;
  let taken = 0;
  before(async () => {
    workers = await startTwoWorkers();
    // The register and the lists are read before anything is refused.
    await arrived(ALFA, [await workers.submit(ALFA, 'FIRST')]);
    await arrived(BETA, [await workers.submit(BETA, 'FIRST-OF-BETA')]);
  });
  after(() => workers.stop());

  const stopOf = async (tenant: Edb) => (await workers.storage.tenants.find(tenant))?.stopped ?? null;
  const statusOf = async (tenant: Edb, docUid: DocUid) => (await workers.storage.outbound.find(tenant, docUid))?.status;

  async function arrived(tenant: Edb, docUids: readonly DocUid[]): Promise<void> {
    for (const docUid of docUids) {
      await until(`${docUid} accepted`, async () => (await statusOf(tenant, docUid)) === 40);
    }
  }

  async function submitTen(name: string): Promise<{ readonly numbers: string[]; readonly docUids: DocUid[] }> {
    taken += 1;
    const numbers = Array.from({ length: DOCUMENTS }, (_, index) => `${name}-${taken}-${index}`);
    const docUids: DocUid[] = [];
    for (const number of numbers) docUids.push(await workers.submit(ALFA, number));
    return { numbers, docUids };
  }

  /** Stopped for some time to come, and nobody at work. */
  async function stopped(): Promise<void> {
    await until('a stop, and nobody at work', async () => {
      const { until: till = 0, cause = null } = (await stopOf(ALFA)) ?? {};
      return cause === 'refused-requests' && till > workers.clock.now() && !(await workers.isHeld(ALFA));
    });
    await workers.lookedAgain(3);
  }

  /** Documents that have left the queue at all, by their histories. */
  async function left(docUids: readonly DocUid[]): Promise<number> {
    const histories = await Promise.all(docUids.map((docUid) => workers.storage.outbound.history(ALFA, docUid)));
    for (const history of histories) assertGapFree(history);
    return histories.filter((history) => history.some(({ status }) => status === 30)).length;
  }

  async function attemptsOf(docUids: readonly DocUid[]): Promise<number> {
    const all = await Promise.all(docUids.map((docUid) => workers.storage.deliveries.attempts(ALFA, docUid)));
    return all.flat().length;
  }

  async function assertNoneFinal(docUids: readonly DocUid[]): Promise<void> {
    for (const docUid of docUids) assert.ok([10, 20].includes((await statusOf(ALFA, docUid)) ?? 0));
  }

  async function assertDelivered({ numbers, docUids }: Awaited<ReturnType<typeof submitTen>>): Promise<void> {
    workers.setMood(async () => null);
    const { until: till } = (await stopOf(ALFA)) ?? assert.fail('not stopped');
    workers.clock.advance(Math.max(0, till - workers.clock.now()));
    await arrived(ALFA, docUids);
    assert.equal(await stopOf(ALFA), null);
    const registered = await workers.registrations();
    for (const number of numbers) assert.equal(registered.get(number)?.length, 1, number);
  }

  const MOODS: Readonly<Record<string, (code: string, status: number) => Mood>> = {
    'whatever is asked': (code, status) => async (_path, edb) => (edb === ALFA ? refusalOf(code, status) : null),
    'whatever is sent': (code, status) => async (path, edb) =>
      edb === ALFA && isSending(path) ? refusalOf(code, status) : null,
  };

  for (const [index, code] of OF_THE_REQUEST.entries()) {
    const [what = '', mood = assert.fail()] = Object.entries(MOODS)[index % 2] ?? [];
    const status = [400, 403, 500][index % 3] ?? 400;
    test(`with ${code} and HTTP ${status} to ${what} has at most two of ten documents, and ends none`, async () => {
      workers.setMood(mood(code, status));
      const ten = await submitTen(code);
      await stopped();
      const gone = await left(ten.docUids);
      assert.ok(gone >= 1 && gone <= 2, `${gone} have left`);
      await assertNoneFinal(ten.docUids);
      const stop = await stopOf(ALFA);
      assert.match(
        stop?.reason ?? '',
        new RegExp(`^The tax authority refused the request.*${code} “Порака ${code}”`, 'u'),
      );
      // Nobody else is disturbed.
      await arrived(BETA, [await workers.submit(BETA, `BESIDE-${code}`)]);
      await assertDelivered(ten);
    });
  }

  test('slowly, has no more than two either, however often the workers look for others meanwhile', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let sent = 0;
    workers.setMood(async (path, edb) => {
      if (edb !== ALFA || !isSending(path)) return null;
      sent += 1;
      await held;
      return refusalOf('E50051');
    });
    const ten = await submitTen('SLOW');
    await until('two are under way', () => sent >= 2);
    await workers.lookedAgain(10);
    assert.equal(sent, 2);
    release();
    await stopped();
    assert.equal(await left(ten.docUids), 2);
    await assertNoneFinal(ten.docUids);
    await assertDelivered(ten);
  });

  test('all of a sudden, has two of those that were in the flow, and one that an acceptance let follow', async () => {
    let sent = 0;
    workers.setMood(async (path, edb) => {
      if (edb !== ALFA || !isSending(path)) return null;
      sent += 1;
      return sent > 3 ? refusalOf('E7777') : null;
    });
    const ten = await submitTen('FLOW');
    await stopped();
    const accepted = (await Promise.all(ten.docUids.map((docUid) => statusOf(ALFA, docUid)))).filter(
      (one) => one === 40,
    );
    assert.equal(accepted.length, 3);
    // The acceptance of the third may be heard of after the refusal of the fourth.
    assert.ok((await left(ten.docUids)) <= 3 + 3);
    await assertDelivered(ten);
  });

  test('whose register finds nobody, not even the taxpayer, is sent nothing, and everything once it finds them again', async () => {
    const errorStatus = { errorCode: 'E1000', errorMessage: 'Не е пронајдено' };
    const nobody = { status: 200, body: { success: false, errorStatus } };
    workers.setMood(async (path, edb) => (edb === ALFA && path.includes('/companies/') ? nobody : null));
    // The parties are not remembered any more.
    workers.clock.advance(10 * MINUTE);
    const ten = await submitTen('REGISTER');
    await stopped();
    await assertNoneFinal(ten.docUids);
    assert.match((await stopOf(ALFA))?.reason ?? '', new RegExp(`register does not find the taxpayer ${ALFA}`, 'u'));
    const registered = await workers.registrations();
    for (const number of ten.numbers) assert.equal(registered.get(number), undefined);
    await assertDelivered(ten);
  });

  test('is tried with one document after each pause, longer each time, and the log hears of a stop once', async () => {
    workers.setMood(async (path, edb) => (edb === ALFA && isSending(path) ? refusalOf('E50051') : null));
    workers.events.length = 0;
    const ten = await submitTen('PAUSES');
    await stopped();
    let tried = await attemptsOf(ten.docUids);
    for (const pause of [5, 10, 20, 40, 60, 60]) {
      const { until: till } = (await stopOf(ALFA)) ?? assert.fail('not stopped');
      assert.ok(
        till - workers.clock.now() <= pause * MINUTE && till - workers.clock.now() > (pause - 1) * MINUTE,
        `${pause}`,
      );
      workers.clock.advance(till - workers.clock.now());
      await until('another try', async () => ((await stopOf(ALFA))?.until ?? 0) > till);
      await stopped();
      tried += 1;
      assert.equal(await attemptsOf(ten.docUids), tried);
    }
    await assertNoneFinal(ten.docUids);
    await assertDelivered(ten);
    assert.deepEqual(
      workers.events.flatMap(({ queue }) => queue ?? []),
      ['stopped', 'resumed'],
    );
  });

  test('is tried with one document when the operator sets the account anew, and stopped again for longer', async () => {
    workers.setMood(async (path, edb) => (edb === ALFA && isSending(path) ? refusalOf('E50051') : null));
    const ten = await submitTen('OPERATOR');
    await stopped();
    const tried = await attemptsOf(ten.docUids);
    await workers.operator.tenants.set(ALFA, { eujpId: 'demo-alfa' });
    await until('another try', async () => (await attemptsOf(ten.docUids)) > tried);
    await until('another stop', async () => (await stopOf(ALFA)) !== null);
    await workers.lookedAgain(3);
    const { until: till = 0 } = (await stopOf(ALFA)) ?? {};
    assert.ok(till - workers.clock.now() > 9 * MINUTE);
    await assertDelivered(ten);
  });
});
