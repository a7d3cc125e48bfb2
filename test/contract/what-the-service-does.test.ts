import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { runningClock } from '../support/test-clock.ts';
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
import { assertPlainProblem, assertProblem } from './support/problem.ts';
import { newTenant } from './support/tenant.ts';

const clock = runningClock();
const service = await startTestService({ clock });
after(() => service.stop());
const alfa = clientFor(service, 'demo-alfa');

suite('what the service does', () => {
  test('1: the tenant is derived from the API key alone', async () => {
    const mine = await newTenant(service);
    const other = await newTenant(service);
    const docUid = await mine.submitted();
    const inMine = readPage(OUTBOUND_ITEM, json(await mine.get('/outbound')));
    const inOther = readPage(OUTBOUND_ITEM, json(await other.get('/outbound')));
    assert.deepEqual([inMine.items.map((item) => item.docUid), inOther.totalCount], [[docUid], 0]);
    assertPlainProblem(await other.get(`/outbound?tenant=${mine.edb}`), 400);
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

const caller = await newTenant(service);
const stranger = await newTenant(service);
const own = {
  outbound: await caller.submitted(),
  inbound: (await service.operator.importInbound(caller.edb, 'own.txt', bytesOf('own'))).docUid,
};
const foreign = {
  outbound: await stranger.submitted(),
  inbound: (await service.operator.importInbound(stranger.edb, 'foreign.txt', bytesOf('foreign'))).docUid,
};

type Kind = keyof typeof own;

const ENDPOINTS: readonly (readonly ['GET' | 'POST', Kind, string])[] = [
  ['GET', 'outbound', ''],
  ['GET', 'outbound', '/history'],
  ['GET', 'outbound', '/file'],
  ['POST', 'outbound', '/cancel'],
  ['GET', 'inbound', ''],
  ['GET', 'inbound', '/file'],
  ['POST', 'inbound', '/ack'],
];

const UNKNOWN = '01890a5d-ac96-774b-bcce-b302099a8057';

const IDENTIFIERS: Readonly<Record<string, (kind: Kind) => string>> = {
  'an identifier that was never issued': () => UNKNOWN,
  "another tenant's document": (kind) => foreign[kind],
  'an own document of the other direction': (kind) => own[kind === 'outbound' ? 'inbound' : 'outbound'],
  'an own identifier in upper case': (kind) => own[kind].toUpperCase(),
  'an own identifier with a blank after it': (kind) => `${own[kind]}%20`,
  'an own identifier with a line feed after it': (kind) => `${own[kind]}%0A`,
  'an own identifier with a zero byte after it': (kind) => `${own[kind]}%00`,
  'an own identifier in braces': (kind) => `%7B${own[kind]}%7D`,
  'an own identifier without hyphens': (kind) => own[kind].replaceAll('-', ''),
  'an own identifier as a pattern': (kind) => `${own[kind].slice(0, 35)}%25`,
  'what cannot be decoded': () => '%zz',
  'half an encoded letter': () => '%D0',
  'a number': () => '7',
  'a word': () => 'invoice',
  'a UUID of another version': () => 'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  'a quotation mark': () => "'%20or%20'1'='1",
  'letters of another script': () => '%D0%A4%D0%B0%D0%BA%D1%82%D1%83%D1%80%D0%B0',
  'an encoded slash': () => 'a%2Fb',
  'a path upwards': () => '..%2F..%2Fping',
  'an encoded question mark': () => `${UNKNOWN}%3Fformat=ubl`,
  'an encoded percent sign': () => '%2541',
  'five thousand characters': () => 'a'.repeat(5_000),
  'five thousand digits': () => '1'.repeat(5_000),
};

suite('a document of another tenant is never visible (6): ERR-3001 is one and the same answer', () => {
  const call = (method: 'GET' | 'POST', path: string) => (method === 'GET' ? caller.get(path) : caller.post(path));

  for (const [method, kind, action] of ENDPOINTS) {
    test(`${method} /${kind}/{docUid}${action} answers byte for byte the same for whatever is not there`, async () => {
      const expected = await call(method, `/${kind}/${UNKNOWN}${action}`);
      assertProblem(expected, 'ERR-3001');
      assert.ok(!expected.text.includes(UNKNOWN), 'the identifier is not repeated');
      for (const [name, identifier] of Object.entries(IDENTIFIERS)) {
        const answer = await call(method, `/${kind}/${identifier(kind)}${action}`);
        assert.equal(answer.status, 404, name);
        assert.ok(answer.bytes.equals(expected.bytes), `${name}: ${answer.text}`);
        assert.deepEqual(telling(answer.headers), telling(expected.headers), name);
      }
    });
  }

  test('the seven endpoints give the same answer as each other', async () => {
    const bodies = ENDPOINTS.map(async ([method, kind, action]) => (await call(method, `/${kind}/x${action}`)).text);
    assert.equal(new Set(await Promise.all(bodies)).size, 1);
  });

  test('a foreign document is as untouched by these calls as if they had not been made', async () => {
    for (const [method, kind, action] of ENDPOINTS) await call(method, `/${kind}/${foreign[kind]}${action}`);
    assert.match((await stranger.get(`/outbound/${foreign.outbound}`)).text, /"status":10/u);
    assert.match((await stranger.get(`/inbound/${foreign.inbound}`)).text, /"ackedAt":null/u);
  });

  test('a format that does not exist tells nothing of a foreign document', async () => {
    assertProblem(await caller.get(`/outbound/${foreign.outbound}/file?format=pdf`), 'ERR-3001');
    assertProblem(await caller.get(`/inbound/${foreign.inbound}/file?format=nonsense`), 'ERR-3001');
  });
});

/** The headers without those that differ from call to call. */
function telling(headers: Headers): Readonly<Record<string, string>> {
  const { date, ratelimit, 'x-request-id': requestId, ...rest } = Object.fromEntries(headers);
  assert.ok(date && ratelimit && requestId);
  return rest;
}
