import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemHasher } from '../../src/adapters/platform/platform.ts';
import { rowDigest } from '../../src/adapters/sql/stores/audit/audit-row.ts';
import type { TrailBreak } from '../../src/application/audit/compare-block.ts';
import { BEFORE_FIRST, type SealContent, sealedEntriesText, sealText } from '../../src/domain/audit/audit-seal.ts';
import { toHex } from '../../src/domain/values/hex.ts';
import { createTestDatabase, onEveryEngine, type TestDatabase } from '../support/engines.ts';
import { type Trail, trailOf } from './audit-trails.ts';
import { MORNING, newAuditEntry, newEdb } from './samples.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const FORGED = '01a1e22d-0000-7000-8000-000000000001';

/** Three entries of each chain in two blocks, and one that waits. */
async function sealedTrail(database: TestDatabase): Promise<Trail> {
  const trail = trailOf(database);
  await trail.run('delete from audit');
  await trail.run('delete from audit_seal');
  await trail.run('delete from audit_adoption');
  const tenant = newEdb();
  for (const at of [1, 2, 3])
    await trail.append(newAuditEntry({ tenant, at: MORNING + at }), newAuditEntry({ at: MORNING + at }));
  await trail.sealNow();
  await trail.append(newAuditEntry({ tenant, at: MORNING + 4 }));
  assert.equal((await trail.check()).break, null);
  return trail;
}

/** An entry with the right digest, whose block is the given piece of SQL. */
function insertEntry(trail: Trail, block: string, { id = FORGED, tenant = '', at = MORNING, digest = true } = {}) {
  const values = [tenant, id, at, null, null, 'GET', '/', null, 200, null, 'x', 1, 'forged', null, 1];
  return trail.run(
    `insert into audit (tenant, id, at, method, path, http_status, address, duration_ms, request_id, digest, block)
     values ($1, $2, $3, 'GET', '/', 200, 'x', 1, 'forged', ${digest ? `'${rowDigest(values)}'` : 'null'}, ${block})`,
    [tenant, id, at],
  );
}

/** A seal with the right hash. */
function insertSeal(
  trail: Trail,
  content: Omit<SealContent, 'previous'> & { readonly previous?: string },
  trailing = '',
) {
  const whole = { previous: BEFORE_FIRST, ...content };
  const hash = toHex(systemHasher.sha256(sealText(whole)));
  const { block, chain, sealedAt, total, previous, entries } = whole;
  return trail.run(
    'insert into audit_seal (block, chain, sealed_at, total, previous, entries, hash) values ($1, $2, $3, $4, $5, $6, $7)',
    [block, chain, sealedAt, total, previous, `${sealedEntriesText(entries)}${trailing}`, hash],
  );
}

const COPY_SEAL = (block: string) =>
  `insert into audit_seal select ${block}, chain, sealed_at, total, previous, entries, hash, 0 from audit_seal where block = 1`;

async function breakOf(trail: Trail): Promise<TrailBreak> {
  const { isIntact, break: found } = await trail.check();
  assert.equal(isIntact, false, 'the forgery is seen');
  return found ?? assert.fail();
}

