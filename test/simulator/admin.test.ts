import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { createCertificate } from '../support/certificate.ts';
import { type Authority, alfa, beta, startAuthority } from './authority-client.ts';
import { altered, type Json, type SampleParty, sampleDocument } from './sample-document.ts';

const TENANTS = Array.from({ length: 100 }, (_, index) => ({
  ...createCertificate({ serial: (0xbe_0000 + index).toString(16) }),
  eujpId: `bench-${index}`,
  edb: String(4_100_000_000_000 + index),
}));

function partyOf({ company }: { readonly company: Json }): SampleParty {
  const { street, number, zip, city } = company['address'] as Record<string, string>;
  return {
    tin: String(company['taxNumber']),
    vatNumber: String(company['vatNumber']),
    name: String(company['name']),
    street: street ?? '',
    number: number ?? '',
    zip: zip ?? '',
    city: city ?? '',
  };
}

function readIssued({ certificatePem, privateKeyPem, serialNumber }: Json) {
  return {
    certificatePem: String(certificatePem),
    privateKeyPem: String(privateKeyPem),
    serialNumber: String(serialNumber),
  };
}

test('the admin API answers calls from other machines with 404', async (t) => {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const outward = own.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  if (outward === undefined) return t.skip('this machine has no other address');
  const { simulator } = await startAuthority(t, { host: '0.0.0.0' });
  const { port } = new URL(simulator.url);
  const status = async (host: string, path: string) => (await fetch(`http://${host}:${port}${path}`)).status;
  assert.equal(await status(outward, '/einvoice_api/api/v1/server-time'), 200);
  assert.equal(await status(outward, '/admin/documents'), 404);
  assert.equal(await status('127.0.0.1', '/admin/documents'), 200);
});

test('the admin API answers no web page that has pointed its own name to this machine', async (t) => {
  const { simulator } = await startAuthority(t);
  const { port } = new URL(simulator.url);
  const status = (headers: Readonly<Record<string, string>>, method = 'GET', path = '/admin/outage') =>
    new Promise<number>((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      asked.once('error', reject);
      asked.end(method === 'POST' ? '{"on":false}' : '');
    });
  const json = { 'content-type': 'application/json' };
  for (const host of [`127.0.0.1:${port}`, 'localhost', `LOCALHOST:${port}`, `[::1]:${port}`, '127.1.2.3']) {
    assert.equal(await status({ host }), 200, host);
  }
  const foreign = ['attacker.example', `rebound.example:${port}`, '127.0.0.1.nip.io', 'localhost.example', '10.0.0.1'];
  for (const host of foreign) {
    assert.equal(await status({ host }), 421, host);
    assert.equal(await status({ host, ...json }, 'POST'), 421, host);
  }
  const time = '/einvoice_api/api/v1/server-time';
  assert.equal(await status({ host: 'attacker.example' }, 'GET', time), 421, 'nor does anything else on loopback');
  assert.equal(await status({ host: 'localhost' }, 'GET', time), 200);
  const host = `127.0.0.1:${port}`;
  assert.equal(await status({ host, origin: 'https://attacker.example', ...json }, 'POST'), 404);
  assert.equal(await status({ host, origin: `http://localhost:${port}`, ...json }, 'POST'), 200);
});

