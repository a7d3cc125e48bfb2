import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { LONGEST_LOOK_UP_PAUSE_MS } from '../../src/domain/documents/retry-schedule.ts';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { type Answer, request } from '../contract/support/client.ts';
import { assertProblem } from '../contract/support/problem.ts';
import { addOutboundIn, fileOf, newInbound, newOutbound } from '../engines/samples.ts';
import { freshDatabase } from '../support/fresh-database.ts';
import { temporaryFolder, until } from '../support/process.ts';
import { as } from '../support/service.ts';
import { bytesOf, sampleInvoice } from '../support/ubl-samples.ts';
import { changePayload, flipFile } from './flip-a-byte.ts';
import { type Delivering, HOUR, startDelivering, type Taxpayer } from './support.ts';

const PAYLOAD = { docTypeCode: '100', docNumber: 'FLIP', docDate: '2026-11-16', docId: 'ID', text: '{"document":{}}' };
const REASON = { code: '1', name: 'Reason', comment: null };

describe('a byte that was flipped in the database', () => {
  let delivering: Delivering;
  let alfa: Taxpayer;
  let headers: Readonly<Record<string, string>>;
  before(async () => {
    delivering = await startDelivering({
      DELIVERY_HOLD_SECONDS: String(HOUR / 1_000),
      ARCHIVE_DIR: temporaryFolder(),
      ...(await freshDatabase()),
    });
    ({ alfa } = delivering);
    headers = as((await delivering.service.operator.keys.issue({ tenant: alfa.edb, software: 'test' })).secret);
  });
  after(() => delivering.service.stop());

  const extension = (path: string) => request(`${delivering.service.url}${EXTENSIONS_ROOT}${path}`, { headers });
  const flip = (side: 'outbound' | 'inbound', docUid: string, file: string) =>
    flipFile(delivering.service.foundation.engine, alfa.edb, side, docUid as never, file);

  async function damageMet(): Promise<number> {
    const text = await (await fetch(`${delivering.service.opsUrl}/metrics`)).text();
    return Number(/^dostava_stored_damage_total (\d+)$/mu.exec(text)?.[1]);
  }

  function assertDamaged(answer: Answer): void {
    assert.match(assertProblem(answer, 'ERR-9000'), /stored file is damaged/u);
  }

  test('of a submitted document: it is held, nothing leaves, and others are delivered', async () => {
    const { clock, reach, registered, service } = delivering;
    const damaged = await alfa.send('FLIPPED');
    const healthy = await alfa.send('HEALTHY');
    await flip('outbound', damaged, 'ubl');
    clock.advance(HOUR);
    const { failureCode } = await reach(alfa, damaged, 55);
    assert.equal(failureCode, 'STORED-DAMAGE');
    await reach(alfa, healthy, 40);
    assert.equal((await service.operator.tenants.find(alfa.edb)).stopped, null);
    assert.equal((await registered({ docNumber: 'FLIPPED' })).length, 0);
    await until('the alarm', async () => (await damageMet()) > 0);

    await flip('outbound', damaged, 'ubl');
    assert.equal(await service.operator.requeueOutbound(alfa.edb, damaged), 'requeued');
    await reach(alfa, damaged, 40);
    assert.equal((await registered({ docNumber: 'FLIPPED' })).length, 1);
  });

  /** A document that waits for its next attempt, with a payload that was changed. */
  async function waiting(status: 20 | 30 | 40, column: string, value: string) {
    const { storage, engine: sql } = delivering.service.foundation;
    const now = delivering.clock.now();
    const docUid = await storage.transaction(async (tx) => {
      const document = newOutbound({ ubl: fileOf(sampleInvoice({ number: `FLIP-${status}-${column}` })) });
      const euid = '01a1e35e-c000-7aaa-8bbb-000000000009';
      const answer = { accepted: true, qrLink: null, registeredAt: null, statusCode: '01', statusName: null };
      const ujp = status === 40 ? { ujp: { ...answer, euid, message: null, errors: [] } } : {};
      const moved = { dueAt: now + HOUR, ...ujp };
      const added = await addOutboundIn(tx, alfa.edb, status, document, now, moved);
      const requestTimestamp = '2026-11-16T09:00:00';
      const payload = { ...PAYLOAD, warnings: [], requestTimestamp, sentAt: now };
      await tx.deliveries.savePayload(alfa.edb, added.docUid, payload);
      return added.docUid;
    });
    await changePayload(sql, docUid, column, value);
    return docUid;
  }

  test('of a payload that waits for its next attempt: it is held, nothing leaves', async () => {
    const docUid = await waiting(20, 'text', '{"document":{"a":1}}');
    delivering.clock.advance(HOUR);
    assert.equal((await delivering.reach(alfa, docUid, 55)).failureCode, 'STORED-DAMAGE');
    assert.equal((await delivering.registered({ docNumber: 'FLIP' })).length, 0);
  });

  test('of a payload whose answer was lost: it is not looked up under a wrong number, and stays as it is', async () => {
    const docUid = await waiting(30, 'doc_number', 'FLOP');
    delivering.clock.advance(HOUR);
    await until('a look-up on record', async () => (await alfa.story(docUid)).attempts.length > 0);
    const { attempts, dueAt } = await alfa.story(docUid);
    assert.deepEqual(
      attempts.map(({ act, failureCode }) => [act, failureCode]),
      [['look-up', 'STORED-DAMAGE']],
    );
    assert.equal((await alfa.document(docUid)).status, 30);
    const pauseMs = (dueAt ?? 0) - delivering.clock.now();
    assert.ok(
      pauseMs > 0 && pauseMs <= LONGEST_LOOK_UP_PAUSE_MS,
      `${pauseMs} ms: as if a wrong clock had postponed it`,
    );
  });

  test('of the payload of a document that is to be voided: the void is given up', async () => {
    const { storage } = delivering.service.foundation;
    const docUid = await waiting(40, 'text', '{"document":{"b":1}}');
    await storage.transaction((tx) => tx.voids.request(alfa.edb, docUid, REASON, delivering.clock.now()));
    await until('the end of the void', async () => (await storage.voids.find(alfa.edb, docUid))?.state === 'failed');
    assert.equal((await storage.voids.find(alfa.edb, docUid))?.failureCode, 'STORED-DAMAGE');
  });

  test('of any file of a document: it is neither served, shown, converted nor archived', async () => {
    const { service, clock } = delivering;
    const { storage } = service.foundation;
    const file = (text: string) => fileOf(bytesOf(text));
    const { docUid } = await storage.transaction(async (tx) => {
      const document = newOutbound({ ubl: file(sampleInvoice({ number: 'FILES' })), pdf: file('%PDF-1.7 outbound') });
      const added = await addOutboundIn(tx, alfa.edb, 40, document, clock.now());
      await tx.deliveries.storeContainer(alfa.edb, added.docUid, file('PK container'), clock.now());
      return added;
    });
    const ubl = file(sampleInvoice({ number: 'ARRIVED' }));
    const arrival = newInbound({ original: ubl, ubl, pdf: file('%PDF-1.7 inbound') });
    const added = await storage.transaction((tx) => tx.inbound.add(alfa.edb, arrival, clock.now()));
    const inbound = added.stored.docUid;
    await alfa.post(`/inbound/${inbound}/ack`);
    clock.advance(1);
    const archive = () =>
      service.operator.archive({
        folder: temporaryFolder(),
        before: clock.now(),
        remove: false,
        younger: false,
        isNewArchive: false,
        progress: () => undefined,
      });
    const met = await damageMet();
    for (const [side, id, format] of [
      ['outbound', docUid, 'ubl'],
      ['outbound', docUid, 'pdf'],
      ['outbound', docUid, 'ujp'],
      ['inbound', inbound, 'original'],
      ['inbound', inbound, 'pdf'],
    ] as const) {
      const get = () => alfa.get(`/${side}/${id}/file?format=${format}`);
      assert.equal((await get()).status, 200, `${side} ${format}`);
      await flip(side, id, format);
      assertDamaged(await get());
      if (format === 'ubl' || format === 'original') assertDamaged(await extension(`/${side}/${id}/view`));
      if (format === 'original') assertDamaged(await extension(`/inbound/${id}/as-ubl`));
      const { damage: leftOut } = await archive();
      assert.ok(
        leftOut.some(({ what, documents }) => what.startsWith('file ') && documents.includes(id)),
        `archive: ${side} ${format}`,
      );
      const { damage } = await service.operator.checkStoredBytes(() => undefined);
      assert.ok(
        damage.some(({ what, documents }) => what.startsWith('file ') && documents.includes(id)),
        `check: ${side} ${format}`,
      );
      await flip(side, id, format);
      assert.equal((await get()).status, 200, `${side} ${format}`);
    }
    // The worker may meet the damage of the tests before at the same time.
    assert.ok((await damageMet()) - met >= 8);
  });

  test('is found by a check that reads everything, payloads, missing files and the archive included', async () => {
    const { service, clock } = delivering;
    const { engine: sql, storage, config } = service.foundation;
    const look = async () => (await service.operator.checkStoredBytes(() => undefined)).damage;
    const before = (await look()).map(({ what }) => what);
    assert.ok(before.length > 0 && before.every((what) => what === 'payload'), 'those of the tests above');
    const gone = await storage.transaction((tx) => tx.outbound.add(alfa.edb, newOutbound(), clock.now()));
    const text = 'delete from content where sha256 = (select ubl_sha256 from outbound where id = $1)';
    await sql.transaction((tx) => tx.run(text, [gone.docUid]));
    const folder = join(config.archiveDir ?? '', alfa.edb, '2026-11', 'outbound-0001');
    mkdirSync(folder, { recursive: true });
    const found = await look();
    assert.ok(found.some(({ what, documents }) => what === 'file is missing' && documents.includes(gone.docUid)));
    assert.ok(found.some(({ what }) => /^archive .*manifest or its seal is missing/u.test(what)));
  });

  test('is mended by the same bytes when they come again', async () => {
    const { service } = delivering;
    const xml = sampleInvoice({ number: 'AGAIN' });
    const first = (await service.operator.importInbound(alfa.edb, 'a.xml', bytesOf(xml))).docUid;
    await flip('inbound', first, 'original');
    assertDamaged(await alfa.get(`/inbound/${first}/file?format=original`));
    await alfa.submitted(xml);
    assert.equal((await alfa.get(`/inbound/${first}/file?format=original`)).status, 200);
  });
});
