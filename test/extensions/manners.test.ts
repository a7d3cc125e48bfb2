import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { type Answer, json, request } from '../contract/support/client.ts';
import { assertPlainProblem, assertProblem } from '../contract/support/problem.ts';
import { newTenant } from '../contract/support/tenant.ts';
import { until } from '../support/process.ts';
import { as, startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';

const service = await startTestService({ clock: clockAt(Date.now()) });
after(() => service.stop());
const root = `${service.url}${EXTENSIONS_ROOT}`;
const tenant = await newTenant(service);

suite('the extensions have the manners of the integration API', () => {
  test('a key is needed, and the software names itself', async () => {
    assertProblem(await request(`${root}/ping`), 'ERR-1001');
    assertProblem(await request(`${root}/ping`, { headers: as('unknown') }), 'ERR-1001');
    const { secret } = await tenant.withKey();
    assertProblem(await request(`${root}/ping`, { headers: { 'X-Api-Key': secret } }), 'ERR-1008');
    const answer = await request(`${root}/ping`, { headers: as(secret) });
    assert.deepEqual([answer.status, (json(answer) as { ok: boolean }).ok], [200, true]);
  });

  test('a key has one limit for both', async () => {
    const { secret, get } = await tenant.withKey({ callsPerMinute: 2 });
    const ping = () => request(`${root}/ping`, { headers: as(secret) });
    assert.deepEqual([(await get('/ping')).status, (await ping()).status], [200, 200]);
    assertProblem(await ping(), 'ERR-1006');
    assertProblem(await get('/ping'), 'ERR-1006');
  });

  test('unknown paths, methods and parameters are refused in the same way', async () => {
    const { secret } = await tenant.withKey();
    assertPlainProblem(await request(`${root}/nothing`, { headers: as(secret) }), 404);
    const wrong = await request(`${root}/ping`, { method: 'DELETE', headers: as(secret) });
    assertPlainProblem(wrong, 405);
    assert.equal(wrong.headers.get('allow'), 'GET, HEAD');
    assertPlainProblem(await request(`${root}/ping?colour=red`, { headers: as(secret) }), 400);
  });

  test('every call has an entry in the audit trail', async () => {
    const { secret, keyId } = await tenant.withKey();
    await request(`${root}/ping`, { headers: as(secret) });
    const everything = { tenant: tenant.edb, keyId, docUid: null, since: null, until: null, limit: 10 };
    const entries = await until('the entry', async () => {
      const found = await service.operator.readAudit(everything);
      return found.some(({ path }) => path === `${EXTENSIONS_ROOT}/ping`);
    });
    assert.ok(entries);
  });

  test('its description names its own calls alone', async () => {
    const { paths: described } = json(await request(`${root}/openapi.json`)) as { readonly paths: object };
    const paths = Object.keys(described);
    assert.ok(paths.includes(`${EXTENSIONS_ROOT}/ping`));
    assert.deepEqual(
      paths.filter((path) => !path.startsWith(EXTENSIONS_ROOT)),
      [],
    );
  });

  test('what is said is said in the language that is asked for', async () => {
    const { secret } = await tenant.withKey();
    const headers = as(secret, { 'Accept-Language': 'mk' });
    const refused = await request(`${root}/outbound`, { headers });
    assert.match(assertAsked(refused, 400), /^Наведете еден од параметрите documentNumber, sha256 и euid\.$/u);
    assert.match(assertAsked(await request(`${root}/changes?after=x`, { headers }), 400), /^Параметарот after/u);
    const judged = await request(`${root}/validate`, { method: 'POST', headers, body: '<Order/>' });
    assert.equal(judged.headers.get('content-language'), 'mk');
    const { findings } = json(judged) as { readonly findings: readonly { readonly message: string }[] };
    assert.match(findings[0]?.message ?? '', /^Коренскиот елемент е „Order“/u);
  });
});

function assertAsked(answer: Answer, status: number): string {
  assert.deepEqual([answer.status, answer.headers.get('content-language')], [status, 'mk']);
  return (json(answer) as { readonly detail: string }).detail;
}
