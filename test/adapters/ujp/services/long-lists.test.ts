import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { isTooMuch } from '../../../../src/adapters/ujp/answers/answer-error.ts';
import { createAnswerRoom, exchangeOverHttp } from '../../../../src/adapters/ujp/gateway/authority-http.ts';
import { listInParts } from '../../../../src/adapters/ujp/services/list-in-parts.ts';
import { NoRoomForAnswer } from '../../../../src/application/errors/authority-answers.ts';
import { NoTurnInTime } from '../../../../src/application/ports/pace.ts';
import { steadyTimers } from '../../../support/steady-time.ts';
import { cannedAuthority, clientOfCanned } from '../answers/canned-authority.ts';
import { ALFA_TENANT, type ClientOptions, callErrorKindOf, callErrorOf } from './client.ts';

/** As large as an answer may be; whatever it comes with makes it too large. */
const FILLING = Buffer.alloc(32 * 1_048_576, ' ');
const EUID = '019b8d43-7840-7433-b358-08891b536000';

const FIRST = '2026-11-01';
const LAST = '2026-11-05';

type BusyOptions = {
  readonly fits?: number;
  readonly areIdsTooMany?: boolean;
  /** How a list that is too much is answered. */
  readonly tooMany?: (response: ServerResponse) => unknown;
  readonly options?: Partial<ClientOptions>;
};

function tooLong(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(FILLING);
  response.end('{}');
}

const failing = (status: number, errorCode: string) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ success: false, errorStatus: { errorCode, errorMessage: 'x' } }));
};

/** What is not there in time for a proxy, for the authority itself, and for us. */
const LATE: readonly BusyOptions[] = [
  { tooMany: (response) => response.writeHead(504, { 'content-type': 'text/html' }).end('<html>') },
  { tooMany: failing(200, 'E4009') },
  { tooMany: () => undefined, options: { timeouts: { queryMs: 1_000, sendMs: 1_000 } } },
];

/** One document, and that there are others. */
function pageOfSeveral(response: ServerResponse): void {
  const row = { euid: EUID, docDate: '2026-11-03', docNumber: '03', statusCode: '03' };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ success: true, invoices: [row], euids: [EUID], last: false, totalPages: 2 }));
}

type Span = { readonly dateFrom: string; readonly dateTo: string };

/** A document for each day of November up to the fifth. Of a list that has the third, which is a busy day, so many fit into an answer. */
async function clientOfBusy(
  t: TestContext,
  { fits = 0, areIdsTooMany = false, tooMany = tooLong, options = {} }: BusyOptions = {},
) {
  const asked: string[] = [];
  const documents = ['01', '02', '03', '04', '05'].map((day) => ({
    euid: EUID.replace(/00$/u, day),
    docDate: `2026-11-${day}`,
    docNumber: day,
    statusCode: '03',
  }));
  const { client } = await clientOfCanned(
    t,
    (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { jws } = JSON.parse(Buffer.concat(parts).toString()) as { readonly jws: string };
        const span = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()) as Span;
        const { dateFrom, dateTo } = span;
        const areIds = request.url?.endsWith('/sales-invoice/ids') === true;
        asked.push(`${areIds ? 'ids ' : ''}${dateFrom.slice(-2)}-${dateTo.slice(-2)}`);
        const listed = documents.filter(({ docDate }) => docDate >= dateFrom && docDate <= dateTo);
        const isBusy = listed.length > fits && listed.some(({ docNumber }) => docNumber === '03');
        if (areIds ? areIdsTooMany : isBusy) return void tooMany(response);
        response.writeHead(200, { 'content-type': 'application/json' });
        const answer = areIds ? { euids: listed.map(({ euid }) => euid) } : { invoices: listed };
        response.end(JSON.stringify({ success: true, errorStatus: null, ...answer }));
      });
    },
    options,
  );
  return { client, asked, documents };
}

test('what is registered is compared also where the list of the days does not fit into an answer', async (t) => {
  const quiet = await clientOfBusy(t, { fits: 5 });
  assert.equal((await quiet.client.registeredBetween(ALFA_TENANT, FIRST, LAST)).length, 5);
  assert.deepEqual(quiet.asked, ['01-05']);
  const { client, asked, documents } = await clientOfBusy(t);
  const found = await client.registeredBetween(ALFA_TENANT, FIRST, LAST);
  assert.deepEqual(
    found.map(({ registration }) => registration.euid),
    documents.map(({ euid }) => euid),
  );
  assert.deepEqual(asked, ['01-05', '01-03', '01-02', '03-03', 'ids 03-03', '04-05']);
  assert.deepEqual(
    found.map(({ registration: { status, isStatusUnread } }) => [status.code, isStatusUnread]),
    [...['03', '03'].map((code) => [code, undefined]), ['01', true], ...['03', '03'].map((code) => [code, undefined])],
  );
});

