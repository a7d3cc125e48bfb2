import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { movableClock, startTestService } from '../support/service.ts';
import {
  BETA_EDB,
  bytesOf,
  PDF_ATTACHMENT,
  SAMPLE_PDF,
  sampleCreditNote,
  sampleInvoice,
} from '../support/ubl-samples.ts';
import { clientFor, json } from './support/client.ts';
import { freshInvoice } from './support/documents.ts';
import {
  CANCEL_RESULT,
  HISTORY,
  INBOUND_ITEM,
  OUTBOUND_DOCUMENT,
  OUTBOUND_ITEM,
  PING,
  readFields,
  readPage,
  SUBMIT_RESULT,
} from './support/fields.ts';
import { assertProblem } from './support/problem.ts';
import { newTenant } from './support/tenant.ts';

const clock = movableClock();
const service = await startTestService({ clock });
after(() => service.stop());
const alfa = clientFor(service, 'demo-alfa');

suite('what the service does', () => {
  test('1: the tenant is derived from the API key alone', async () => {
    const mine = await newTenant(service);
    const other = await newTenant(service);
    const docUid = await mine.submitted();
    const inMine = readPage(OUTBOUND_ITEM, json(await mine.get('/outbound')));
    const inOther = readPage(OUTBOUND_ITEM, json(await other.get(`/outbound?tenant=${mine.edb}&tenantId=${mine.edb}`)));
    assert.deepEqual([inMine.items.map((item) => item.docUid), inOther.totalCount], [[docUid], 0]);
  });

  test('2: a submission is answered at once with a docUid and status 10, whatever becomes of it later', async () => {
    const answer = await alfa.submit(freshInvoice());
    const result = readFields(SUBMIT_RESULT, json(answer));
    assert.deepEqual([answer.status, result.status, result.alreadyExisted], [201, 10, false]);
    assert.match(result.docUid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
  });

  test('2: invoices and credit notes can be read, listed, followed, downloaded and cancelled', async () => {
    const { submit, get, post } = await newTenant(service);
    for (const xml of [sampleInvoice(), sampleCreditNote({ attachments: [PDF_ATTACHMENT] })]) {
      const { docUid } = readFields(SUBMIT_RESULT, json(await submit(xml)));
      const document = readFields(OUTBOUND_DOCUMENT, json(await get(`/outbound/${docUid}`)));
      assert.deepEqual(
        [document.docUid, document.status, document.partnerEdb, document.ujp],
        [docUid, 10, BETA_EDB, null],
      );
      const [newest] = readPage(OUTBOUND_ITEM, json(await get('/outbound'))).items;
      assert.equal(newest?.docUid, docUid);
      assert.equal(readFields(HISTORY, json(await get(`/outbound/${docUid}/history`))).transitions.length, 1);
      assert.deepEqual((await get(`/outbound/${docUid}/file?format=ubl`)).bytes, Buffer.from(bytesOf(xml)));
      assert.equal(readFields(CANCEL_RESULT, json(await post(`/outbound/${docUid}/cancel`))).status, 60);
    }
  });

  test('3: received documents can be listed, read, downloaded and acknowledged', async () => {
    const { edb, get, post } = await newTenant(service);
    const { docUid } = await service.operator.importInbound(edb, 'scan.pdf', bytesOf(SAMPLE_PDF));
    const [listed] = readPage(INBOUND_ITEM, json(await get('/inbound'))).items;
    assert.equal(listed?.docUid, docUid);
    assert.equal((await get(`/inbound/${docUid}`)).status, 200);
    assert.equal((await get(`/inbound/${docUid}/file`)).text, SAMPLE_PDF);
    assert.equal((await post(`/inbound/${docUid}/ack`)).status, 200);
  });

  test('5: ping confirms that the service is reachable and the key is valid', async () => {
    const ping = readFields(PING, json(await alfa.get('/ping')));
    assert.deepEqual([ping.ok, ping.keyValid], [true, true]);
  });

  test('7: outbound can be disabled for a tenant, which then reads and cancels but cannot submit', async () => {
    const tenant = await newTenant(service);
    const docUid = await tenant.submitted();
    await service.operator.tenants.set(tenant.edb, { outboundEnabled: false });
    clock.advance(2_000);
    assertProblem(await tenant.submit(freshInvoice()), 'ERR-9001');
    assert.equal((await tenant.get(`/outbound/${docUid}`)).status, 200);
    assert.equal((await tenant.post(`/outbound/${docUid}/cancel`)).status, 200);
    assert.equal((await tenant.get('/inbound')).status, 200);
  });
});
