import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { ErrorCode } from '../../src/application/errors/problem-catalogue.ts';
import { until } from '../support/process.ts';
import { startTestService, WITH_BACKGROUND } from '../support/service.ts';
import { sampleInvoice, without } from '../support/ubl-samples.ts';
import { type Answer, clientFor, json, request } from './support/client.ts';
import { freshInvoice } from './support/documents.ts';
import { OUTBOUND_ITEM, readPage } from './support/fields.ts';
import { assertPlainProblem, assertProblem, readProblem } from './support/problem.ts';

const service = await startTestService({ variables: WITH_BACKGROUND });
after(() => service.stop());
const alfa = clientFor(service, 'demo-alfa');

const ping = (key: string) => clientFor(service, key).get('/ping');
const NOWHERE = '01890a5d-ac96-774b-bcce-b302099a8057';

async function twice(call: () => Promise<Answer>): Promise<Answer> {
  await call();
  return call();
}

/** Its calls come back while time passes, also between two calls of a slow machine. */
function callTooMany(): Promise<Answer> {
  return until('a key without calls left', async () => {
    const answer = await ping('demo-limited');
    return answer.status === 429 ? answer : null;
  });
}

async function cancelTwice(): Promise<Answer> {
  const docUid = await alfa.submitted();
  return twice(() => alfa.post(`/outbound/${docUid}/cancel`));
}

/** The demo's first document is delivered while the service starts, at the authority's pace. */
async function cancelAccepted(): Promise<Answer> {
  const accepted = async () => readPage(OUTBOUND_ITEM, json(await alfa.get('/outbound?status=40'))).items[0];
  const { docUid } = await until('the first document accepted', accepted);
  return alfa.post(`/outbound/${docUid}/cancel`);
}

/** The table of the contract, by hand: each code with its HTTP status, its title where the contract fixes one, and a call. */
const CATALOGUE: Readonly<Record<ErrorCode, readonly [number, string | null, () => Promise<Answer>]>> = {
  'ERR-1001': [401, null, () => request(`${service.api}/ping`)],
  'ERR-1002': [401, null, () => ping('demo-expired')],
  'ERR-1003': [401, null, () => ping('demo-revoked')],
  'ERR-1004': [403, null, () => ping('demo-address')],
  'ERR-1005': [403, null, () => ping('demo-scope')],
  'ERR-1006': [429, null, callTooMany],
  'ERR-1007': [400, 'Request body must not contain a tenant-identifying field.', () => alfa.submit('{"tenantId":7}')],
  'ERR-1008': [400, 'X-Software-Id header is missing.', () => alfa.get('/ping', { 'X-Software-Id': '' })],
  'ERR-2001': [400, null, () => alfa.submit('no XML')],
  'ERR-2002': [400, null, () => alfa.submit('<Order/>')],
  'ERR-2003': [400, null, () => alfa.submit(without(freshInvoice(), 'cac:AccountingCustomerParty'))],
  'ERR-2004': [400, null, () => alfa.submit(sampleInvoice({ recipient: { taxNumber: '12345' } }))],
  'ERR-2005': [400, null, () => alfa.submit(sampleInvoice({ typeCode: null }))],
  'ERR-2006': [400, null, () => alfa.submit(sampleInvoice({ amount: null }))],
  'ERR-2010': [
    409,
    'This idempotency key was already used with different content.',
    () => twice(() => alfa.submit(freshInvoice(), 'one key')),
  ],
  'ERR-2011': [400, null, () => alfa.submit(freshInvoice() + freshInvoice())],
  'ERR-2012': [413, 'Document exceeds the configured size limit.', () => alfa.submit(new Uint8Array(10_485_761))],
  'ERR-2013': [400, null, () => alfa.post('/outbound', freshInvoice())],
  'ERR-2021': [400, 'Unknown codelist type.', () => alfa.get('/codelists/colours')],
  'ERR-3001': [404, 'Document not found.', () => alfa.get(`/outbound/${NOWHERE}`)],
  'ERR-3002': [404, null, async () => alfa.get(`/outbound/${await alfa.submitted()}/file?format=pdf`)],
  'ERR-3003': [409, null, cancelAccepted],
  'ERR-3004': [409, 'Document is already cancelled.', cancelTwice],
  'ERR-3005': [400, 'Requested page size exceeds the allowed maximum.', () => alfa.get('/inbound?pageSize=501')],
  'ERR-9000': [500, null, () => clientFor(service, 'demo-delta').get('/codelists/countries')],
  'ERR-9001': [409, null, () => clientFor(service, 'demo-gama').submit(freshInvoice())],
};

suite('errors: every code of the catalogue', () => {
  test('there are 26', () => assert.equal(Object.keys(CATALOGUE).length, 26));

  for (const [code, [status, title, call]] of Object.entries(CATALOGUE)) {
    test(`${code} is HTTP ${status}, problem+json with the six fields, and its type leads to a page about it`, async () => {
      const answer = await call();
      assertProblem(answer, code as ErrorCode);
      const problem = readProblem(answer);
      assert.deepEqual([answer.status, problem.status, problem.code], [status, status, code]);
      if (title !== null) assert.equal(problem.title, title);
      assert.equal(problem.type, `${service.url}/errors/${code}`);
      assert.ok(problem.title.trim() !== '' && problem.detail.trim() !== '');
      const page = await request(problem.type);
      assert.equal(page.status, 200);
      assert.match(page.headers.get('content-type') ?? '', /^text\/html(;|$)/u);
      assert.ok(page.text.includes(code));
    });
  }

  test('titles are stable: a code has the same one whatever went wrong', async () => {
    const answers = [await alfa.submit('no XML'), await alfa.submit(''), await alfa.submit('<a>')];
    assert.equal(new Set(answers.map((answer) => readProblem(answer).title)).size, 1);
    assert.equal(new Set(answers.map((answer) => readProblem(answer).detail)).size, 3);
  });

  test('every title is its own', async () => {
    const pages = await Promise.all(Object.keys(CATALOGUE).map((code) => request(`${service.url}/errors/${code}`)));
    const titles = pages.map(({ text }) => /<title>(.*)<\/title>/u.exec(text)?.[1]?.replace(/ERR-\d{4}/u, ''));
    assert.equal(new Set(titles).size, 26);
  });

  test('the catalogue has a page of its own that leads to every code', async () => {
    const { status, text } = await request(`${service.url}/errors`);
    assert.equal(status, 200);
    for (const code of Object.keys(CATALOGUE)) {
      const link = new RegExp(`href="([^"]*${code})"`, 'u').exec(text)?.[1] ?? '';
      assert.equal((await request(new URL(link, `${service.url}/errors`).href)).status, 200, code);
    }
  });

  test('a page for a code that does not exist is not there', async () => {
    for (const code of ['ERR-9999', 'err-1001', '__proto__', '%3Cscript%3E']) {
      assertPlainProblem(await request(`${service.url}/errors/${code}`), 404);
    }
  });

  test('an error is problem+json whatever is asked for in Accept', async () => {
    for (const accept of ['text/html', 'text/plain', 'application/xml', 'application/json;q=0', 'nonsense', '*/*']) {
      assertProblem(await alfa.get(`/outbound/${NOWHERE}`, { Accept: accept }), 'ERR-3001');
    }
  });
});