describe('the admin API', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const company = async (taxNumber: string) => {
    const headers = { 'X-EUJP-ID': alfa.eujpId, 'X-EDB': alfa.edb };
    const response = await fetch(`${authority.simulator.url}/api/v1/companies/${taxNumber}`, { headers });
    return partyOf((await response.json()) as { company: Json });
  };

  test('a hundred companies with users and certificates, added in two calls, can send documents', async () => {
    const companies = TENANTS.map(({ edb, eujpId }) => ({ taxNumber: edb, users: [eujpId] }));
    assert.equal((await authority.admin('companies', companies))['companies'], 100);
    const certificates = TENANTS.map(({ edb, eujpId, certificatePem }) => ({ edb, eujpId, certificatePem }));
    assert.equal((await authority.admin('certificates', certificates))['certificates'], 100);
    const [seller, buyer] = [TENANTS[0], TENANTS[99]];
    assert.ok(seller !== undefined && buyer !== undefined);
    const parties = { seller: await company(seller.edb), buyer: await company(buyer.edb) };
    const { status, body } = await authority.send(sampleDocument(parties), { signer: seller });
    assert.deepEqual([status, body['e_invoice_user']], [200, true], JSON.stringify(body));
    const range = { dateFrom: '2026-11-10', dateTo: '2026-11-10' };
    const { euids } = await authority.ask('purchase-invoice/ids', range, buyer);
    assert.deepEqual(euids, [body['euid']]);
  });

  test('an issued certificate comes with its private key, is registered, and can sign a document', async () => {
    const eujpId = 'issued-one';
    await authority.admin('users', { eujpId, edb: alfa.edb });
    const { httpStatus, ...issued } = await authority.admin('certificates/issue', { eujpId, edb: alfa.edb });
    assert.equal(httpStatus, 200);
    const { certificatePem, privateKeyPem, serialNumber } = readIssued(issued);
    const certificate = new X509Certificate(certificatePem);
    const privateKey = createPrivateKey(privateKeyPem);
    assert.ok(certificate.checkPrivateKey(privateKey) && certificate.verify(certificate.publicKey));
    assert.equal(certificate.publicKey.asymmetricKeyDetails?.modulusLength, 2048);
    assert.deepEqual([certificate.serialNumber, serialNumber.length], [serialNumber, 32]);
    const validity = [certificate.validFromDate, certificate.validToDate].map((moment) => moment.toISOString());
    assert.deepEqual(validity, ['2026-11-15T09:00:00.000Z', '2029-11-15T09:00:00.000Z']);
    const signer = { certificatePem, privateKeyPem, privateKey, serial: serialNumber, eujpId, edb: alfa.edb };
    assert.ok(await authority.registered({ docNumber: 'issued' }, { signer }));
    const again = readIssued(await authority.admin('certificates/issue', { eujpId, edb: alfa.edb }));
    assert.notEqual(again.serialNumber, serialNumber);
  });

  test('one certificate can be issued for several users and companies, with a chosen common name', async () => {
    const users = [alfa, beta].map(({ edb }, index) => ({
      eujpId: `shared-${index}`,
      edb,
      commonName: 'Сметководител',
    }));
    const issued = readIssued(await authority.admin('certificates/issue', users));
    assert.match(new X509Certificate(issued.certificatePem).subject, /^CN=/u);
    assert.equal(new X509Certificate(issued.certificatePem).toLegacyObject().subject.CN, 'Сметководител');
    const privateKey = createPrivateKey(issued.privateKeyPem);
    for (const user of users) {
      const signer = { ...issued, ...user, privateKey, serial: issued.serialNumber };
      const answer = await authority.ask('sales-invoice/ids', { dateFrom: '2026-11-10', dateTo: '2026-11-10' }, signer);
      assert.equal(answer['success'], true, JSON.stringify(answer));
    }
  });

  test('adding a company again replaces its data', async () => {
    const input = {
      taxNumber: '4200000000000',
      name: 'СВОЕ ИМЕ АД',
      vatNumber: null,
      address: { street: 'Прва', number: '1', city: 'Кратово', zip: '1360' },
    };
    await authority.admin('companies', input);
    const { name, city } = await company('4200000000000');
    assert.deepEqual([name, city], ['СВОЕ ИМЕ АД', 'Кратово']);
    await authority.admin('companies', { ...input, name: 'НОВО ИМЕ АД' });
    assert.equal((await company('4200000000000')).name, 'НОВО ИМЕ АД');
  });

  test('documents are listed, all of them or filtered by any member', async () => {
    const euid = await authority.registered({ docNumber: 'listed', docId: 'listed-id' });
    const [row, ...more] = await authority.listed(`?seller=${alfa.edb}&docNumber=listed`);
    assert.equal(more.length, 0);
    assert.deepEqual(row, {
      euid,
      seller: alfa.edb,
      buyer: '4080026000023',
      docType: '100',
      docStorno: 0,
      docNumber: 'listed',
      docId: 'listed-id',
      docDate: '2026-11-10',
      docFinalAmount: 2360,
      status: '01',
      registeredAt: '2026-11-15T09:00:00.000Z',
    });
    assert.equal((await authority.listed('?docNumber=nothing')).length, 0);
    assert.ok((await authority.listed()).length >= 1);
  });

  test('an invalid call is refused and changes nothing, even if a part of it is valid', async () => {
    const { eujpId, edb, certificatePem } = alfa;
    const calls: readonly (readonly [string, unknown])[] = [
      ['companies', [{ taxNumber: '4300000000001' }, { taxNumber: '12' }]],
      ['companies', [{ taxNumber: '4300000000001' }, { name: 'без број' }]],
      ['companies', [{ taxNumber: '4300000000001', vat: false }]],
      ['companies', [{ taxNumber: '4300000000001', users: 'one' }]],
      ['companies', [{ taxNumber: '4300000000001', address: { street: 'Прва' } }]],
      ['companies', 'all'],
      ['users', { eujpId }],
      ['users', { eujpId, edb: '4300000000001' }],
      ['users', { eujpId, edb, privileges: ['ALL'] }],
      ['certificates', { eujpId, edb, certificatePem: 'no certificate' }],
      ['certificates', { eujpId, edb }],
      ['certificates', { eujpId, edb: '4300000000001', certificatePem }],
      ['certificates/issue', { eujpId }],
      [
        'certificates/issue',
        [
          { eujpId, edb },
          { eujpId, edb: '4300000000001' },
        ],
      ],
      ['certificates/issue', { eujpId, edb, commonName: 7 }],
      ['certificates/issue', []],
    ];
    for (const [path, input] of calls) {
      const { httpStatus, error } = await authority.admin(path, input);
      assert.deepEqual([httpStatus, typeof error], [400, 'string'], JSON.stringify(input));
    }
    const document = altered(sampleDocument(), { 'buyer.buyerTin': '4300000000001' });
    assert.equal(await authority.refused(document), 'E1000');
  });

  test('only the content type of JSON is accepted; unknown paths and methods get 404', async () => {
    const { adminUrl } = authority.simulator;
    const form = await fetch(`${adminUrl}/outage`, { method: 'POST', body: 'on=true' });
    assert.equal(form.status, 400);
    assert.equal((await fetch(`${adminUrl}/nothing`)).status, 404);
    assert.equal((await fetch(`${adminUrl}/documents`, { method: 'DELETE' })).status, 404);
  });
});
