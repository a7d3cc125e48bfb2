import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthorityClock } from '../../../../src/adapters/ujp/gateway/authority-clock.ts';
import { skopjeTime } from '../../../../src/adapters/ujp/gateway/skopje-time.ts';
import { AuthorityCallError } from '../../../../src/application/ports/authority.ts';
import { clockAt } from '../../../support/test-clock.ts';
import { cannedAuthority } from '../answers/canned-authority.ts';
import { ALFA_TENANT, callErrorKindOf, callErrorOf, clientAt, prepared, startWithClient } from '../services/client.ts';

const MINUTE_MS = 60_000;
const START = Date.parse('2026-11-15T09:00:00Z');

/** Our clock and the authority's, which is ahead of it. */
function clocks(aheadMs = 0, start = START) {
  const clock = clockAt(start);
  const asked: string[] = [];
  const wrong = { ms: aheadMs };
  const { serverTime, requestTimestamp, sinceRequestMs, forget } = createAuthorityClock({
    clock,
    async fetchServerTime(environment) {
      asked.push(environment);
      return { timestamp: skopjeTime(clock.now() + wrong.ms) };
    },
  });
  return { clock, asked, wrong, serverTime, requestTimestamp, sinceRequestMs, forget };
}

test('a request states the authority’s time, however wrong our own clock is', async () => {
  for (const ahead of [0, 7 * MINUTE_MS, -90 * MINUTE_MS, 400 * 24 * 60 * MINUTE_MS]) {
    const { clock, requestTimestamp } = clocks(ahead);
    assert.equal(await requestTimestamp('test'), skopjeTime(START + ahead));
    clock.advance(3 * MINUTE_MS);
    assert.equal(await requestTimestamp('test'), skopjeTime(START + ahead + 3 * MINUTE_MS));
  }
});

test('the offset is measured once in ten minutes for each installation, and again after it was wrong', async () => {
  const { clock, asked, wrong, requestTimestamp, forget } = clocks();
  await Promise.all([requestTimestamp('test'), requestTimestamp('test'), requestTimestamp('production')]);
  assert.deepEqual(asked, ['test', 'production']);
  clock.advance(10 * MINUTE_MS - 1);
  await requestTimestamp('test');
  assert.equal(asked.length, 2);
  clock.advance(1);
  await requestTimestamp('test');
  assert.equal(asked.length, 3);
  wrong.ms = 30 * MINUTE_MS;
  forget('test');
  assert.equal(await requestTimestamp('test'), skopjeTime(clock.now() + 30 * MINUTE_MS));
  clock.advance(-MINUTE_MS);
  await requestTimestamp('test');
  assert.equal(asked.length, 5, 'measured again after our clock was set back');
});

test('timestamps are right in the hour that the end of summer time repeats', async () => {
  for (const start of ['2026-10-25T00:59:30Z', '2026-10-25T01:00:30Z', '2026-10-25T01:59:30Z']) {
    const { clock, requestTimestamp } = clocks(0, Date.parse(start));
    for (let minutes = 0; minutes < 5; minutes += 1) {
      assert.equal(await requestTimestamp('test'), skopjeTime(clock.now()));
      clock.advance(MINUTE_MS);
    }
  }
});

test('how long ago a request was made goes by the authority’s clock alone, asked for each time', async () => {
  const { clock, asked, wrong, sinceRequestMs } = clocks(-60 * MINUTE_MS);
  const madeAt = skopjeTime(START - 60 * MINUTE_MS);
  assert.equal(await sinceRequestMs('test', madeAt), -999, 'made within the second that it states');
  clock.advance(5 * MINUTE_MS);
  wrong.ms -= 2 * MINUTE_MS;
  assert.equal(await sinceRequestMs('test', madeAt), 3 * MINUTE_MS - 999);
  assert.equal(await sinceRequestMs('test', START - 60 * MINUTE_MS), 3 * MINUTE_MS, 'by an instant');
  assert.equal(asked.length, 3);
  await assert.rejects(sinceRequestMs('test', 'yesterday'), /no time of a request/u);
});

test('in the hour that the end of summer time repeats, a request is never taken for older than it is', async () => {
  for (const minute of [10, 50, 70, 110]) {
    const made = Date.parse('2026-10-25T00:00:00Z') + minute * MINUTE_MS;
    for (const later of [1, 6, 55, 65]) {
      const { sinceRequestMs } = clocks(0, made + later * MINUTE_MS);
      assert.ok((await sinceRequestMs('test', skopjeTime(made))) <= later * MINUTE_MS);
    }
  }
  const { sinceRequestMs } = clocks(0, Date.parse('2026-10-25T02:30:00Z'));
  assert.equal(await sinceRequestMs('test', '2026-10-25T02:20:00'), 70 * MINUTE_MS - 999, 'and known again after it');
});

test('a failed measurement is not kept', async () => {
  const clock = clockAt(START);
  const answers = [{ timestamp: 'soon' }, {}, { timestamp: '2026-11-15T10:00:00' }];
  const { requestTimestamp } = createAuthorityClock({ clock, fetchServerTime: async () => answers.shift() ?? {} });
  for (let times = 0; times < 2; times += 1) {
    await assert.rejects(
      requestTimestamp('test'),
      (error) => error instanceof AuthorityCallError && error.kind === 'error',
    );
  }
  assert.equal(await requestTimestamp('test'), '2026-11-15T10:00:00');
});

test('the server time is fetched without caller headers and without pacing', async (t) => {
  const seen: unknown[] = [];
  const url = await cannedAuthority(t, (request, response) => {
    seen.push(request.url, request.headers['x-eujp-id'], request.headers['x-edb']);
    response.end('{"timestamp":"2026-11-15T10:00:07"}');
  });
  const { client, turns } = clientAt(url);
  assert.equal(await client.serverTime('test'), START + 7_000);
  assert.equal(await client.requestTimestamp({ ...ALFA_TENANT, eujpId: null }), '2026-11-15T10:00:07');
  assert.deepEqual(seen.slice(0, 3), ['/api/v1/server-time', undefined, undefined]);
  assert.deepEqual(turns, []);
  assert.equal((await callErrorOf(client.serverTime('production'))).kind, 'credentials');
});

test('after a timestamp was refused the offset is measured again, and the repeated call succeeds', async (t) => {
  const clock = clockAt(START);
  const { client, authority } = await startWithClient(t, {}, { clock });
  const document = prepared();
  const first = await client.requestTimestamp(ALFA_TENANT);
  authority.clock.advance(6 * MINUTE_MS);
  assert.equal(await callErrorKindOf(client.send(ALFA_TENANT, document, first)), 'error, certain');
  const second = await client.requestTimestamp(ALFA_TENANT);
  assert.notEqual(second, first);
  assert.match((await client.send(ALFA_TENANT, document, second)).euid, /-/u);
  authority.clock.advance(6 * MINUTE_MS);
  assert.equal(await callErrorKindOf(client.statusChanges(ALFA_TENANT, '2026-11-15')), 'error, certain');
  assert.equal((await client.statusChanges(ALFA_TENANT, '2026-11-15')).length, 1);
});
