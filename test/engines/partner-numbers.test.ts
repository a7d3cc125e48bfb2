import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readListPage } from '../../src/adapters/sql/list-index/list-page.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { searchDocuments } from '../../src/application/search/search-documents.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { logStatements } from '../adapters/sql/stores/statement-log.ts';
import { projectFile } from '../consistency/source-files.ts';
import { onEveryEngine } from '../support/engines.ts';
import { MORNING, newEdb, newInbound, newOutbound, newTenant } from './samples.ts';

const PARTNER = '4080026000023';
const FIRST_PAGE = { page: 1, pageSize: 10 };
const ALWAYS = { from: null, to: null };
const MIGRATION = 'src/adapters/sql/migrations/0008-partner-numbers.sql';

async function submitTo(storage: Storage, tenant: Edb, number: string, country: string): Promise<string> {
  const { facts, ...document } = newOutbound({ partnerEdb: number });
  const recipient = { name: 'Partner', taxNumber: number, country };
  const stored = await storage.transaction((tx) =>
    tx.outbound.add(tenant, { ...document, facts: { ...facts, recipient } }, MORNING),
  );
  return stored.docUid;
}

async function sentTo(storage: Storage, tenant: Edb, partnerEdb: string): Promise<readonly string[]> {
  const filter = { created: ALWAYS, statuses: null, partnerEdb };
  return (await storage.outbound.list(tenant, filter, FIRST_PAGE)).items.map(({ docUid }) => docUid);
}

