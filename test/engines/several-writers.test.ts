import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemHasher } from '../../src/adapters/platform/platform.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { type DocUid, firstDocUidAt } from '../../src/domain/documents/doc-uid.ts';
import type { OutboundEvent, OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import { type OpenDatabase, onEveryEngine } from '../support/engines.ts';
import { assertListIsTrue } from './recount.ts';
import {
  addOutboundIn,
  MORNING,
  newEdb,
  newInbound,
  newKey,
  newOutbound,
  newSubmission,
  newTenant,
  record,
  saveIdempotencyRecord,
} from './samples.ts';

const MINUTE = 60_000;

onEveryEngine('two programs that write at once', (database) => {
  let other: Promise<OpenDatabase> | null = null;

  /** Does it so many times at once, by turns in one program and in the other. */
  async function atOnce<Result>(times: number, act: (storage: Storage, index: number) => Promise<Result>) {
    other ??= database().openAgain();
    const programs = [database().storage, (await other).storage];
    return Promise.all(Array.from({ length: times }, (_, index) => act(programs[index % 2] ?? assert.fail(), index)));
  }

  function move(storage: Storage, tenant: Edb, docUid: DocUid, from: OutboundStatus, events: readonly OutboundEvent[]) {
    return storage.transaction(async ({ outbound }) => {
      let status = from;
      for (const event of events) {
        if (!(await outbound.move(tenant, docUid, status, event, record(MORNING)))) return false;
        status = (await outbound.find(tenant, docUid))?.status ?? assert.fail();
      }
      return true;
    });
  }

  test('moves to and fro beside new documents leave sequence and counters true, and every history without a gap', async () => {
    const tenant = newEdb();
    const { storage, engine } = database();
    const docUids: DocUid[] = [];
    for (let count = 0; count < 12; count += 1) {
      const status = count % 2 === 0 ? 20 : 30;
      const { docUid } = await storage.transaction((tx) => addOutboundIn(tx, tenant, status, newOutbound(), MORNING));
      docUids.push(docUid);
    }
    await atOnce(72, async (program, index) => {
      const docUid = docUids[index % docUids.length] ?? assert.fail();
      if (index % 3 === 0) await program.transaction((tx) => tx.outbound.add(tenant, newOutbound(), MORNING));
      else if (index % 2 === 0) await move(program, tenant, docUid, 20, ['send', 'try-again', 'send']);
      else await move(program, tenant, docUid, 30, ['try-again', 'send', 'try-again']);
    });
    await assertListIsTrue(engine, tenant, 'outbound');
    for (const docUid of docUids) {
      const statuses = (await storage.outbound.history(tenant, docUid)).map(({ status }) => status);
      assert.ok(
        statuses.every((status, index) => index < 2 || status !== statuses[index - 1]),
        statuses.join(),
      );
    }
  });

  test('of several that move the same document exactly one is first', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const { docUid } = await storage.transaction((tx) => tx.outbound.add(tenant, newOutbound(), MORNING));
    const moved = await atOnce(10, (program, index) =>
      move(program, tenant, docUid, 10, [index % 3 === 0 ? 'cancel' : 'prepare']),
    );
    assert.equal(moved.filter(Boolean).length, 1);
    assert.equal((await storage.outbound.history(tenant, docUid)).length, 2);
  });

  test('of two documents of the same number, both ready to be sent, exactly one is', async () => {
    const { storage } = database();
    for (let round = 0; round < 10; round += 1) {
      const tenant = newEdb();
      const document = newOutbound();
      const rivals = await storage.transaction(async (tx) => [
        await addOutboundIn(tx, tenant, 20, document, MORNING),
        await addOutboundIn(tx, tenant, 20, document, MORNING),
      ]);
      const { kind, documentNumber } = document.facts;
      const sent = await atOnce(2, (program, index) =>
        program.transaction(async ({ outbound, deliveries }) => {
          const { docUid } = rivals[index] ?? assert.fail();
          const isAlone = (await deliveries.findDuplicate(tenant, { docUid, kind, documentNumber })) === null;
          await outbound.move(tenant, docUid, 20, isAlone ? 'send' : 'give-up', record(MORNING));
          return isAlone;
        }),
      );
      assert.equal(sent.filter(Boolean).length, 1);
    }
  });

  test('a key of a submission is taken once, and the documents of those who came late leave no trace', async () => {
    const tenant = newEdb();
    const key = { tenant, software: 'ledger', idempotencyKey: systemHasher.sha256('same') };
    const taken = await atOnce(20, (program) => program.storeSubmission(newSubmission(tenant, { key })));
    assert.equal(taken.filter((stored) => stored !== null).length, 1);
    assert.equal((await database().engine.all('select id from outbound where tenant = $1', [tenant])).length, 1);
    await assertListIsTrue(database().engine, tenant, 'outbound');
  });

  test('an arrival that comes several times at once, beside others that are acknowledged, is stored once', async () => {
    const tenant = newEdb();
    const same = newInbound();
    const added = await atOnce(30, async (program, index) => {
      const arrival = index % 2 === 0 ? same : newInbound();
      const { stored, isNew } = await program.transaction((tx) => tx.inbound.add(tenant, arrival, MORNING));
      await program.transaction((tx) => tx.inbound.acknowledge(tenant, stored.docUid, MORNING));
      return isNew;
    });
    assert.equal(added.filter(Boolean).length, 16);
    await assertListIsTrue(database().engine, tenant, 'inbound');
  });

  test('attempts at the same document are numbered without gap or repetition', async () => {
    const tenant = newEdb();
    const { docUid } = await database().storage.transaction((tx) => tx.outbound.add(tenant, newOutbound(), MORNING));
    const ordinals = await atOnce(12, (program) =>
      program.transaction((tx) => tx.deliveries.beginAttempt(tenant, docUid, 'look-up', MORNING)),
    );
    assert.deepEqual(
      ordinals.toSorted((a, b) => a - b),
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
  });

  test('claims take no more than asked, never the same twice, and leave nothing that is due', async () => {
    const tenant = newEdb();
    await database().storage.transaction(async (tx) => {
      for (let count = 0; count < 40; count += 1) await tx.outbound.add(tenant, newOutbound({ holdMs: 0 }), MORNING);
    });
    const claim = (program: Storage, token: string) =>
      program.transaction((tx) =>
        tx.deliveries.claim(tenant, 'delivery', { token, until: MORNING + MINUTE }, MORNING, 7),
      );
    const claimed = await atOnce(12, async (program, index) => {
      const documents = await claim(program, String(index));
      assert.ok(documents.length <= 7);
      return documents;
    });
    // Those that somebody was just looking at were left out; they are still there.
    for (let round = 0; round < 6; round += 1) claimed.push(await claim(database().storage, `late ${round}`));
    const docUids = claimed.flat().map(({ docUid }) => docUid);
    assert.deepEqual([docUids.length, new Set(docUids).size], [40, 40]);
  });

  test('of those who ask for a user’s turn at the same moment one has it, from the first request on', async () => {
    const user = newEdb();
    for (const now of [MORNING, MORNING + 1_000, MORNING + 2_000]) {
      const answers = await atOnce(20, (program) =>
        program.transaction((tx) => tx.pace.ask('test', user, { send: 1 }, now, 1_000)),
      );
      const turns = answers.flatMap(({ turn }) => (turn === null ? [] : [turn.at]));
      assert.deepEqual(turns, [now]);
    }
  });

  test('what is past its hour is forgotten once', async () => {
    const tenant = newEdb();
    const before = MORNING - MINUTE;
    await database().engine.transaction(async (sql) => {
      for (let count = 0; count < 60; count += 1) {
        const key = { tenant, software: 'ledger', idempotencyKey: systemHasher.sha256(String(count)) };
        const submission = { contentSha256: new Uint8Array(32), docUid: firstDocUidAt(before), receivedAt: before };
        await saveIdempotencyRecord(sql, { ...key, ...submission, expiresAt: before }, before);
      }
    });
    const forgotten = await atOnce(8, (program) =>
      program.transaction((tx) => tx.idempotency.deleteExpired(before, 10)),
    );
    forgotten.push(await database().storage.transaction((tx) => tx.idempotency.deleteExpired(before, 1_000)));
    assert.equal(
      forgotten.reduce((sum, count) => sum + count, 0),
      60,
    );
  });

  test('changes of different settings of a tenant, and of a key, are all kept', async () => {
    const { storage } = database();
    for (let round = 0; round < 10; round += 1) {
      const tenant = newTenant();
      const { keyId } = await storage.transaction(async (tx) => {
        await tx.tenants.add(tenant, MORNING);
        const key = newKey(tenant.edb);
        await tx.keys.add(key, systemHasher.sha256(`${tenant.edb} ${round}`));
        return key;
      });
      await atOnce(4, (program, index) =>
        program.transaction(async ({ tenants, keys }) => {
          const found = (await tenants.find(tenant.edb)) ?? assert.fail();
          await tenants.update({ ...found, ...[{ name: 'New' }, { eujpId: 'x' }, { outboundEnabled: false }][index] });
          const key = (await keys.find(keyId)) ?? assert.fail();
          await keys.update({
            ...key,
            ...[{ revokedAt: 1 }, { allowedAddresses: ['192.0.2.1'] }, { expiresAt: 2 }][index],
          });
        }),
      );
      const expected = { ...tenant, name: 'New', eujpId: 'x', outboundEnabled: false };
      assert.deepEqual(await storage.tenants.find(tenant.edb), expected);
      const { revokedAt, allowedAddresses, expiresAt } = (await storage.keys.find(keyId)) ?? assert.fail();
      assert.deepEqual([revokedAt, allowedAddresses, expiresAt], [1, ['192.0.2.1'], 2]);
    }
  });

  test('stops and moves in any order come to an end', async () => {
    const { storage } = database();
    const tenant = newTenant();
    await storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
    const docUids = await Promise.all(
      Array.from({ length: 16 }, () =>
        storage.transaction(async (tx) => (await addOutboundIn(tx, tenant.edb, 30, newOutbound(), MORNING)).docUid),
      ),
    );
    await atOnce(16, (program, index) =>
      program.transaction(async (tx) => {
        const docUid = docUids[index] ?? assert.fail();
        const act = [
          () => tx.tenants.stop(tenant.edb, 'why', MORNING),
          () => tx.outbound.move(tenant.edb, docUid, 30, 'try-again', record(MORNING)),
          () => tx.tenants.resume(tenant.edb, MORNING),
          () => tx.deliveries.retryNow(tenant.edb, 'CREDENTIALS', MORNING),
        ];
        for (let step = 0; step < act.length; step += 1) await act[(step + index) % act.length]?.();
      }),
    );
    await assertListIsTrue(database().engine, tenant.edb, 'outbound');
  });
});
