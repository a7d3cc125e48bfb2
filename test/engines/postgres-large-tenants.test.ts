import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Engine, Sql } from '../../src/adapters/sql/engine.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { archiveStore } from '../../src/adapters/sql/stores/archive-store.ts';
import { contentSweep } from '../../src/adapters/sql/stores/content-sweep.ts';
import { storedBytes } from '../../src/adapters/sql/stores/recovery/stored-bytes.ts';
import { searchInbound } from '../../src/adapters/sql/stores/search/inbound-search.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import type { ArchivedPlace } from '../../src/application/ports/recovery/stored-bytes.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { postgresServer } from '../support/postgres.ts';
import { knowSizes, readingAtMost } from './rows-read.ts';
import { addOutboundIn, fileOf, MORNING, newInbound, newOutbound, newTenant } from './samples.ts';

const DOCUMENTS = 6_000;
const FILES = 110_000;
/** Far fewer than there are of either; of files, what is counted at once. */
const MOST_DOCUMENTS = 3_000;
const MOST_FILES = 101_000;
const DAY = 86_400_000;
const YEAR_LATER = MORNING + 365 * DAY;

/** Copies of a document that come before it. */
const COPIES = `insert into outbound
  select (jsonb_populate_record(outbound, jsonb_build_object('id', copy, 'doc_uid', copy, 'archived_at', cast($2 as bigint)))).*
  from outbound cross join (
    select '01800000-0000-7000-8000-' || lpad(to_hex(number), 12, '0') as copy from generate_series(1, ${DOCUMENTS}) as number
  ) as copies where tenant = $1`;
const MORE_FILES = `insert into content (tenant, sha256, bytes)
  select $1, sha256(convert_to(cast(number as text), 'UTF8')), '\\x00' from generate_series(1, ${FILES}) as number`;

const MORE_INBOUND = `insert into inbound
  select (jsonb_populate_record(inbound, jsonb_build_object('id', copy, 'doc_uid', copy, 'same_as', copy))).*
  from inbound cross join (
    select '01900000-0000-7000-8000-' || lpad(to_hex(number), 12, '0') as copy from generate_series(1, ${DOCUMENTS}) as number
  ) as copies where tenant = $1 and id = $2`;

suite('of a taxpayer with very many documents no statement looks through all', () => {
  let engine: Engine;
  let archived: Edb;
  let living: Edb;
  let last: DocUid;
  const file = fileOf('<Invoice>of all of them</Invoice>');

  async function fill(archivedAt: number | null): Promise<{ readonly edb: Edb; readonly docUid: DocUid }> {
    const tenant = newTenant();
    const storage = createStorage(engine, systemRandom);
    const docUid = await storage.transaction(async (tx) => {
      await tx.tenants.add(tenant, MORNING);
      return (await addOutboundIn(tx, tenant.edb, 40, newOutbound({ pdf: file }), MORNING)).docUid;
    });
    await engine.transaction(async (sql) => {
      await sql.run('set local session_replication_role = replica', []);
      await sql.run(COPIES, [tenant.edb, archivedAt]);
    });
    return { edb: tenant.edb, docUid };
  }

  before(async () => {
    engine = openPostgres(await (await postgresServer()).createMigratedDatabase(), systemPlatform, {
      connectMs: 60_000,
      statementMs: 600_000,
    });
    const { edb, docUid } = await fill(MORNING);
    archived = edb;
    last = docUid;
    living = (await fill(null)).edb;
    await knowSizes(engine);
  });
  after(() => engine.close());

  const bounded = <Result>(work: (sql: Sql) => Promise<Result>, mostRows = MOST_DOCUMENTS) =>
    readingAtMost(engine, mostRows, work);

  test('for the archive: what is to be archived is counted and found behind what is archived already', async () => {
    const count = (tenant: Edb, before: number) => (sql: Sql) => archiveStore(sql).count(tenant, 'outbound', before);
    assert.equal(await bounded(count(archived, YEAR_LATER)), 1);
    assert.equal(await bounded(count(living, YEAR_LATER)), DOCUMENTS + 1);
    const list = (tenant: Edb, before: number) => (sql: Sql) =>
      archiveStore(sql).listArchivable(tenant, 'outbound', before, null, 100);
    const found = await bounded(list(archived, YEAR_LATER));
    assert.deepEqual(
      found.map(({ id }) => id),
      [last],
    );
    assert.deepEqual(await bounded(list(living, MORNING - DAY)), []);
    assert.equal((await bounded(list(living, YEAR_LATER))).length, 100);
  });

  test('for the archive: an archived one is looked for from either end', async () => {
    const find = (tenant: Edb, end: 'first' | 'last') => (sql: Sql) =>
      archiveStore(sql).archivedFileOf(tenant, 'outbound', end);
    const [first, newest] = [await bounded(find(archived, 'first')), await bounded(find(archived, 'last'))];
    assert.ok(first !== null && newest !== null && first.id < newest.id && newest.id < last);
    assert.equal(await bounded(find(living, 'first')), null);
    assert.equal(await bounded(find(living, 'last')), null);
  });

  test('for the sweep of files that the archive has', async () => {
    const nextTurn = systemTimers.nextTurn;
    const onRemoved = (files: number) => assert.equal(files, 0, 'the last document needs them');
    const sweep = (tenant: Edb) => (sql: Sql) =>
      contentSweep(
        { ...engine, ...sql, transaction: (work) => work(sql), script: async () => undefined },
        nextTurn,
      ).sweep(tenant, async () => true, onRemoved);
    await bounded(sweep(living));
    await bounded(sweep(archived));
  });

  test('for a check: what has left the database, and whose a file is', async () => {
    await bounded(async (sql) => {
      const bytes = storedBytes(sql);
      let place: ArchivedPlace | null = null;
      do place = (await bytes.archivedFiles('outbound', place)).last;
      while (place !== null);
    });
    const sha256 = Buffer.from(file.sha256).toString('hex');
    const documentsOf = (tenant: Edb) => (sql: Sql) => storedBytes(sql).documentsOf(tenant, sha256, 11);
    assert.deepEqual(await bounded(documentsOf(archived)), [last]);
    assert.equal((await bounded(documentsOf(living))).length, 11);
  });

  test('for a list of what was not imported, of all taxpayers', async () => {
    const storage = createStorage(engine, systemRandom);
    const [imported, waiting] = await storage.transaction(async (tx) => {
      const one = await tx.inbound.add(living, newInbound(), MORNING);
      await tx.inbound.acknowledge(living, one.stored.docUid, MORNING);
      return [one.stored.docUid, (await tx.inbound.add(archived, newInbound(), MORNING)).stored.docUid];
    });
    await engine.transaction(async (sql) => {
      await sql.run('set local session_replication_role = replica', []);
      await sql.run(MORE_INBOUND, [living, imported]);
    });
    await knowSizes(engine);
    const search = { tenant: null, mark: null, since: null, until: null, olderThan: null };
    for (const partner of [null, newInbound().senderEdb]) {
      const found = await bounded((sql) => searchInbound(sql, { ...search, partner, onlyNotImported: true }, 51));
      assert.deepEqual(
        found.map(({ docUid }) => docUid),
        [waiting],
      );
    }
  });

  test('for a check: how many files there are', async () => {
    await engine.transaction((sql) => sql.run(MORE_FILES, [living]));
    await knowSizes(engine);
    const { files } = await bounded((sql) => storedBytes(sql).count(), MOST_FILES);
    // And those of the documents that were added one by one: a file in common is of each taxpayer.
    assert.equal(files, FILES + 6);
  });
});
