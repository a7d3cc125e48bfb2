import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemHasher } from '../../src/adapters/platform/platform.ts';
import type { ChainHead } from '../../src/application/audit/seal-audit-trail.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { type AuditChain, BEFORE_FIRST, sealText } from '../../src/domain/audit/audit-seal.ts';
import { inEnglish } from '../../src/domain/messages/render.ts';
import { toHex } from '../../src/domain/values/hex.ts';
import { onEveryEngine } from '../support/engines.ts';
import { RETENTION, type Trail, trailOf } from './audit-trails.ts';
import { MORNING, newAuditEntry, newEdb } from './samples.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Removes whatever other tests have left; block numbers begin at 1 again. */
async function clear(trail: Trail): Promise<void> {
  await trail.run('delete from audit');
  await trail.run('delete from audit_seal');
}

/** So many blocks of each chain, recognised calls with odd numbers, a minute apart; returns the exported seals of each minute. */
async function sealedBlocks(trail: Trail, minutes: number): Promise<readonly (readonly ChainHead[])[]> {
  const exported: (readonly ChainHead[])[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    await trail.append(newAuditEntry({ tenant: newEdb() }), newAuditEntry({}));
    exported.push(await trail.sealNow());
    trail.clock.advance(MINUTE_MS);
  }
  return exported;
}

/** By hand, what retention does to the blocks of a chain up to the given one. */
async function expireByHand(trail: Trail, chain: AuditChain, block: number): Promise<void> {
  const tenant = chain === 'recognised' ? '<>' : '=';
  await trail.run(`delete from audit where tenant ${tenant} '' and block <= $1`, [block]);
  await trail.run('update audit_seal set expired = 1 where block = $1', [block]);
  await trail.run('delete from audit_seal where chain = $1 and block < $2', [chain, block]);
}

/** Writes a first block of a chain with the given number over whatever is not sealed. */
async function beginAnew(storage: Storage, chain: AuditChain, block: number, sealedAt: number): Promise<void> {
  await storage.transaction(async ({ auditSeals }) => {
    const entries = await auditSeals.assign(chain, block, 1_000);
    const content = { chain, block, sealedAt, total: entries.length, previous: BEFORE_FIRST, entries };
    await auditSeals.add({ ...content, hash: toHex(systemHasher.sha256(sealText(content))), isExpired: false });
  });
}

onEveryEngine('an audit trail that is cut at its beginning', (database) => {
  test('blocks marked as expired before their time are named, with and without an exported seal', async () => {
    const trail = trailOf(database());
    await clear(trail);
    const exported = await sealedBlocks(trail, 4);
    assert.equal((await trail.check(exported[1])).break, null);
    await expireByHand(trail, 'recognised', 5);
    for (const seals of [[], exported[0], exported[2], exported[3]]) {
      const found = (await trail.check(seals)).break ?? assert.fail();
      assert.deepEqual([found.kind, found.block], ['expired-early', 5]);
      assert.match(inEnglish(found.said), /expired, .* kept for 3650 days/u);
    }
  });

  test('how long entries are kept is judged by the configuration of today: lowering it later is no break', async () => {
    const trail = trailOf(database());
    await clear(trail);
    const exported = await sealedBlocks(trail, 4);
    trail.clock.set(MORNING + 40 * DAY_MS);
    assert.equal(await trail.expire(), 4, 'unrecognised calls');
    for (const seals of exported) assert.equal((await trail.check(seals)).break, null);
    const raised = { ...RETENTION, unrecognised: 50 };
    assert.deepEqual((await trail.check([], raised)).break?.kind, 'expired-early', 'raised after they had expired');
    trail.clock.advance(20 * DAY_MS);
    assert.equal((await trail.check([], raised)).break, null);
    await expireByHand(trail, 'recognised', 5);
    assert.equal((await trail.check(exported[0], { ...RETENTION, recognised: 30 })).break, null, 'lowered');
  });

  test('an expired seal does not cover for an exported one that is not old enough', async () => {
    const { storage, ...opened } = database();
    const trail = trailOf({ storage, ...opened });
    await clear(trail);
    const exported = await sealedBlocks(trail, 4);
    await clear(trail);
    await trail.append(newAuditEntry({ tenant: newEdb() }));
    await beginAnew(storage, 'recognised', 6, MORNING - 4_000 * DAY_MS);
    await expireByHand(trail, 'recognised', 6);
    assert.equal((await trail.check()).break, null, 'nothing inside the database tells');
    for (const seals of exported.slice(0, 2)) {
      const found = (await trail.check(seals.slice(0, 1))).break ?? assert.fail();
      assert.deepEqual([found.kind, found.block], ['seal-removed', seals[0]?.block]);
    }
  });

  test('a chain that is written anew behind an exported seal is not taken for one that has expired', async () => {
    const { storage, ...opened } = database();
    const trail = trailOf({ storage, ...opened });
    await clear(trail);
    const exported = await sealedBlocks(trail, 3);
    await clear(trail);
    await trail.append(newAuditEntry({ tenant: newEdb() }), newAuditEntry({}));
    await beginAnew(storage, 'recognised', 6, trail.clock.now());
    assert.equal((await trail.check()).break?.block, 5, 'blocks before it are missing');
    await beginAnew(storage, 'unrecognised', 7, trail.clock.now());
    trail.clock.advance(4_000 * DAY_MS);
    await expireByHand(trail, 'unrecognised', 7);
    assert.equal((await trail.check()).break, null, 'they may have been of the chain that has expired');
    const found = (await trail.check(exported[1]?.slice(0, 1))).break ?? assert.fail();
    assert.deepEqual([found.kind, found.block], ['seal-removed', 3]);
  });

  test('blocks are numbered without gaps: a chain that is missing as a whole is noticed', async () => {
    const trail = trailOf(database());
    await clear(trail);
    await sealedBlocks(trail, 3);
    assert.equal((await trail.check()).break, null);
    await trail.run("delete from audit where tenant <> ''");
    await trail.run("delete from audit_seal where chain = 'recognised'");
    const found = (await trail.check()).break ?? assert.fail();
    assert.deepEqual([found.kind, found.block], ['seal-removed', 5]);
  });
});
