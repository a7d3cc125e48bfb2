import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ThreadedReader } from '../../src/adapters/ubl/document-reader.ts';
import type { Foundation } from '../../src/app/foundation.ts';
import type { Ops } from '../../src/app/ops.ts';
import { startService } from '../../src/app/service.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { freshDatabase } from '../support/fresh-database.ts';
import { until } from '../support/process.ts';
import { startSecondWorker } from './second-worker.ts';
import { type Delivering, SECOND, startDelivering, type Taxpayer } from './support.ts';

/** The same service as another process would be it, with a sealing key that opens nothing. */
function withWrongKey(foundation: Foundation): Foundation {
  const credentialsKeys = [randomBytes(32).toString('base64')];
  return { ...foundation, config: { ...foundation.config, credentialsKeys } };
}

/** Writes down everything that is claimed through it. */
function watchedClaims(storage: Storage, claimed: string[]): Storage {
  const watched = (tx: Storage): Storage => ({
    ...tx,
    deliveries: { ...tx.deliveries, claim: (...given) => noted('document', tx.deliveries.claim(...given)) },
    voids: { ...tx.voids, claim: (...given) => noted('void', tx.voids.claim(...given)) },
    recurringTasks: { ...tx.recurringTasks, claim: (...given) => noted('task', tx.recurringTasks.claim(...given)) },
  });
  async function noted<Row>(what: string, claim: Promise<readonly Row[]>): Promise<readonly Row[]> {
    const rows = await claim;
    for (const _ of rows) claimed.push(what);
    return rows;
  }
  return { ...storage, transaction: (work) => storage.transaction((tx) => work(watched(tx))) };
}

/** A worker with the wrong key, which looks for work all the time; it never comes to reading a document. */
async function startWrongWorker(wrong: Foundation) {
  const claimed: string[] = [];
  const foundation = { ...wrong, storage: watchedClaims(wrong.storage, claimed) };
  const { connection, stop } = await startSecondWorker(foundation, {} as ThreadedReader);
  return { claimed, unopened: connection.keyWatch.unopened, stop };
}

describe('a sealed key that does not open', () => {
  let delivering: Delivering;
  before(async () => {
    delivering = await startDelivering(await freshDatabase());
  });
  after(() => delivering.service.stop());

  const stopOf = async ({ edb }: Taxpayer) => (await delivering.service.operator.tenants.find(edb)).stopped;

  test('in any process keeps it from starting, by the name of the variable and of the taxpayers', async () => {
    const { foundation } = delivering.service;
    const { config } = foundation;
    const wrong = withWrongKey({ ...foundation, config: { ...config, port: 0, opsPort: 0 } });
    const { alfa } = delivering;
    await assert.rejects(startService(wrong, {} as ThreadedReader, {} as Ops), (error: Error) => {
      assert.equal(error.name, 'OperatorError');
      assert.match(error.message, /^CREDENTIALS_KEY does not open the private keys of \d+ of \d+ taxpayers: /u);
      assert.match(error.message, new RegExp(alfa.edb, 'u'));
      return true;
    });
  });

  test('in one worker: it claims nothing, nobody is stopped, and others deliver in one attempt each', async (t) => {
    const { service, reach, alfa } = delivering;
    const taxpayers = [alfa, await delivering.join('ЗЕТА ДОО Скопје'), await delivering.join('ЕТА ДОО Скопје')];
    const wrong = await startWrongWorker(withWrongKey(service.foundation));
    t.after(wrong.stop);
    assert.ok(wrong.unopened().length >= taxpayers.length);
    for (const taxpayer of taxpayers) {
      const docUids = [await taxpayer.send('RIGHT-1'), await taxpayer.send('RIGHT-2'), await taxpayer.send('RIGHT-3')];
      for (const docUid of docUids) {
        await reach(taxpayer, docUid, 40);
        assert.equal(await taxpayer.steps(docUid), '10 20 30 40');
        assert.deepEqual(
          (await taxpayer.story(docUid)).attempts.map(({ act, outcome }) => [act, outcome]),
          [['send', 'registered']],
        );
      }
      assert.equal(await stopOf(taxpayer), null);
    }
    const voided = await alfa.send('RIGHT-VOIDED');
    await reach(alfa, voided, 40);
    const { voids } = service.operator;
    await voids.request(alfa.edb, voided, 'S-1', null);
    await until('the void', async () => (await voids.find(alfa.edb, voided))?.state === 'registered');
    assert.equal((await voids.find(alfa.edb, voided))?.failures, 0);
    assert.deepEqual(wrong.claimed, []);
  });

  test('because its row is damaged: the documents wait, nobody is stopped, and they go on when it is mended', async () => {
    const { clock, service, reach } = delivering;
    const { engine: sql } = service.foundation;
    const theta = await delivering.join('ТЕТА ДОО Скопје');
    const row = (await service.foundation.storage.credentials.find(theta.edb)) ?? assert.fail();
    // A key that was opened before is used for as long as the row seems to be the same.
    const save = async (bytes: Uint8Array) => {
      const change = 'update credential set sealed_key = $2, changed_at = changed_at + 1 where tenant = $1';
      await sql.transaction((tx) => tx.run(change, [theta.edb, bytes]));
      clock.advance(2 * SECOND);
    };
    const damaged = Uint8Array.from(row.sealedKey);
    damaged[40] = (damaged[40] ?? 0) ^ 1;
    await save(damaged);
    const docUid = await theta.send('WAITS');
    await until('the metric', async () => {
      const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
      return /^dostava_keys_unopened 1$/mu.test(text);
    });
    const { alfa } = delivering;
    await reach(alfa, await alfa.send('BESIDE'), 40);
    assert.equal(await theta.steps(docUid), '10');
    assert.equal(await stopOf(theta), null);
    await save(row.sealedKey);
    clock.advance(6 * SECOND);
    await reach(theta, docUid, 40);
    assert.equal(await theta.steps(docUid), '10 20 30 40');
  });
});
