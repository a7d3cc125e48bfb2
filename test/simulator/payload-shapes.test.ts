import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, alfa, beta, errorOf, skopje, startAuthority } from './authority-client.ts';
import type { Json } from './sample-document.ts';

const RANGE = { dateFrom: '2026-11-10', dateTo: '2026-11-10' };

describe('the payload of a document', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const payload = (euid: string, signer = beta) => authority.ask('purchase-invoice/payload', { euid }, signer);
  const list = (euids: readonly string[]) => authority.ask('purchase-invoice/payload/list', { euids }, beta);

  test('can be refused for lack of the right RD, for one document and whatever asks for it', async () => {
    const [refused, other] = [await authority.registered(), await authority.registered()];
    await authority.admin('payloads', { euid: refused, serve: 'refused' });
    assert.equal(errorOf(await payload(refused)), 'E1011');
    assert.equal(errorOf(await list([other, refused])), 'E1011');
    assert.equal(errorOf(await authority.ask('purchase-invoice/payload/date-range', RANGE, beta)), 'E1011');
    assert.equal(errorOf(await authority.ask('sales-invoice/payload', { euid: refused }, alfa)), 'E1011');
    assert.equal((await payload(other))['success'], true);
    await authority.admin('payloads', { euid: refused, serve: 'text' });
    assert.equal(typeof (await payload(refused))['payload'], 'string');
  });

  test('can be refused for all documents', async () => {
    const euid = await authority.registered();
    await authority.admin('payloads', { serve: 'refused' });
    assert.equal(errorOf(await payload(euid)), 'E1011');
    await authority.admin('payloads', { serve: 'text' });
    assert.equal((await payload(euid))['success'], true);
  });

  test('can be an object instead of a text, and a text of another shape', async () => {
    const euid = await authority.registered({ docNumber: 'shape' });
    const usual = JSON.parse(String((await payload(euid))['payload'])) as Json;
    const served = async (serve: string) => {
      await authority.admin('payloads', { euid, serve });
      const { invoices } = await list([euid]);
      const [row] = invoices as readonly Json[];
      const { payload: alone } = await payload(euid);
      assert.deepEqual(row, { euid, payload: alone });
      return alone;
    };
    assert.deepEqual(await served('object'), usual);
    assert.deepEqual(JSON.parse(String(await served('document'))), usual['document']);
    assert.match(String(await served('jws')), /^[\w-]+\.[\w-]+\.[\w-]+$/u);
    assert.deepEqual(JSON.parse(String(await served('text'))), usual);
  });

  test('has the shapes that the admin API lists; any other is refused', async () => {
    await authority.admin('payloads', { serve: 'text' });
    await authority.admin('payloads', { euid: 'one', serve: 'object' });
    assert.deepEqual(await authority.admin('payloads'), { all: 'text', documents: { one: 'object' }, httpStatus: 200 });
    for (const input of [{}, { serve: 'xml' }, { euid: 7, serve: 'text' }, { euids: ['one'], serve: 'text' }]) {
      assert.equal((await authority.admin('payloads', input))['httpStatus'], 400, JSON.stringify(input));
    }
  });
});

describe('a request for the container', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const outcomes = async (euid: string) => {
    const plain = { body: JSON.stringify({ requestTimestamp: skopje(authority.clock.now()), euid }) };
    const answers = [await authority.post('invoice', { euid }), await authority.post('invoice', {}, alfa, plain)];
    return Promise.all(
      answers.map(async (answer) => {
        const isFile = answer.headers.get('content-type') !== 'application/json';
        return isFile ? 'container' : errorOf((await answer.json()) as Json);
      }),
    );
  };

  test('may be signed or not, must be signed, or must not be', async () => {
    const euid = await authority.registered();
    assert.deepEqual(await outcomes(euid), ['container', 'container'], 'by default');
    await authority.admin('rules', { containerRequests: 'signed' });
    assert.deepEqual(await outcomes(euid), ['container', 'E4011']);
    await authority.admin('rules', { containerRequests: 'unsigned' });
    assert.deepEqual(await outcomes(euid), ['E4011', 'container']);
    await authority.admin('rules', { containerRequests: 'both' });
    assert.deepEqual(await outcomes(euid), ['container', 'container']);
  });

  test('needs the serial number of a registered certificate also when it is not signed', async () => {
    const euid = await authority.registered();
    await authority.admin('rules', { containerRequests: 'unsigned' });
    const body = JSON.stringify({ requestTimestamp: skopje(authority.clock.now()), euid });
    const code = async (changes: { headers?: Record<string, string>; without?: string }) =>
      errorOf(await authority.ask('invoice', {}, alfa, { body, ...changes }));
    assert.equal(await code({ without: 'X-SERIAL-NUMBER' }), 'E4016');
    assert.equal(await code({ headers: { 'X-SERIAL-NUMBER': 'FFFF' } }), 'E1012');
  });
});
