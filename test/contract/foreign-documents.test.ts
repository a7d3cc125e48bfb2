import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { bytesOf } from '../support/ubl-samples.ts';
import { assertProblem } from './support/problem.ts';
import { newTenant } from './support/tenant.ts';

const service = await startTestService();
after(() => service.stop());

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
  'nothing at all': () => '',
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