onEveryEngine('the documents of a partner abroad', (database) => {
  test('are found by its number however it is written, and never those of another', async () => {
    const { storage } = database();
    const tenant = newEdb();
    const german = await submitTo(storage, tenant, 'DE 123 456 789', 'DE');
    const french = await submitTo(storage, tenant, 'FR123456788', 'FR');
    for (const asked of [
      'DE 123 456 789',
      'DE123456789',
      '123456789',
      'de 123456789',
      ' 123 456 789 ',
      'd e123456789',
    ]) {
      assert.deepEqual(await sentTo(storage, tenant, asked), [german], asked);
    }
    for (const asked of ['FR123456789', 'AT123456789', '12345678', 'E123456789', 'DE']) {
      assert.deepEqual(await sentTo(storage, tenant, asked), [], asked);
    }
    assert.deepEqual(await sentTo(storage, tenant, '123456788'), [french]);
    assert.deepEqual(await sentTo(storage, newEdb(), 'DE123456789'), [], 'of another tenant');
  });

  test('are not confused with those of a taxpayer whose EDB has the same digits', async () => {
    const { storage } = database();
    const tenant = newEdb();
    const abroad = await submitTo(storage, tenant, '4080 0260 00023', 'RS');
    assert.deepEqual(await sentTo(storage, tenant, '4080026000023'), [abroad]);
    const home = await submitTo(storage, tenant, '4080026000023', 'MK');
    for (const asked of ['4080026000023', 'MK4080026000023', 'МК 40800260 00023']) {
      assert.deepEqual(await sentTo(storage, tenant, asked), [home], asked);
    }
    for (const asked of ['4080 0260 00023', 'RS4080026000023']) {
      assert.deepEqual(await sentTo(storage, tenant, asked), [abroad], asked);
    }
  });

  test('whose country is written in Cyrillic letters are found by its prefix, too', async () => {
    const { storage } = database();
    const tenant = newEdb();
    const bosnian = await submitTo(storage, tenant, '200123456', 'ВА');
    for (const asked of ['200123456', 'BA200123456']) assert.deepEqual(await sentTo(storage, tenant, asked), [bosnian]);
  });

  test('are those of a taxpayer whose EDB the version before took for a number abroad', async () => {
    const { storage, engine } = database();
    const tenant = newEdb();
    const shown = 'МК 4080026000023';
    const before = await submitTo(storage, tenant, shown, 'Македонија');
    const asks = ['4080026000023', 'MK4080026000023', 'МК4080026000023', shown];
    for (const asked of asks) assert.deepEqual(await sentTo(storage, tenant, asked), [before], asked);
    const now = await submitTo(storage, tenant, '4080026000023', 'МК');
    for (const asked of asks) assert.deepEqual(await sentTo(storage, tenant, asked), [now, before], asked);
    const rows = await engine.all<{ scope: string }>('select scope from partner_number where tenant = $1', [tenant]);
    assert.deepEqual(
      rows.map(({ scope }) => scope),
      [shown],
    );
  });

  test('are those of the taxpayer whose EDB they show with its prefix, and hide no other of it', async () => {
    const { storage } = database();
    const tenant = newEdb();
    const home = await submitTo(storage, tenant, '4080026000023', 'MK');
    const slip = await submitTo(storage, tenant, 'MK 4080026000023', 'RS');
    const mixed = await submitTo(storage, tenant, 'M\u041a4080026000023', 'RS');
    for (const asked of [
      '4080026000023',
      'MK4080026000023',
      'MK 4080026000023',
      'мк4080026000023',
      '\u041cK4080026000023',
    ]) {
      assert.deepEqual(await sentTo(storage, tenant, asked), [mixed, slip, home], asked);
    }
  });

  test('are found by its number where the version before did not read a prefix of both scripts', async () => {
    const { storage, engine } = database();
    const tenant = newEdb();
    const shown = 'M\u041a4080026000023';
    const before = await submitTo(storage, tenant, shown, 'RS');
    await engine.transaction((sql) =>
      sql.run('update partner_number set number = $2 where tenant = $1 and number in ($2, $3)', [
        ...[tenant, shown],
        'MK4080026000023',
      ]),
    );
    for (const asked of [shown, 'MK4080026000023', '4080026000023', '\u041cK 4080026000023']) {
      assert.deepEqual(await sentTo(storage, tenant, asked), [before], asked);
    }
  });

  test('whose number has 13 digits are found by it, however it is written', async () => {
    const { storage } = database();
    const tenant = newEdb();
    const bosnian: string[] = [];
    for (const number of ['4200123456789', '4200 1234 56789', 'BA4200123456789']) {
      bosnian.unshift(await submitTo(storage, tenant, number, 'BA'));
    }
    for (const asked of ['4200123456789', '4200 1234 56789', 'BA4200123456789', 'ba 4200123456789']) {
      assert.deepEqual(await sentTo(storage, tenant, asked), bosnian, asked);
    }
  });

  test('that two countries show alike are found together, with the prefix of one, too', async () => {
    const { storage } = database();
    const tenant = newEdb();
    const both = [await submitTo(storage, tenant, '555', 'DE'), await submitTo(storage, tenant, '555', 'FR')];
    for (const asked of ['555', 'DE555', 'fr 555']) {
      assert.deepEqual((await sentTo(storage, tenant, asked)).toSorted(), both, asked);
    }
    assert.deepEqual(await sentTo(storage, tenant, 'AT555'), []);
  });

  test('are found without its prefix also where one of another country shows the bare number', async () => {
    const { storage } = database();
    const tenant = newEdb();
    const bare = await submitTo(storage, tenant, '123456789', 'DE');
    const french = await submitTo(storage, tenant, 'FR 123456789', 'FR');
    assert.deepEqual(await sentTo(storage, tenant, '123456789'), [french, bare]);
    assert.deepEqual(await sentTo(storage, tenant, 'FR123456789'), [french]);
    assert.deepEqual(await sentTo(storage, tenant, 'DE123456789'), [bare]);
  });

  test('are found in any case, also where documents name the country now as GR and now as EL', async () => {
    const { storage } = database();
    const tenant = newEdb();
    const greek = [
      await submitTo(storage, tenant, 'EL123456789', 'GR'),
      await submitTo(storage, tenant, 'EL123456789', 'EL'),
      await submitTo(storage, tenant, 'GR123456789', 'GR'),
    ];
    for (const asked of ['EL123456789', 'el123456789', 'EL 123 456 789', 'gr123456789', '123456789']) {
      assert.deepEqual((await sentTo(storage, tenant, asked)).toSorted(), greek, asked);
    }
  });

  test('are read from one list, page by page, whatever spelling is asked for', async () => {
    const { storage, engine } = database();
    const tenant = newEdb();
    const all: string[] = [];
    for (let count = 0; count < 12; count += 1) all.unshift(await submitTo(storage, tenant, 'DE 123 456 789', 'DE'));
    const { engine: logged, take } = logStatements(engine);
    const [offset, limit] = [8, 2];
    const query = { tenant, list: 'outbound', states: null, from: null, to: null } as const;
    for (const partner of ['DE 123 456 789', 'de123456789', '123456789']) {
      const page = await logged.snapshot((sql) => readListPage(sql, { ...query, partner }, offset, limit));
      assert.deepEqual([page.docUids, page.totalCount], [all.slice(offset, offset + limit), 12], partner);
      for (const { text, rows } of take()) assert.ok(rows <= limit, `${rows} rows for ${partner}: ${text}`);
    }
    const unknown = await logged.snapshot((sql) => readListPage(sql, { ...query, partner: 'DE 1' }, 0, limit));
    assert.deepEqual(unknown, { docUids: [], totalCount: 0 });
  });

  test('of which some show the number in another way are merged', async () => {
    const { storage } = database();
    const tenant = newEdb();
    const shown = ['DE 123 456 789', '123456789', 'DE123456789', '123456789'];
    const all: string[] = [];
    for (const number of shown) all.unshift(await submitTo(storage, tenant, number, 'DE'));
    for (const asked of [...shown, 'de 123456789']) assert.deepEqual(await sentTo(storage, tenant, asked), all, asked);
  });

  test('of which few show the number in another way cost no more rows on a page far back, or past the end', async () => {
    const { storage, engine } = database();
    const tenant = newEdb();
    const all: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      const isSlip = [3, 11].includes(count);
      all.unshift(await submitTo(storage, tenant, isSlip ? `MK${PARTNER}` : PARTNER, isSlip ? 'RS' : 'MK'));
    }
    const { engine: logged, take } = logStatements(engine);
    const [limit, slips] = [2, 2];
    const query = { tenant, list: 'outbound', states: null, from: null, to: null, partner: PARTNER } as const;
    for (let offset = 0; offset <= all.length + limit; offset += 1) {
      const page = await logged.snapshot((sql) => readListPage(sql, query, offset, limit));
      assert.deepEqual(page, { docUids: all.slice(offset, offset + limit), totalCount: all.length }, `${offset}`);
      for (const { text, rows } of take()) assert.ok(rows <= limit + slips, `${rows} rows at ${offset}: ${text}`);
    }
  });

  test('received from it are found alike', async () => {
    const { storage } = database();
    const tenant = newEdb();
    const sender = { senderEdb: 'DE 123 456 789', senderCountry: 'DE' };
    await storage.transaction((tx) => tx.inbound.add(tenant, newInbound(sender), MORNING));
    for (const senderEdb of ['de123456789', '123456789']) {
      const filter = { received: ALWAYS, senderEdb, onlyNotImported: true };
      assert.equal((await storage.inbound.list(tenant, filter, FIRST_PAGE)).totalCount, 1, senderEdb);
    }
  });

  test('from before this version are found by what their number shows', async () => {
    const { storage, engine } = database();
    const tenant = newEdb();
    const german = await submitTo(storage, tenant, 'DE 123 456 789', 'DE');
    const bare = await submitTo(storage, tenant, '77 88', 'FR');
    const home = await submitTo(storage, tenant, '4080026000023', 'MK');
    const [, filling = assert.fail()] = /(insert into partner_number[\s\S]*)$/u.exec(projectFile(MIGRATION)) ?? [];
    await engine.transaction(async (sql) => {
      await sql.run('delete from partner_number', []);
      await engine.script(sql, filling);
    });
    assert.deepEqual(await sentTo(storage, tenant, 'de123456789'), [german]);
    assert.deepEqual(await sentTo(storage, tenant, '123456789'), [german]);
    assert.deepEqual(await sentTo(storage, tenant, '7788'), [bare]);
    assert.deepEqual(await sentTo(storage, tenant, 'MK4080026000023'), [home]);
    const rows = await engine.all<{ number: string }>('select number from partner_number where tenant = $1', [tenant]);
    assert.deepEqual(rows.map(({ number }) => number).toSorted(), ['123456789', '7788', 'DE123456789']);
  });
});

