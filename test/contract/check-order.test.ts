import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { requestHead, sendBytes } from '../support/http-client.ts';
import { startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { replaceElement, sampleInvoice, without } from '../support/ubl-samples.ts';
import { clientFor, json, request } from './support/client.ts';
import { bare, freshInvoice } from './support/documents.ts';
import { assertPlainProblem, assertProblem } from './support/problem.ts';
import { newTenant } from './support/tenant.ts';

const clock = clockAt(Date.now());
const service = await startTestService({ clock });
after(() => service.stop());
const tenant = await newTenant(service);

/** Where nobody calls from. */
const ELSEWHERE = ['192.0.2.7'];
const OVER = clock.now() - 1;
const NO_SOFTWARE = { 'X-Software-Id': '' };

suite('check order of every call: the earlier of two faults is reported', () => {
  test('ERR-2021 before ERR-1001, and before every other fault of a key or a call', async () => {
    const unknown = `${service.api}/codelists/colours`;
    assertProblem(await request(unknown), 'ERR-2021');
    for (const key of ['demo-nobody', 'demo-revoked', 'demo-expired', 'demo-address', 'demo-scope', 'demo-delta']) {
      assertProblem(await request(unknown, { headers: { 'X-Api-Key': key } }), 'ERR-2021');
    }
    const { get } = await tenant.withKey({ callsPerMinute: 1 });
    await get('/ping');
    assertProblem(await get('/codelists/colours', NO_SOFTWARE), 'ERR-2021');
  });

  test('ERR-1001 before ERR-1008 and the checks of the call', async () => {
    assertProblem(await request(`${service.api}/ping`), 'ERR-1001');
    assertProblem(await request(`${service.api}/inbound?page=0&pageSize=501`), 'ERR-1001');
    assertProblem(await request(`${service.api}/outbound/x`), 'ERR-1001');
    assertProblem(await request(`${service.api}/outbound`, { method: 'POST', body: '{"tenant":1}' }), 'ERR-1001');
  });

  test('ERR-1003 before ERR-1002', async () => {
    const { get, keyId } = await tenant.withKey({ expiresAt: OVER, allowedAddresses: ELSEWHERE, scopes: [] });
    await service.operator.keys.revoke(keyId);
    assertProblem(await get('/ping', NO_SOFTWARE), 'ERR-1003');
  });

  test('ERR-1002 before ERR-1004', async () => {
    const { get } = await tenant.withKey({ expiresAt: OVER, allowedAddresses: ELSEWHERE, scopes: [] });
    assertProblem(await get('/ping', NO_SOFTWARE), 'ERR-1002');
  });

  test('ERR-1004 before ERR-1005', async () => {
    const { get } = await tenant.withKey({ allowedAddresses: ELSEWHERE, scopes: [] });
    assertProblem(await get('/ping', NO_SOFTWARE), 'ERR-1004');
  });

  test('ERR-1005 before ERR-1006, however often it is tried', async () => {
    const { get } = await tenant.withKey({ scopes: [], callsPerMinute: 1 });
    for (let call = 0; call < 4; call += 1) assertProblem(await get('/ping', NO_SOFTWARE), 'ERR-1005');
  });

  test('ERR-1006 before ERR-1008', async () => {
    const { get } = await tenant.withKey({ callsPerMinute: 1 });
    assertProblem(await get('/ping', NO_SOFTWARE), 'ERR-1008');
    assertProblem(await get('/ping', NO_SOFTWARE), 'ERR-1006');
  });

  test('ERR-1008 before the checks of the call', async () => {
    const { submitted, get, post } = tenant;
    const docUid = await submitted();
    assertProblem(await get('/outbound?pageSize=501', NO_SOFTWARE), 'ERR-1008');
    assertProblem(await get('/inbound?page=0', NO_SOFTWARE), 'ERR-1008');
    assertProblem(await get('/outbound/x', NO_SOFTWARE), 'ERR-1008');
    assertProblem(await get(`/outbound/${docUid}/file?format=nonsense`, NO_SOFTWARE), 'ERR-1008');
    assertProblem(await post(`/outbound/${docUid}/cancel`, '{"tenant":1}', NO_SOFTWARE), 'ERR-1008');
    assertProblem(await clientFor(service, 'demo-gama').post('/outbound', 'x', NO_SOFTWARE), 'ERR-1008');
    assertProblem(await clientFor(service, 'demo-delta').get('/codelists/countries', NO_SOFTWARE), 'ERR-1008');
  });

  test('a call refused before the traffic limit leaves what the limit allows', async () => {
    const { get, secret } = await tenant.withKey({ callsPerMinute: 1 });
    assertProblem(await get('/codelists/colours'), 'ERR-2021');
    assertPlainProblem(await request(`${service.api}/nothing`, { headers: { 'X-Api-Key': secret } }), 404);
    assert.equal((await get('/ping')).status, 200);
  });
});

suite('check order of POST /outbound: the earlier of two faults is reported', () => {
  const TOO_LARGE = 10_485_761;
  const tenantField = '<x:TenantId xmlns:x="urn:x">7</x:TenantId>';
  const { submit } = tenant;

  test('ERR-9001 before ERR-2013', async () => {
    assertProblem(await clientFor(service, 'demo-gama').post('/outbound', 'x'), 'ERR-9001');
  });

  test('ERR-2013 before ERR-2012', async () => {
    const head = requestHead('POST', '/api/integration/v1/outbound', {
      ...tenant.headers,
      'Content-Length': String(TOO_LARGE),
    });
    assertProblem(await sendBytes(service.url, head), 'ERR-2013');
  });

  test('ERR-2012 before ERR-2010', async () => {
    await submit(freshInvoice(), 'used');
    assertProblem(await submit(new Uint8Array(TOO_LARGE), 'used'), 'ERR-2012');
  });

  test('ERR-2010 before ERR-2001 and every check of the content', async () => {
    await submit(freshInvoice(), 'taken');
    for (const body of ['', 'no XML', '<Order/>', '{"tenantId":7}', sampleInvoice({ amount: null })]) {
      assertProblem(await submit(body, 'taken'), 'ERR-2010');
    }
  });

  test('ERR-2001 before ERR-2011', async () => {
    const broken = sampleInvoice().replace('</cbc:ID>', '');
    assertProblem(await submit(broken + sampleInvoice()), 'ERR-2001');
    assertProblem(await submit(sampleInvoice() + broken), 'ERR-2001');
    assertProblem(await submit(`<Batch>${bare(sampleInvoice())}${bare(broken)}</Batch>`), 'ERR-2001');
    assertProblem(await submit(`<!DOCTYPE Invoice>${bare(sampleInvoice())}${bare(sampleInvoice())}`), 'ERR-2001');
  });

  test('ERR-2011 before ERR-2002', async () => {
    assertProblem(await submit('<Order/><Order/>'), 'ERR-2011');
    assertProblem(await submit(sampleInvoice({ versionId: '2.0' }) + sampleInvoice()), 'ERR-2011');
    assertProblem(await submit(`<Batch>${bare(sampleInvoice())}${bare(sampleInvoice())}</Batch>`), 'ERR-2011');
  });

  test('ERR-2002 of root and version before ERR-1007', async () => {
    assertProblem(await submit(`<Order>${tenantField}</Order>`), 'ERR-2002');
    assertProblem(await submit(`<Batch tenant="7">${bare(sampleInvoice())}</Batch>`), 'ERR-2002');
    assertProblem(await submit(sampleInvoice({ versionId: '2.0', extension: tenantField })), 'ERR-2002');
  });

  test('ERR-1007 before ERR-2003', async () => {
    const both = without(sampleInvoice({ extension: tenantField }), 'cac:AccountingCustomerParty');
    assertProblem(await submit(both), 'ERR-1007');
  });

  test('ERR-2003 before ERR-2004', async () => {
    assertProblem(await submit(sampleInvoice({ recipient: { name: null, taxNumber: '  ' } })), 'ERR-2003');
    assertProblem(
      await submit(sampleInvoice({ recipient: { name: ' ', taxNumber: null }, typeCode: null })),
      'ERR-2003',
    );
  });

  test('ERR-2004 before ERR-2005', async () => {
    assertProblem(await submit(sampleInvoice({ recipient: { taxNumber: '123' }, typeCode: null })), 'ERR-2004');
  });

  test('ERR-2005 before ERR-2006', async () => {
    assertProblem(await submit(sampleInvoice({ typeCode: null, amount: null })), 'ERR-2005');
  });

  test('ERR-2006 before ERR-2002 of the schema', async () => {
    const invalid = replaceElement(
      sampleInvoice({ amount: null }),
      'cbc:IssueDate',
      '<cbc:IssueDate>soon</cbc:IssueDate>',
    );
    assertProblem(await submit(invalid), 'ERR-2006');
  });

  test('ERR-2002 of the schema is the last: a document that passes everything else still meets it', async () => {
    const invalid = replaceElement(sampleInvoice(), 'cbc:IssueDate', '<cbc:IssueDate>soon</cbc:IssueDate>');
    assertProblem(await submit(invalid), 'ERR-2002');
  });

  test('the same bytes again are answered 200 before any check of the content or of the document since', async () => {
    const xml = freshInvoice();
    const first = json(await submit(xml, 'again')) as { readonly docUid: string };
    await tenant.post(`/outbound/${first.docUid}/cancel`);
    const repeat = await submit(xml, 'again');
    assert.deepEqual([repeat.status, json(repeat)], [200, { ...first, alreadyExisted: true }]);
  });
});

suite('check order of reading and cancelling', () => {
  test('ERR-3001 before ERR-3002, and before the status', async () => {
    assertProblem(await tenant.get('/outbound/x/file?format=nonsense'), 'ERR-3001');
    assertProblem(await tenant.get('/inbound/x/file?format=nonsense'), 'ERR-3001');
    assertProblem(await tenant.post('/outbound/x/cancel'), 'ERR-3001');
  });
});
