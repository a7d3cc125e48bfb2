import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { json } from './support/client.ts';
import { assertPlainProblem } from './support/problem.ts';
import { newTenant } from './support/tenant.ts';
import { walk } from './support/walk.ts';

/** Half past midnight in Skopje, still the day before in UTC. */
const NIGHT = '2026-07-14T22:30:00.000Z';
const clock = clockAt('2026-07-14T10:00:00.000Z');
const service = await startTestService({ clock });
after(() => service.stop());
const tenant = await newTenant(service);
const noon = await tenant.submitted();
clock.set(NIGHT);
const night = await tenant.submitted();
await walk(service, tenant.edb, night, [['cancel']]);

async function found(query: string): Promise<readonly unknown[]> {
  const answer = await tenant.get(`/outbound?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return (json(answer) as { readonly items: readonly { readonly docUid: string }[] }).items.map(({ docUid }) => docUid);
}

suite('filters of a list', () => {
  test('are named without regard to case and to blanks around the name', async () => {
    assert.deepEqual(await found('STATUS=10'), [noon]);
    assert.deepEqual(await found('pagesize=1&PAGE=2'), [noon]);
    assert.deepEqual(await found('%20pageSize=1&+page%09=2&status[]%C2%A0=10,60'), [noon]);
    assertPlainProblem(await tenant.get('/outbound?page=1&%20page=1'), 400);
    assert.equal((await tenant.get('/inbound?ONLYNOTIMPORTED=true&pagesize=3')).status, 200);
  });

  test('take several statuses repeated, with brackets, or separated by commas', async () => {
    const both = [night, noon];
    for (const query of ['status=10&status=60', 'status[]=10&status[]=60', 'status=10,60', 'status%5B%5D=60, 10']) {
      assert.deepEqual(await found(query), both, query);
    }
    assert.deepEqual(await found('status[]=60'), [night]);
    assert.deepEqual(await found('status=-2147483648,60,2147483647'), [night]);
  });

  test('that are blank filter nothing', async () => {
    const blank = 'status=&dateFrom=&dateTo=%20&partnerEdb=&page=&pageSize=';
    assert.deepEqual(await found(blank), [night, noon]);
    assert.equal((await tenant.get('/inbound?onlyNotImported=&senderEdb=%20')).status, 200);
    assert.equal((await tenant.get(`/outbound/${noon}/file?format=`)).status, 200);
  });

  test('of a name that the call does not know are refused, with the names it knows', async () => {
    for (const [path, name] of [
      ['/inbound?onlyNotimportd=true', 'onlyNotimportd'],
      ['/inbound?status=60', 'status'],
      ['/outbound?onlyNotImported=true', 'onlyNotImported'],
      ['/outbound?page[]=1', 'page[]'],
      ['/outbound?constructor=1', 'constructor'],
      [`/outbound/${noon}/file?formt=pdf`, 'formt'],
    ] as const) {
      const detail = assertPlainProblem(await tenant.get(path), 400);
      assert.ok(detail.includes(`“${name}”`) && /Known are: \w+/u.test(detail), detail);
    }
  });

  test('by a date without a time include that day, by the calendar of Skopje', async () => {
    assert.deepEqual(await found('dateTo=2026-07-14'), [noon]);
    assert.deepEqual(await found('dateFrom=2026-07-15&dateTo=2026-07-15'), [night]);
    assert.deepEqual(await found('dateFrom=2026-07-14&dateTo=2026-07-15'), [night, noon]);
    assert.deepEqual(await found('dateFrom=2026-07-16'), []);
  });
});