onEveryEngine('the operator who looks for the documents of a partner', (database) => {
  test('finds those that the lists of the tenants have, by every spelling', async () => {
    const { storage } = database();
    const tenants = [newTenant(), newTenant(), newTenant()];
    await storage.transaction(async (tx) => {
      for (const tenant of tenants) await tx.tenants.add(tenant, MORNING);
    });
    const partners = [
      [
        ['4080026000023', 'MK'],
        ['123456789', 'DE'],
        ['123456789', 'AT'],
      ],
      [
        ['4080 0260 00023', 'RS'],
        ['DE123456789', 'DE'],
      ],
      [
        ['МК4080026000023', 'М1'],
        ['4080026000023', 'MK'],
        ['4080026000023', 'RS'],
      ],
    ] as const;
    for (const [index, { edb }] of tenants.entries()) {
      for (const [number, country] of partners[index] ?? []) await submitTo(storage, edb, number, country);
    }
    const { outbound } = searchDocuments({ storage, clock: { now: () => MORNING } });
    for (const partner of SPELLINGS) {
      const listed = await Promise.all(tenants.map(({ edb }) => sentTo(storage, edb, partner)));
      for (const [index, { edb: tenant }] of tenants.entries()) {
        const found = (await outbound({ tenant, partner }, 100)).documents.map(({ docUid }) => docUid);
        assert.deepEqual(found.toSorted(), listed[index]?.toSorted(), `${partner} of tenant ${index}`);
      }
      const ofAll = (await outbound({ partner }, 100)).documents.map(({ docUid }) => docUid);
      assert.deepEqual(ofAll.toSorted(), listed.flat().toSorted(), partner);
    }
  });
});

const SPELLINGS = [
  '4080026000023',
  'MK4080026000023',
  'МК 4080026000023',
  '4080 0260 00023',
  'RS4080026000023',
  '123456789',
  'DE123456789',
  'AT 123456789',
  'FR123456789',
];
