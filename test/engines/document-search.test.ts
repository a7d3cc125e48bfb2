import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { recordCommand } from '../../src/application/audit/record-command.ts';
import { requeueOutbound } from '../../src/application/outbound/requeue-outbound.ts';
import { retryFailed } from '../../src/application/outbound/retry-failed.ts';
import { meaningsOf, searchDocuments } from '../../src/application/search/search-documents.ts';
import { OUTBOUND_STATUSES, type OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import { toHex } from '../../src/domain/values/hex.ts';
import { onEveryEngine } from '../support/engines.ts';
import { addOutboundIn, fileOf, MORNING, newEdb, newInbound, newOutbound, newTenant } from './samples.ts';

const EUID = '0198A000-0000-7000-8000-00000000ABCD';
const LATER = MORNING + 86_400_000;
const clock = { now: () => LATER };
const FAILURE = { failureCode: 'AUTHORITY-UNREACHABLE', failureMessage: 'It could not be reached.' };

onEveryEngine('documents of all tenants', (database) => {
  const tenants = [newTenant(), newTenant()];
  const [alfa, beta] = tenants.map(({ edb }) => edb);
  assert.ok(alfa !== undefined && beta !== undefined);
  const search = () => searchDocuments({ storage: database().storage, clock });
  const uids = new Map<string, string>();

  before(async () => {
    const { storage } = database();
    let minute = 0;
    await storage.transaction(async (tx) => {
      for (const tenant of tenants) await tx.tenants.add(tenant, MORNING);
      for (const edb of [alfa, beta]) {
        for (const status of OUTBOUND_STATUSES) {
          minute += 1;
          const facts = { ...newOutbound().facts, documentNumber: `N-${status}` };
          const document = newOutbound({ facts, ubl: fileOf(`<${edb}-${status}/>`) });
          const failure = status === 55 ? FAILURE : {};
          const at = MORNING + minute * 60_000;
          const { docUid } = await addOutboundIn(tx, edb, status, document, at, failure);
          uids.set(`${edb} ${status}`, docUid);
        }
      }
      const arrival = newInbound({ deduplicationKey: `euid:${EUID.toLowerCase()}`, documentNumber: 'IN-1' });
      await tx.inbound.add(beta, arrival, MORNING);
      const imported = newInbound({
        deduplicationKey: 'sha256:00',
        senderEdb: '4080026000999',
        original: fileOf('in'),
      });
      const { stored } = await tx.inbound.add(alfa, imported, MORNING + 60_000);
      await tx.inbound.acknowledge(alfa, stored.docUid, LATER);
    });
  });

  const uid = (edb: string, status: OutboundStatus) => uids.get(`${edb} ${status}`);
  const outbound = async (given: Parameters<ReturnType<typeof search>['outbound']>[0], limit = 100) =>
    (await search().outbound(given, limit)).documents.map(({ docUid }) => docUid);

  test('without a filter all are listed, the newest first, page by page, each once', async () => {
    const all = await outbound({});
    assert.deepEqual(all, [...uids.values()].toReversed());
    const pages: string[] = [];
    let olderThan = null;
    do {
      const page: Awaited<ReturnType<ReturnType<typeof search>['outbound']>> = await search().outbound(
        { olderThan },
        4,
      );
      pages.push(...page.documents.map(({ docUid }) => docUid));
      olderThan = page.next;
    } while (olderThan !== null);
    assert.deepEqual(pages, all);
  });

  test('each filter leaves what it says', async () => {
    assert.deepEqual(await outbound({ statuses: [20, 55] }), [
      uid(beta, 55),
      uid(beta, 20),
      uid(alfa, 55),
      uid(alfa, 20),
    ]);
    assert.deepEqual(await outbound({ statuses: [40], tenant: alfa }), [uid(alfa, 40)]);
    assert.deepEqual(await outbound({ failureCode: FAILURE.failureCode }, 1), [uid(beta, 55)]);
    assert.equal((await outbound({ partner: '4080026000023' })).length, uids.size);
    assert.deepEqual(await outbound({ partner: '4080026000024' }), []);
    const [first = '', second = ''] = [...uids.values()];
    assert.deepEqual(await outbound({ until: MORNING + 60_000 }), [first]);
    assert.deepEqual(await outbound({ since: MORNING + 60_000, until: MORNING + 120_000 }), [second, first]);
  });

  test('a document is found by whatever is known of it', async () => {
    const { engine } = database();
    const accepted = uid(beta, 40) ?? '';
    await engine.transaction((sql) => sql.run('update outbound set euid = $1 where id = $2', [EUID, accepted]));
    assert.deepEqual(await outbound({ mark: { by: 'documentNumber', value: 'N-30' } }), [uid(beta, 30), uid(alfa, 30)]);
    assert.deepEqual(await outbound({ mark: { by: 'documentNumber', value: 'N-30' }, tenant: alfa }), [uid(alfa, 30)]);
    assert.deepEqual(await outbound({ mark: { by: 'documentNumber', value: 'N' } }), []);
    const { sha256 } = fileOf(`<${alfa}-60/>`);
    assert.deepEqual(await outbound({ mark: { by: 'euid', value: EUID.toLowerCase() } }), [accepted]);
    const texts = [uid(alfa, 60) ?? '', EUID.toLowerCase(), toHex(sha256).toUpperCase(), `MK ${alfa}`, ' N-50 '];
    const found = await Promise.all(
      texts.map(async (text) => {
        const all = await Promise.all(meaningsOf(text).map((meaning) => outbound(meaning)));
        return all.flat();
      }),
    );
    assert.deepEqual(found.slice(0, 3), [[uid(alfa, 60)], [uid(beta, 40)], [uid(alfa, 60)]]);
    assert.equal(found[3]?.length, OUTBOUND_STATUSES.length);
    assert.deepEqual(found[4], [uid(beta, 50), uid(alfa, 50)]);
  });

  test('inbound documents are listed and found in the same way', async () => {
    const inbound = async (given: Parameters<ReturnType<typeof search>['inbound']>[0]) =>
      (await search().inbound(given, 10)).documents.map(({ tenant, euid }) => [tenant, euid]);
    const [ofAlfa, ofBeta] = [
      [alfa, null],
      [beta, EUID.toLowerCase()],
    ];
    assert.deepEqual(await inbound({}), [ofAlfa, ofBeta]);
    assert.deepEqual(await inbound({ onlyNotImported: true }), [ofBeta]);
    assert.deepEqual(await inbound({ partner: '4080026000999' }), [ofAlfa]);
    assert.deepEqual(await inbound({ mark: { by: 'euid', value: EUID } }), [ofBeta]);
    assert.deepEqual(await inbound({ mark: { by: 'documentNumber', value: 'IN-1' } }), [ofBeta]);
    assert.deepEqual(await inbound({ mark: { by: 'sha256', value: fileOf('in').sha256 } }), [ofAlfa]);
    assert.deepEqual(await inbound({ tenant: beta, until: MORNING - 1 }), []);
  });

  test('all that failed for one reason within a time are put back once, with an audit entry each', async () => {
    const { storage } = database();
    const record = recordCommand({ operator: 'ana', clock, newId: () => crypto.randomUUID() });
    const requeue = requeueOutbound({ storage, clock, record });
    const many = retryFailed({ storage, clock, requeue });
    const failedAt = MORNING + 13 * 60_000;
    const given = { tenant: null, failureCode: FAILURE.failureCode };
    assert.equal((await many.look({ ...given, since: null })).documents, 2);
    assert.equal((await many.look({ ...given, failureCode: 'OTHER', since: null })).documents, 0);
    assert.equal((await many.look({ ...given, tenant: alfa, since: failedAt })).documents, 0);
    const { search: found, documents } = await many.look({ ...given, since: failedAt });
    assert.equal(documents, 1, 'the other one failed before that time');
    const steps: number[] = [];
    assert.deepEqual(await many.retry(found, (done) => steps.push(done)), { requeued: 1, ofFormerEnvironment: 0 });
    assert.deepEqual(steps, [1]);
    assert.equal((await storage.outbound.find(beta, uid(beta, 55) as never))?.status, 20);
    assert.equal((await storage.outbound.find(alfa, uid(alfa, 55) as never))?.status, 55);
    assert.deepEqual(await many.retry(found, () => assert.fail()), { requeued: 0, ofFormerEnvironment: 0 });
    const filter = { tenant: beta, keyId: null, docUid: null, since: null, until: null, limit: 10 };
    const entries = await storage.audit.read(filter);
    assert.deepEqual(
      entries.map(({ docUid }) => docUid),
      [uid(beta, 55)],
    );
  });

  test('a partner is found however its tax number is written', async () => {
    const { storage } = database();
    const foreign = await storage.transaction(async (tx) => {
      const recipient = { name: 'Musterfirma', taxNumber: 'DE 811 907 980', country: 'DE' };
      const facts = { ...newOutbound().facts, recipient };
      const sent = await tx.outbound.add(
        alfa,
        newOutbound({ facts, partnerEdb: recipient.taxNumber }),
        MORNING - 60_000,
      );
      const sender = { senderEdb: recipient.taxNumber, senderCountry: 'DE' };
      const { stored } = await tx.inbound.add(beta, newInbound(sender), MORNING - 60_000);
      return [sent.docUid, stored.docUid];
    });
    for (const partner of ['MK4080026000023', 'МК 4080026000023', ' 4080 026 000 023 ']) {
      assert.equal((await outbound({ partner })).length, uids.size, partner);
      assert.equal((await search().inbound({ partner }, 10)).documents.length, 1, partner);
    }
    for (const partner of ['DE 811 907 980', 'de811907980', '811907980']) {
      const arrived = (await search().inbound({ partner }, 10)).documents.map(({ docUid }) => docUid);
      assert.deepEqual([...(await outbound({ partner, statuses: [10, 20] })), ...arrived], foreign, partner);
    }
  });

  test('of many, those submitted before the environment of their tenant was changed are left alone and counted', async () => {
    const { storage } = database();
    const record = recordCommand({ operator: 'ana', clock, newId: () => crypto.randomUUID() });
    const many = retryFailed({ storage, clock, requeue: requeueOutbound({ storage, clock, record }) });
    const tenant = newEdb();
    const failure = { failureCode: 'MOVED' };
    const at = clock.now();
    await storage.transaction(async (tx) => {
      for (const offset of [-2, -1, 1]) {
        await addOutboundIn(tx, tenant, 55, newOutbound(), at + offset * 60_000, failure);
      }
      await record(tx, { command: 'tenant set', target: `${tenant} name environment`, tenant });
    });
    const search = { tenant, failureCode: 'MOVED', since: null, until: at + 3_600_000 };
    assert.deepEqual(await many.retry(search, () => undefined), { requeued: 1, ofFormerEnvironment: 2 });
  });
});