onEveryEngine('a forged row of the audit trail is named', (database) => {
  for (const block of [
    '-9223372036854775808',
    '9223372036854775807',
    '-9007199254740991',
    '9007199254740992',
    '0',
    '-1',
    '77',
  ]) {
    test(`an entry in block ${block}`, async () => {
      const trail = await sealedTrail(database());
      await insertEntry(trail, `cast(${block} as bigint)`);
      assert.equal((await breakOf(trail)).entry, FORGED);
    });

    test(`a seal of block ${block}`, async () => {
      const trail = await sealedTrail(database());
      await trail.run(COPY_SEAL(`cast(${block} as bigint)`));
      assert.match((await breakOf(trail)).kind, /^seal-/u);
    });
  }

  test('sealing goes on beside a seal with the highest number there is', async () => {
    const trail = await sealedTrail(database());
    await trail.run(COPY_SEAL('9223372036854775807'));
    await trail.sealNow();
    await trail.run('delete from audit_seal where block > 1000');
    assert.deepEqual([(await trail.check()).break, (await trail.check()).waiting], [null, 0]);
  });

  test('an entry that waits without any identifier', async () => {
    const trail = await sealedTrail(database());
    await insertEntry(trail, 'null', { id: '', digest: false });
    assert.deepEqual([(await breakOf(trail)).kind, (await breakOf(trail)).entry], ['inserted', '']);
  });

  test('a second entry with the identifier of a sealed one', async () => {
    const trail = await sealedTrail(database());
    const { id } =
      (await trail.get<{ id: string }>('select min(id) as id from audit where block = 1')) ?? assert.fail();
    await insertEntry(trail, '1', { id, tenant: 'other' });
    assert.equal((await breakOf(trail)).entry, id);
  });

  test('a seal of a chain that does not exist, whose hash is right', async () => {
    const trail = await sealedTrail(database());
    await insertSeal(trail, { chain: 'third' as 'recognised', block: 3, sealedAt: MORNING, total: 0, entries: [] });
    assert.equal((await breakOf(trail)).kind, 'seal-inserted');
  });

  test('a seal with a number before the first, whose hash is right', async () => {
    const trail = await sealedTrail(database());
    await trail.run("delete from audit where tenant = '' and block is not null");
    await trail.run("delete from audit_seal where chain = 'unrecognised'");
    assert.equal((await trail.check()).break, null, 'the last block was cut off');
    await insertSeal(trail, { chain: 'unrecognised', block: -3, sealedAt: MORNING, total: 0, entries: [] });
    assert.deepEqual([(await breakOf(trail)).kind, (await breakOf(trail)).block], ['seal-inserted', -3]);
  });

  test('a seal that names an entry of the other chain, which is kept for another time', async () => {
    const trail = await sealedTrail(database());
    const values = ['', FORGED, MORNING, null, null, 'GET', '/', null, 200, null, 'x', 1, 'forged', null, 1];
    await insertEntry(trail, '3');
    const last = await trail.get<{ hash: string; total: number }>(
      'select hash, total from audit_seal where block = 1',
      [],
    );
    const entries = [{ id: FORGED, digest: rowDigest(values) }];
    const { hash: previous, total } = last ?? assert.fail();
    await insertSeal(trail, { chain: 'recognised', block: 3, sealedAt: MORNING, total: total + 1, previous, entries });
    assert.deepEqual([(await breakOf(trail)).entry, (await breakOf(trail)).kind], [FORGED, 'seal-changed']);
  });

  test('words behind the last entry of a seal', async () => {
    const trail = await sealedTrail(database());
    await trail.run("update audit_seal set entries = entries || 'more' where block = 1");
    assert.deepEqual([(await breakOf(trail)).kind, (await breakOf(trail)).block], ['seal-changed', 1]);
  });

  test('a mark of expiry that retention does not make', async () => {
    const trail = await sealedTrail(database());
    await trail.run('update audit_seal set expired = 2 where block = 1');
    assert.equal((await breakOf(trail)).block, 1);
  });

  test('an adoption that was turned on later, and entries without a digest beside one', async () => {
    const trail = await sealedTrail(database());
    trail.clock.advance(5 * DAY_MS);
    await insertEntry(trail, 'null', { at: trail.clock.now(), digest: false });
    assert.equal((await breakOf(trail)).kind, 'inserted');
    await trail.run('insert into audit_adoption (id, until_at) values (1, 9223372036854775807)');
    assert.equal((await breakOf(trail)).kind, 'adoption-changed');
    await trail.run('update audit_adoption set until_at = $1', [MORNING + HOUR_MS]);
    assert.deepEqual([(await breakOf(trail)).kind, (await breakOf(trail)).entry], ['inserted', FORGED]);
    await trail.sealNow();
    assert.equal((await breakOf(trail)).entry, FORGED, 'it was not sealed as found');
    await trail.run('delete from audit where id = $1', [FORGED]);
    await trail.run('insert into audit_adoption (id, until_at) values (1, $1), (2, $1)', [MORNING + HOUR_MS]);
    assert.equal((await breakOf(trail)).kind, 'adoption-changed');
  });

  test('an entry that is dated back breaks no seal, and is said to be late', async () => {
    const trail = await sealedTrail(database());
    await insertEntry(trail, 'null', { at: MORNING - DAY_MS });
    assert.deepEqual((await trail.check()).late, { entries: 1, first: FORGED });
    await trail.sealNow();
    const { isIntact, late } = await trail.check();
    assert.deepEqual([isIntact, late], [true, { entries: 1, first: FORGED }]);
  });
});

describe('values of every type, which SQLite takes in any column', () => {
  const entryBlocks = ["'x'", "x'00ff'", '1e300', '1.5'];
  for (const block of entryBlocks) {
    test(`an entry in block ${block} is named`, async (t) => {
      const database = await createTestDatabase();
      t.after(() => database.close());
      const trail = await sealedTrail(database);
      await insertEntry(trail, block);
      assert.equal((await breakOf(trail)).entry, FORGED);
    });
  }

  for (const block of [...entryBlocks, 'null']) {
    test(`a seal of block ${block} is named`, async (t) => {
      const database = await createTestDatabase();
      t.after(() => database.close());
      const trail = await sealedTrail(database);
      await trail.run(COPY_SEAL(block));
      assert.match((await breakOf(trail)).kind, /^seal-/u);
      await trail.sealNow();
      assert.equal((await trail.get<{ n: number }>('select count(*) as n from audit where block > 1000'))?.n, 0);
    });
  }

  const damages = [
    'update audit set at = 9223372036854775807 where block = 1',
    'update audit set http_status = -9223372036854775808 where block = 1',
    "update audit set calls = x'00' where block = 1",
    'update audit set path = cast(path as blob) where block = 1',
    'update audit set at = 9223372036854775807 where block is null',
    "update audit set digest = x'00' where block is null",
    'update audit_seal set total = 9223372036854775807 where block = 1',
    'update audit_seal set sealed_at = 9223372036854775807 where block = 1',
    'update audit_seal set expired = 9223372036854775807 where block = 1',
    "update audit_seal set entries = x'00' where block = 1",
    "update audit_seal set chain = x'00' where block = 1",
  ];
  for (const damage of damages) {
    test(`${damage}: a break, not a failure of the command`, async (t) => {
      const database = await createTestDatabase();
      t.after(() => database.close());
      const trail = await sealedTrail(database);
      await trail.run(damage);
      await breakOf(trail);
    });
  }

  test('an adoption until no time at all', async (t) => {
    const database = await createTestDatabase();
    t.after(() => database.close());
    const trail = await sealedTrail(database);
    await trail.run("insert into audit_adoption (id, until_at) values (1, 'x')");
    assert.equal((await breakOf(trail)).kind, 'adoption-changed');
  });
});
