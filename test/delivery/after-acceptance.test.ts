import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openAuthority } from '../../src/app/authority.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { skopjeDay } from '../../src/domain/values/skopje-day.ts';
import { assertProblem } from '../contract/support/problem.ts';
import { until } from '../support/process.ts';
import { sampleCreditNote } from '../support/ubl-samples.ts';
import { startForwarder } from './forwarder.ts';
import { type Delivering, HOUR, startDelivering, type Taxpayer } from './support.ts';

type Signed = {
  readonly requestTimestamp: string;
  readonly document: {
    readonly header: { readonly docNumber: string };
    readonly docReferences: readonly Readonly<Record<string, string>>[] | null;
  };
};

describe('an accepted document', () => {
  let delivering: Delivering;
  let alfa: Taxpayer;
  before(async () => {
    delivering = await startDelivering();
    ({ alfa } = delivering);
  });
  after(() => delivering.service.stop());

  const file = (taxpayer: Taxpayer, docUid: string) => taxpayer.get(`/outbound/${docUid}/file?format=ujp`);

  async function accepted(taxpayer: Taxpayer, number: string): Promise<DocUid> {
    const docUid = await taxpayer.send(number);
    await delivering.reach(taxpayer, docUid, 40);
    return docUid;
  }

  /** What the authority has signed for: the container holds it as it was sent. */
  async function signedText(docUid: DocUid): Promise<Signed> {
    await delivering.passUntil('the container', async () => (await alfa.story(docUid)).dueAt === null);
    const { bytes } = await file(alfa, docUid);
    const [, payload = ''] = /eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+/u.exec(bytes.toString('latin1')) ?? [];
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Signed;
  }

  test('is there as the authority’s signed container, and before it is accepted it is not', async () => {
    const docUid = await accepted(alfa, 'CONTAINED');
    await delivering.passUntil('the container', async () => (await alfa.story(docUid)).dueAt === null);
    const answer = await file(alfa, docUid);
    assert.equal(answer.status, 200);
    assert.equal(answer.bytes.subarray(0, 2).toString(), 'PK');
    assert.match(answer.headers.get('content-disposition') ?? '', /"CONTAINED\.asics"/u);
    assert.equal((await signedText(docUid)).document.header.docNumber, 'CONTAINED');
    const refused = await alfa.send('SIM-E1020-F');
    await delivering.reach(alfa, refused, 50);
    assertProblem(await file(alfa, refused), 'ERR-3002');
  });

  test('is not there in any other form until the authority gives the container, and is asked for again', async () => {
    const { operator } = delivering.service;
    const zeta = await delivering.join('ЗЕТА ДОО Скопје');
    const { eujpId } = await operator.tenants.find(zeta.edb);
    const user = { eujpId, edb: zeta.edb };
    await delivering.pull('users', { ...user, privileges: ['SIGN', 'DP', 'RD'] });
    const docUid = await accepted(zeta, 'WITHOUT-DA');
    const missing = await file(zeta, docUid);
    assert.match(assertProblem(missing, 'ERR-3002'), /on its way/u);
    assert.match(missing.headers.get('retry-after') ?? '', /^[1-9]\d*$/u);
    // A missing right to download is not a fault of the account.
    assert.equal((await operator.tenants.find(zeta.edb)).stopped, null);
    await delivering.pull('users', user);
    await delivering.passUntil('the container', async () => (await file(zeta, docUid)).bytes[0] === 0x50);
    assert.equal(await zeta.steps(docUid), '10 20 30 40');
    assert.equal((await zeta.story(docUid)).dueAt, null);
  });

  test('is asked for again once a day, without end, when the container is not given for long', async () => {
    const eta = await delivering.join('ЕТА ДОО Скопје');
    const { eujpId } = await delivering.service.operator.tenants.find(eta.edb);
    await delivering.pull('users', { eujpId, edb: eta.edb, privileges: ['SIGN'] });
    const docUid = await accepted(eta, 'LATE-DA');
    await delivering.passUntil('a pause of about a day', async () => {
      await delivering.age(eta, 30);
      return ((await eta.story(docUid)).dueAt ?? 0) > delivering.clock.now() + 12 * HOUR;
    });
    assert.match(assertProblem(await file(eta, docUid), 'ERR-3002'), /on its way/u);
    await delivering.pull('users', { eujpId, edb: eta.edb });
    await delivering.passUntil('the container', async () => (await file(eta, docUid)).bytes[0] === 0x50);
    assert.equal((await eta.document(docUid)).status, 40);
  });

  test('has its container without any pause of our own, and later answers do not change its bytes', async () => {
    const docUid = await accepted(alfa, 'AT-ONCE');
    // The clock of the test runs, but is not moved on: nothing that waits for a pause would happen.
    await until('the container', async () => (await file(alfa, docUid)).status === 200);
    const first = await file(alfa, docUid);
    const again = { bytes: Buffer.from('PK another'), sha256: new Uint8Array(32) };
    const { storage } = delivering.service.foundation;
    await storage.transaction((tx) => tx.deliveries.storeContainer(alfa.edb, docUid, again, delivering.clock.now()));
    const second = await file(alfa, docUid);
    assert.ok(second.bytes.equals(first.bytes));
    assert.equal(second.headers.get('etag'), first.headers.get('etag'));
  });

  test('has its container fetched before the follow-up of all tenants of the same user', async (t) => {
    const docUid = await accepted(alfa, 'BEFORE-FOLLOW-UP');
    const euid = (await alfa.document(docUid)).ujp?.euid ?? '';
    const { foundation, operator } = delivering.service;
    // Only this side keeps a pace: the simulated authority of the tests enforces none.
    const { test: urls } = foundation.config.authorityUrls;
    assert.ok(urls !== null);
    const order: string[] = [];
    const query = await startForwarder(t, urls.query, (path) =>
      order.push(path.includes('documents/invoice') ? 'container' : 'follow'),
    );
    const authorityUrls = { ...foundation.config.authorityUrls, test: { ...urls, query } };
    const config = { ...foundation.config, authorityPaceMs: 1_000, authorityUrls };
    const { authority, interrupt, close } = openAuthority({ ...foundation, config });
    t.after(close);
    const tenant = await operator.tenants.find(alfa.edb);
    const follows = Array.from({ length: 60 }, () => authority.statusChanges(tenant, '2026-11-16'));
    const followed = Promise.allSettled(follows);
    await authority.container(tenant, euid);
    // Before it only those that had their turn before it was asked for: one, or a few where the machine is busy.
    assert.ok(order.indexOf('container') < 40, order.join(', '));
    interrupt();
    assert.ok((await followed).some(({ status }) => status === 'rejected'));
  });

  test('is referred to by its EUID when a credit note names its number', async () => {
    const invoice = await accepted(alfa, 'INVOICED');
    const { ujp } = await alfa.document(invoice);
    const reference = (number: string, date: string) => `  <cac:BillingReference>
    <cac:InvoiceDocumentReference><cbc:ID>${number}</cbc:ID>${date}</cac:InvoiceDocumentReference>
  </cac:BillingReference>
`;
    const dates = ['<cbc:IssueDate>2026-10-30</cbc:IssueDate>', ''];
    for (const [index, date] of dates.entries()) {
      const xml = sampleCreditNote({ number: `CREDIT-${index}`, issueDate: '2026-11-02' }).replace(
        '  <cac:AccountingSupplierParty>',
        `${reference('INVOICED', date)}  <cac:AccountingSupplierParty>`,
      );
      const docUid = await alfa.submitted(xml);
      await delivering.reach(alfa, docUid, 40);
      const [referred, ...others] = (await signedText(docUid)).document.docReferences ?? [];
      assert.deepEqual(others, []);
      assert.deepEqual([referred?.['docNumberRef'], referred?.['docTypeRef']], [ujp?.euid, 'SYS']);
      assert.equal(referred?.['docDateRef'], '2026-10-30');
    }
  });

  test('takes a later status of the authority’s into ujp, and nothing else of it changes', async () => {
    const docUid = await accepted(alfa, 'DECIDED-LATER');
    assert.equal((await alfa.document(docUid)).ujp?.statusCode, '01');
    const { storage } = delivering.service.foundation;
    const euid = (await alfa.document(docUid)).ujp?.euid ?? '';
    const change = { euid, status: { code: '07', name: 'Сторнирана' }, from: null, at: null, reason: 'Погрешна цена' };
    const record = (taxpayer: Taxpayer) =>
      storage.transaction((tx) => tx.deliveries.recordAuthorityStatus(taxpayer.edb, change, delivering.clock.now()));
    await record(alfa);
    const { status, ujp, failureCode } = await alfa.document(docUid);
    assert.deepEqual(
      [status, failureCode, ujp?.statusCode, ujp?.statusName, ujp?.message],
      [40, null, '07', 'Сторнирана', 'Погрешна цена'],
    );
    // Nobody else's document is moved by it.
    assert.equal(await record(delivering.beta), false);
  });

  test('tells of the buyer’s refusal also when that came before its EUID was known', async () => {
    const theta = await delivering.join('ТЕТА ДОО Скопје');
    const number = 'SIM-BUYER-NO-UNKNOWN';
    // From then on nothing needs to be asked before the next one is sent.
    await accepted(theta, 'BEFORE-IT');
    await delivering.pull('faults', { loseAnswers: 1, loseQueries: 1 });
    const docUid = await theta.send(number);
    await until('the refusal', async () => (await delivering.registered({ docNumber: number }))[0]?.status === '05');
    // Days later all changes until then are known, but for those of documents that were not known.
    delivering.clock.advance(72 * HOUR);
    await delivering.service.foundation.engine.transaction((sql) =>
      sql.run("update recurring_task set note = $2, due_at = $3 where tenant = $1 and name = 'follow'", [
        theta.edb,
        skopjeDay(delivering.clock.now()),
        delivering.clock.now() + 24 * HOUR,
      ]),
    );
    await delivering.pull('faults', { loseAnswers: 0, loseQueries: 0 });
    // A look-up that was under way when the days passed has failed, and is due again later.
    await delivering.passUntil('it is accepted', async () => (await theta.document(docUid)).status === 40);
    await until('the row', async () => (await theta.steps(docUid)).endsWith('40 40:UJP-REJECTED-BY-BUYER'));
    const { ujp } = await theta.document(docUid);
    assert.equal(ujp?.statusCode, '05');
    assert.match(ujp.message ?? '', /^O-2 Грешка во нарачка/u);
  });
});