test('a day of which not even the EUIDs fit into an answer is not taken for one without documents', async (t) => {
  const { client } = await clientOfBusy(t, { areIdsTooMany: true });
  assert.equal(await callErrorKindOf(client.registeredBetween(ALFA_TENANT, FIRST, LAST)), 'error, uncertain');
});

test('arrivals are collected also where the list of the days does not fit into an answer', async (t) => {
  const { client, asked, documents } = await clientOfBusy(t, { fits: 1 });
  const { listed, unreadableRows } = await client.arrivals(ALFA_TENANT, FIRST, LAST);
  assert.deepEqual(
    listed.map(({ euid }) => euid),
    documents.map(({ euid }) => euid),
  );
  assert.deepEqual([asked, unreadableRows], [['01-05', '01-03', '01-02', '03-03', '04-05'], []]);
  const alone = await clientOfBusy(t);
  assert.equal(await callErrorKindOf(alone.client.arrivals(ALFA_TENANT, FIRST, LAST)), 'error, uncertain');
});

test('lists that do not come in time, or in pages, are asked for in parts as well', async (t) => {
  for (const late of LATE) {
    const comparing = await clientOfBusy(t, late);
    assert.equal((await comparing.client.registeredBetween(ALFA_TENANT, FIRST, LAST)).length, 5);
    assert.deepEqual(comparing.asked, ['01-05', '01-03', '01-02', '03-03', 'ids 03-03', '04-05']);
    const collecting = await clientOfBusy(t, { ...late, fits: 1 });
    assert.equal((await collecting.client.arrivals(ALFA_TENANT, FIRST, LAST)).listed.length, 5);
    assert.deepEqual(collecting.asked, ['01-05', '01-03', '01-02', '03-03', '04-05']);
  }
  const paged = await clientOfBusy(t, { tooMany: pageOfSeveral });
  assert.equal((await paged.client.registeredBetween(ALFA_TENANT, FIRST, LAST)).length, 5);
  const pagedArrivals = await clientOfBusy(t, { tooMany: pageOfSeveral, fits: 1 });
  assert.equal((await pagedArrivals.client.arrivals(ALFA_TENANT, FIRST, LAST)).listed.length, 5);
  const other = await clientOfBusy(t, { tooMany: failing(500, 'E5000') });
  assert.equal(await callErrorKindOf(other.client.arrivals(ALFA_TENANT, FIRST, LAST)), 'error, uncertain');
  assert.deepEqual(other.asked, ['01-05'], 'an outage costs one request');
});

test('what had no turn in the line of its user is not asked for in parts: each would wait as long', async () => {
  const asked: string[] = [];
  const list = async (from: string, to: string) => {
    asked.push(`${from} ${to}`);
    throw new NoTurnInTime('others came first');
  };
  await assert.rejects(listInParts(FIRST, LAST, list), NoTurnInTime);
  assert.deepEqual(asked, [`${FIRST} ${LAST}`]);
});

test('large answers that come at once share their memory: what finds no room is asked for in parts', async (t) => {
  const url = new URL(
    await cannedAuthority(t, (request, response) => void response.end(Buffer.alloc(Number(request.url?.slice(1))))),
  );
  const room = createAnswerRoom({ totalBytes: 300_000, smallBytes: 10_000 });
  const ask = async (bytes: number) => {
    const request = { method: 'GET', headers: {}, body: null, timeoutMs: 600_000, maxAnswerBytes: 1_000_000 } as const;
    const answer = await exchangeOverHttp(steadyTimers, { ...request, url: new URL(`/${bytes}`, url) }, { room });
    return answer.bytes.length;
  };
  assert.equal(await ask(900_000), 900_000, 'alone it may be larger than the room');
  const other = room.enter();
  assert.ok(other.add(250_000));
  const refused = await callErrorOf(ask(60_000));
  assert.ok(refused instanceof NoRoomForAnswer, 'whoever would give up what is too large must tell them apart');
  assert.deepEqual([isTooMuch(refused), refused.kind, refused.isUncertain], [true, 'error', true]);
  assert.match(refused.message, /more than there is room for beside other large answers$/u);
  assert.equal(await ask(40_000), 40_000, 'what failed has left its room');
  other.add(250_000);
  assert.equal(await ask(9_000), 9_000, 'a small one needs none');
  other.leave();
  assert.equal(await ask(60_000), 60_000);
});

test('small answers take nothing of the room of large ones: beside any number of them one has all of it, and more', () => {
  const room = createAnswerRoom({ totalBytes: 300_000, smallBytes: 10_000 });
  const small = Array.from({ length: 100 }, () => room.enter());
  assert.ok(small.every(({ add }) => add(10_000)));
  const large = room.enter();
  assert.ok(large.add(900_000));
  const [growing = assert.fail()] = small;
  assert.ok(!growing.add(1), 'one that grows beyond a small one is a large one');
  growing.leave();
  assert.ok(large.add(1));
  large.leave();
  const next = room.enter();
  assert.ok(next.add(200_000));
  assert.ok(room.enter().add(100_000), 'what has left holds nothing');
});
