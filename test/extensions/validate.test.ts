import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Validation } from '../../src/application/validation/validation.ts';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { json, request } from '../contract/support/client.ts';
import { assertPlainProblem, assertProblem } from '../contract/support/problem.ts';
import { as, startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';

const service = await startTestService({
  clock: clockAt(Date.now()),
  variables: { MAX_DOCUMENT_BYTES: '200000' },
});
after(() => service.stop());

async function post(body: string, key = 'demo-alfa') {
  return request(`${service.url}${EXTENSIONS_ROOT}/validate`, { method: 'POST', headers: as(key), body });
}

async function validate(body: string, key?: string): Promise<Validation> {
  const answer = await post(body, key);
  assert.equal(answer.status, 200, answer.text);
  return json(answer) as Validation;
}

const brief = ({ findings }: Validation) => findings.map(({ severity, code, line }) => [severity, code, line]);
const lineOf = (xml: string, text: string) => xml.slice(0, xml.indexOf(text)).split('\n').length;

suite('a dry run', () => {
  test('shows what would be registered of a document that would be sent', async () => {
    const { outcome, findings, preview } = await validate(sampleInvoice({ number: 'V-1' }));
    assert.equal(outcome, 'accepted');
    assert.ok(findings.every(({ severity, httpStatus }) => severity === 'warning' && httpStatus === null));
    assert.ok(preview !== null);
    const { type, number, date, seller, buyer, lineCount, lines, vat, totals } = preview;
    assert.deepEqual([type.code, number, date], ['100', 'V-1', '2026-10-30']);
    assert.deepEqual([seller.taxNumber, buyer.taxNumber], ['4030026000018', '4080026000023']);
    assert.deepEqual([lineCount, lines.length, lines[0]?.net, lines[0]?.vatRate], [5, 5, 28_200, 18]);
    assert.equal(
      vat.reduce((sum, row) => sum + row.vat, 0),
      totals.vat,
    );
    assert.doesNotMatch(JSON.stringify(preview), /docId|jws|signature/iu);
  });

  test('finds everything that a submission would be refused for, in the order of the checks, with lines', async () => {
    const flawed = sampleInvoice({ versionId: '2.0', amount: 'much', recipient: { taxNumber: '12' } });
    const xml = flawed.replaceAll('<cbc:Percent>18<', '<cbc:Percent>eighteen<');
    const found = await validate(xml);
    assert.equal(found.outcome, 'refused');
    assert.equal(found.preview, null);
    const codes = found.findings.map(({ code }) => code);
    assert.deepEqual(codes.slice(0, 3), ['ERR-2002', 'ERR-2004', 'ERR-2006']);
    assert.ok(codes.length > 8, `more than a submission is told of: ${codes.length}`);
    for (const { severity, httpStatus, line, path } of found.findings) {
      assert.deepEqual([severity, httpStatus, typeof line, typeof path], ['error', 400, 'number', 'string']);
    }
    assert.equal(found.findings[0]?.line, lineOf(xml, '<cbc:UBLVersionID>'));
    const submitted = await request(`${service.api}/outbound`, {
      method: 'POST',
      headers: as('demo-alfa', { 'X-Idempotency-Key': 'refused' }),
      body: xml,
    });
    assertProblem(submitted, 'ERR-2002');
    assert.ok(submitted.text.includes(found.findings[0]?.message ?? '-'));
  });

  test('finds every failure of the conversion, with the lines of the elements', async () => {
    const xml = sampleInvoice({
      number: `V-${'2'.repeat(25)}`,
      amount: '1.00',
      supplier: { taxNumber: '4080026000023' },
    });
    const found = await validate(xml);
    assert.equal(found.outcome, 'would-fail');
    assert.deepEqual(
      brief(found).filter(([severity]) => severity === 'failure'),
      [
        ['failure', 'SUPPLIER-MISMATCH', lineOf(xml, '<cac:AccountingSupplierParty>') + 1],
        ['failure', 'NOT-EXPRESSIBLE', lineOf(xml, '<cbc:ID>V-')],
        ['failure', 'TOTALS-MISMATCH', lineOf(xml, '<cbc:PayableAmount')],
      ],
    );
    assert.equal(found.preview, null);
  });

  test('says that a number is taken, and nothing of a document that is not accepted and comes later', async () => {
    const body = sampleInvoice({ number: 'V-3' });
    const headers = as('demo-alfa', { 'X-Idempotency-Key': 'V-3' });
    assert.equal((await validate(body)).outcome, 'accepted');
    await request(`${service.api}/outbound`, { method: 'POST', headers, body });
    const found = await validate(body);
    assert.equal(found.outcome, 'would-fail');
    assert.deepEqual(brief(found)[0], ['failure', 'DUPLICATE-NUMBER', null]);
    assert.equal((await validate(body, 'demo-beta')).findings[0]?.code, 'SUPPLIER-MISMATCH');
  });

  test('says so where the authority cannot be asked, and does not guess', async () => {
    const body = sampleInvoice({ number: 'V-4', supplier: { taxNumber: '5012026000048' } });
    const found = await validate(body, 'demo-delta');
    assert.deepEqual([found.outcome, found.preview], ['unknown', null]);
    assert.deepEqual(
      found.findings.map(({ severity }) => severity),
      ['unknown'],
    );
    assert.match(found.findings[0]?.code ?? '', /^AUTHORITY-|^CREDENTIALS$/u);
    assert.match(found.findings[0]?.message ?? '', /could not be looked up/u);
  });

  test('names a tenant whose outbound is switched off as a submission would, beside what else is wrong', async () => {
    const found = await validate('<Order/>', 'demo-gama');
    assert.deepEqual(
      found.findings.map(({ code, httpStatus }) => [code, httpStatus]),
      [
        ['ERR-9001', 409],
        ['ERR-2002', 400],
      ],
    );
  });

  test('stores nothing: no document, no content, no idempotency record', async () => {
    const tables = ['outbound', 'content', 'idempotency_record', 'outbound_attempt', 'outbound_history'];
    const { engine } = service.foundation;
    const count = async (table: string) =>
      (await engine.get<{ n: number }>(`select count(*) as n from ${table}`, []))?.n;
    const counts = () => Promise.all(tables.map(count));
    const before = await counts();
    await validate(sampleInvoice({ number: 'V-5' }));
    await validate('not XML');
    assert.deepEqual(await counts(), before);
  });

  test('takes no more than a submission does', async () => {
    assertProblem(await post('x'.repeat(200_001)), 'ERR-2012');
    assert.equal((await validate('<!DOCTYPE Invoice><Invoice/>')).findings[0]?.code, 'ERR-2001');
    assert.equal((await validate('')).findings[0]?.code, 'ERR-2001');
    assertPlainProblem(await request(`${service.url}${EXTENSIONS_ROOT}/validate`, { headers: as('demo-alfa') }), 405);
  });

  test('counts against the traffic limit', async () => {
    const statuses = [];
    for (let call = 0; call < 6; call += 1) statuses.push((await post('<Order/>', 'demo-limited')).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
  });
});
