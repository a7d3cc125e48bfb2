import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, before, describe, suite, test } from 'node:test';
import { createCertificate, otherKeyPair } from '../support/certificate.ts';
import {
  type Authority,
  alfa,
  beta,
  compactJws,
  compactJwsOf,
  DAY,
  errorOf,
  MINUTE,
  type RequestChanges,
  type Signer,
  skopje,
  startAuthority,
} from './authority-client.ts';
import { altered, type Json, sampleDocument } from './sample-document.ts';

const SERVICE = 'sales-invoice/current-status';

suite('signed requests', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  /** The codes by which the receiver and the query API refuse the same request. */
  const codes = async (changes: RequestChanges, signer: Signer = alfa) => [
    await authority.refused(sampleDocument(), { ...changes, signer }),
    errorOf(await authority.ask(SERVICE, { euid: 'any' }, signer, changes)),
  ];
  const passes = async (changes: RequestChanges, signer: Signer = alfa) => {
    assert.equal((await authority.send(sampleDocument(), { ...changes, signer })).status, 200);
    assert.equal(errorOf(await authority.ask(SERVICE, { euid: 'any' }, signer, changes)), 'E1018');
  };

  describe('headers', () => {
    test('a missing header is E4016', async () => {
      for (const without of ['X-EUJP-ID', 'X-EDB', 'X-SERIAL-NUMBER']) {
        assert.deepEqual(await codes({ without }), ['E4016', 'E4016'], without);
      }
      assert.equal(await authority.refused(sampleDocument(), { without: 'X-DOC-TYPE-CODE' }), 'E4016');
      assert.deepEqual(await codes({ headers: { 'X-EDB': ' ' } }), ['E4016', 'E4016']);
    });

    test('an unknown user, taxpayer or certificate is refused, each with its code', async () => {
      assert.deepEqual(await codes({ headers: { 'X-EUJP-ID': 'nobody' } }), ['E4022', 'E1010']);
      assert.deepEqual(await codes({ headers: { 'X-EDB': 'MK4030026000018' } }), ['E4023', 'E1014']);
      assert.deepEqual(await codes({ headers: { 'X-EDB': '4099999999999' } }), ['E1014', 'E1014']);
      assert.deepEqual(await codes({ headers: { 'X-SERIAL-NUMBER': 'serial' } }), ['E4021', 'E1012']);
      assert.deepEqual(await codes({ headers: { 'X-SERIAL-NUMBER': 'ABCDEF' } }), ['E1012', 'E1012']);
    });

    test('the serial number is compared without regard to case, but must have no leading zeros', async () => {
      for (const serial of ['0A1B2C', '000a1b2c', '0xA1B2C', 'A1:B2:C']) {
        assert.deepEqual(await codes({ headers: { 'X-SERIAL-NUMBER': serial } }), ['E4021', 'E1012'], serial);
      }
      for (const serial of ['A1B2C', 'a1b2c']) {
        await passes({ headers: { 'X-SERIAL-NUMBER': serial } });
      }
    });

    test('a certificate of another user or another company is E1013', async () => {
      assert.deepEqual(await codes({ headers: { 'X-SERIAL-NUMBER': beta.serial } }), ['E1013', 'E1013']);
      assert.deepEqual(await codes({ headers: { 'X-EDB': beta.edb } }), ['E1013', 'E1013']);
    });

    test('a header that contradicts the document is E4020', async () => {
      assert.equal(await authority.refused(sampleDocument(), { headers: { 'X-DOC-TYPE-CODE': '110' } }), 'E4020');
      const ofBeta = altered(sampleDocument(), { 'seller.sellerTin': beta.edb });
      assert.equal(await authority.refused(ofBeta), 'E4020');
    });
  });

  describe('body and envelope', () => {
    test('a missing body, a body that is not a JSON object and a body without JWS are refused', async () => {
      assert.deepEqual(await codes({ body: '' }), ['E4011', 'E4011']);
      assert.deepEqual(await codes({ body: '{"jws":' }), ['E4024', 'E4000']);
      assert.deepEqual(await codes({ body: '[]' }), ['E4024', 'E4000']);
      for (const jws of ['', null, 7]) assert.deepEqual(await codes({ envelope: { jws } }), ['E4011', 'E4011']);
      const answer = await authority.ask(SERVICE, {}, alfa, { envelope: { jws: '' } });
      assert.equal((answer['errorStatus'] as Json)['errorMessage'], 'JWS must not be null or empty string');
    });

    test('any content type but that of JSON is a 415 without a body', async () => {
      const changes = { headers: { 'content-type': 'application/jose' } };
      const { status, contentType } = await authority.send(sampleDocument(), changes);
      assert.deepEqual([status, contentType], [415, null]);
      assert.equal((await authority.post(SERVICE, {}, alfa, changes)).status, 415);
      await passes({ headers: { 'content-type': 'Application/JSON; charset=utf-8' } });
    });

    test('a JWS that is malformed, of another algorithm or with an unreadable header is E5005', async () => {
      assert.deepEqual(await codes({ envelope: { jws: 'a.b' } }), ['E5005', 'E5005']);
      assert.deepEqual(await codes({ jws: (jws) => `${jws}=` }), ['E5005', 'E5005']);
      assert.deepEqual(await codes({ jws: (jws) => `x${jws}` }), ['E5005', 'E5005']);
      for (const alg of ['none', 'HS256', 'PS256', undefined]) {
        assert.deepEqual(await codes({ jwsHeader: { alg } }), ['E5005', 'E5005']);
      }
      assert.deepEqual(await codes({ jwsHeader: { alg: 'RS256', x5c: ['AAAA'] } }), ['E5005', 'E5005']);
    });

    test('a payload that is not a JSON object is refused', async () => {
      const jws = compactJws('text', alfa);
      assert.deepEqual(await codes({ envelope: { jws } }), ['E40131', 'E4013']);
    });

    test('a payload that is not UTF-8 is refused', async () => {
      const text = JSON.stringify({ requestTimestamp: skopje(authority.clock.now()), euid: 'any', note: '?' });
      const bytes = Buffer.from(text).map((byte) => (byte === '?'.charCodeAt(0) ? 0xff : byte));
      assert.deepEqual(await codes({ envelope: { jws: compactJwsOf(bytes, alfa) } }), ['E40131', 'E4013']);
    });

    test('a JWS header with an extension, another type or a certificate in another form is E5005', async () => {
      const der = new X509Certificate(alfa.certificatePem).raw;
      const headers = [
        { crit: ['b64'], b64: false },
        { typ: 'JOSE+JSON' },
        { x5c: der.toString('base64') },
        { x5c: [] },
        { x5c: [`${der.toString('base64')}=\n`] },
        { x5c: [der.toString('base64url')] },
      ];
      for (const more of headers) {
        assert.deepEqual(
          await codes({ jwsHeader: { alg: 'RS256', ...more } }),
          ['E5005', 'E5005'],
          Object.keys(more)[0],
        );
      }
    });
  });

  describe('requestTimestamp', () => {
    const at = (ms: number) => ({ timestamp: skopje(new Date(authority.clock.now().getTime() + ms)) });

    test('a timestamp up to five minutes from server time is accepted, a second more is refused', async () => {
      for (const ms of [-5 * MINUTE, 5 * MINUTE]) await passes(at(ms));
      for (const ms of [-5 * MINUTE - 1_000, 5 * MINUTE + 1_000]) {
        assert.deepEqual(await codes(at(ms)), ['E40122', 'E4012']);
      }
    });

    test('a timestamp that is missing, or not local time without offset and fraction, is refused', async () => {
      assert.deepEqual(await codes({ timestamp: undefined }), ['E4012', 'E4012']);
      const unreadable = [
        '2026-11-15T10:00:00Z',
        '2026-11-15T10:00:00.000',
        '2026-11-15 10:00:00',
        '2026-11-15',
        5,
        '',
      ];
      for (const timestamp of [...unreadable, '2026-02-30T10:00:00']) {
        assert.deepEqual(await codes({ timestamp }), ['E40121', 'E4012'], String(timestamp));
      }
    });

    test('the envelope needs no timestamp, but one that is there must be valid', async () => {
      for (const requestTimestamp of [undefined, null]) await passes({ envelope: { requestTimestamp } });
      assert.deepEqual(await codes({ envelope: { requestTimestamp: 'now' } }), ['E40121', 'E4012']);
      assert.deepEqual(await codes({ envelope: { requestTimestamp: '2026-11-15T11:00:00' } }), ['E40122', 'E4012']);
    });
  });

  describe('signature', () => {
    test('a signature by another key, or one that was changed, is refused', async () => {
      const stranger = { ...alfa, privateKey: otherKeyPair().privateKey };
      assert.deepEqual(await codes({}, stranger), ['E50051', 'E4015']);
      const shifted = {
        jws: (jws: string) => jws.replace(/[^.]+$/u, (signature) => signature.split('').reverse().join('')),
      };
      assert.deepEqual(await codes(shifted), ['E50051', 'E4015']);
    });

    test('the JWS header may carry the registered certificate as x5c, but no other', async () => {
      const base64 = (pem: string) => pem.replaceAll(/-----[A-Z ]+-----|\s/gu, '');
      await passes({ jwsHeader: { alg: 'RS256', x5c: [base64(alfa.certificatePem)] } });
      await passes({ jwsHeader: { alg: 'RS256', typ: 'JWT' } });
      const other = { jwsHeader: { alg: 'RS256', x5c: [base64(beta.certificatePem)] } };
      assert.deepEqual(await codes(other), ['E5012', 'E5004']);
    });

    test('a certificate that has expired, is not valid yet or is revoked is refused', async () => {
      const now = authority.clock.now().getTime();
      const register = async (certificate: ReturnType<typeof createCertificate>, more = {}) => {
        const { eujpId, edb } = alfa;
        const { certificatePem } = certificate;
        await authority.admin('certificates', { eujpId, edb, certificatePem, ...more });
        return { ...alfa, ...certificate };
      };
      const expired = await register(createCertificate({ validTo: new Date(now - DAY) }));
      assert.deepEqual(await codes({}, expired), ['E5002', 'E5002']);
      const early = await register(createCertificate({ validFrom: new Date(now + DAY) }));
      assert.deepEqual(await codes({}, early), ['E5002', 'E5002']);
      const revoked = await register(createCertificate(), { revoked: true });
      assert.deepEqual(await codes({}, revoked), ['E5003', 'E5003']);
    });
  });

  describe('rights', () => {
    test('a user without the right to sign for the company gets E1013', async () => {
      const clerk = { ...alfa, eujpId: 'clerk' };
      const { eujpId, edb, certificatePem } = clerk;
      await authority.admin('certificates', { eujpId, edb, certificatePem });
      await passes({}, clerk);
      await authority.admin('users', { eujpId, edb, privileges: ['DP', 'RD', 'DA'] });
      assert.deepEqual(await codes({}, clerk), ['E1013', 'E1013']);
    });

    test('a user without the right to download gets E1011', async () => {
      const euid = await authority.registered();
      const reader = { ...alfa, eujpId: 'reader' };
      const { eujpId, edb, certificatePem } = reader;
      await authority.admin('certificates', { eujpId, edb, certificatePem });
      await authority.admin('users', { eujpId, edb, privileges: ['SIGN'] });
      const range = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };
      const services: readonly (readonly [string, Json])[] = [
        ['sales-invoice/pdf', { euid }],
        ['sales-invoice/payload', { euid }],
        ['sales-invoice/payload/list', { euids: [euid] }],
        ['sales-invoice/payload/date-range', range],
        ['invoice', { euid }],
      ];
      for (const [service, payload] of services) {
        assert.equal(errorOf(await authority.ask(service, payload, reader)), 'E1011', service);
      }
      assert.equal((await authority.ask('sales-invoice/ids', range, reader))['success'], true);
    });

    test('one user may act for several companies', async () => {
      const accountant = { ...alfa, edb: beta.edb };
      const { eujpId, edb, certificatePem } = accountant;
      assert.equal(errorOf(await authority.ask(SERVICE, { euid: 'any' }, accountant)), 'E1013');
      await authority.admin('certificates', { eujpId, edb, certificatePem });
      assert.equal(errorOf(await authority.ask(SERVICE, { euid: 'any' }, accountant)), 'E1018');
      await passes({});
    });
  });
});
