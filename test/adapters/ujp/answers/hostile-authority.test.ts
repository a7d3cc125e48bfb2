import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSimulator } from '../../../../simulator/simulator.ts';
import { AuthorityCallError } from '../../../../src/application/ports/authority.ts';
import { ALFA_TENANT } from '../services/client.ts';
import { cannedAuthority, codeListsAt, readCanned } from './canned-authority.ts';

const callError = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof AuthorityCallError);
  assert.match(error.message, message);
  return true;
};

const LIST = { success: true, errorStatus: null, paymentTypeList: [{ code: 'P10', description: 'Плаќање во готово' }] };

test('an answer is read as UTF-8 whatever charset its header declares', async (t) => {
  for (const contentType of ['application/json;charset=ISO-8859-1', 'text/plain; charset=windows-1251']) {
    const [entry] = await readCanned(t, { contentType, body: JSON.stringify(LIST) });
    assert.equal(entry?.name, 'Плаќање во готово');
  }
});

test('a byte order mark is ignored', async (t) => {
  assert.equal((await readCanned(t, { body: `\ufeff${JSON.stringify(LIST)}` })).length, 1);
});

test('an answer that is not UTF-8 is a call error; no other encoding is tried', async (t) => {
  const body = Buffer.from([...Buffer.from('{"paymentTypeList":[{"code":"'), 0xcf, 0xf0, ...Buffer.from('"}]}')]);
  await assert.rejects(readCanned(t, { body }), callError(/not JSON in UTF-8/u));
});

test('an HTML page with HTTP 200 is a call error with its cause', async (t) => {
  const page = { contentType: 'text/html', body: '<html>Одржување</html>' };
  await assert.rejects(readCanned(t, page), (error: AuthorityCallError) => {
    assert.ok(error.cause instanceof SyntaxError);
    return callError(/HTTP 200 \(text\/html\), not JSON/u)(error);
  });
});

test('success: false is a call error even with HTTP 200, and its message names the reported error', async (t) => {
  const errorStatus = { errorCode: 'E4007', errorMessage: 'Премногу барања', errorPropertyMap: null };
  const body = JSON.stringify({ ...LIST, success: false, errorStatus });
  await assert.rejects(readCanned(t, { body }), callError(/E4007 Премногу барања/u));
});

test('errors in the receiver’s shape are read too, one or several', async (t) => {
  const error = { code: 'E5000', message: 'Internal server error' };
  const several = [error, { code: 'E5001', message: 'Processing' }];
  await assert.rejects(
    readCanned(t, { status: 500, body: JSON.stringify(error) }),
    callError(/failed at .*\(HTTP 500\): E5000 Internal server error/u),
  );
  await assert.rejects(
    readCanned(t, { status: 500, body: JSON.stringify(several) }),
    callError(/E5000 Internal server error; E5001 Processing/u),
  );
});

test('an answer without its list, or without a readable item, is a call error', async (t) => {
  for (const body of ['{}', '{"paymentTypeList":{}}', '{"paymentTypeList":[7,{"kod":"P10"}]}']) {
    await assert.rejects(readCanned(t, { body }), callError(/no readable paymentTypeList/u));
  }
  for (const body of ['null', '[]', '"list"', '{"success":false}']) {
    await assert.rejects(readCanned(t, { body }), callError(/\(HTTP 200\), without a reason/u));
  }
});

test('further members of an entry are kept as details when they are plain values', async (t) => {
  const item = '{"code":"P10","description":"x","isActive":true,"note":null,"days":8,"__proto__":{"a":1},"more":[1]}';
  const [entry] = await readCanned(t, { body: `{"paymentTypeList":[${item}]}` });
  assert.deepEqual(entry?.details, { note: null, days: 8 });
  const [twisted] = await readCanned(t, { body: '{"paymentTypeList":[{"code":"P10","__proto__":7,"toString":"y"}]}' });
  assert.deepEqual(Object.entries(twisted?.details ?? {}), [['toString', 'y']]);
});

test('an empty list is a valid answer, unless every document needs it', async (t) => {
  const url = await cannedAuthority(t, (_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"success":true,"voidReasonList":[]}');
  });
  assert.deepEqual(await codeListsAt(url).read(ALFA_TENANT, 'void-reasons'), []);
  const empty = readCanned(t, { body: '{"success":true,"paymentTypeList":[]}' });
  await assert.rejects(empty, callError(/no readable paymentTypeList/u));
});

test('an endless answer is aborted at the size limit', async (t) => {
  const url = await cannedAuthority(t, (_request, response) => {
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', pour);
    pour();
  });
  const source = codeListsAt(url);
  await assert.rejects(source.read(ALFA_TENANT, 'currencies'), callError(/more than 4194304 bytes/u));
});

test('an answer in pieces of a byte takes no memory for each of them', async (t) => {
  const answer = JSON.stringify({ ...LIST, padding: ' '.repeat(10_000) });
  const url = await cannedAuthority(t, (_request, response) => {
    for (const byte of Buffer.from(answer)) response.write(Buffer.of(byte));
    response.end();
  });
  const joined = t.mock.method(Buffer, 'concat');
  assert.equal((await codeListsAt(url).read(ALFA_TENANT, 'payment-types')).length, 1);
  const pieces = joined.mock.calls.map(({ arguments: [list] }) => list.length);
  assert.ok(Math.max(...pieces) < 1_000, `${Math.max(...pieces)} pieces were held at a time`);
});

test('an authority that does not answer, or stops in the middle, times out', async (t) => {
  const silent = await cannedAuthority(t, () => undefined);
  const stalling = await cannedAuthority(t, (_request, response) => response.write('{"success":'));
  for (const url of [silent, stalling]) {
    const source = codeListsAt(url, { timeouts: { queryMs: 5_000, sendMs: 30_000 } });
    await assert.rejects(source.read(ALFA_TENANT, 'currencies'), callError(/did not answer within 5000 ms/u));
  }
});

test('a connection closed before or within the answer is a call error with its cause', async (t) => {
  const before = await cannedAuthority(t, (request) => request.socket.destroy());
  const within = await cannedAuthority(t, (_request, response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('{"success":true,', () => response.destroy());
  });
  for (const url of [before, within]) {
    await assert.rejects(codeListsAt(url).read(ALFA_TENANT, 'currencies'), (error: AuthorityCallError) => {
      assert.ok(error.cause instanceof Error);
      return callError(/closed the connection early: /u)(error);
    });
  }
});

test('a redirect is not followed', async (t) => {
  const visited: unknown[] = [];
  const url = await cannedAuthority(t, (request, response) => {
    visited.push(request.url);
    response.writeHead(302, { location: '/elsewhere' }).end('{}');
  });
  const source = codeListsAt(url);
  await assert.rejects(source.read(ALFA_TENANT, 'currencies'), callError(/HTTP 302/u));
  assert.deepEqual(visited, ['/api/v1/currency']);
});

test('a refused connection is a call error that says so', async () => {
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0 });
  await simulator.close();
  const source = codeListsAt(simulator.url);
  await assert.rejects(source.read(ALFA_TENANT, 'currencies'), callError(/could not be reached: .*ECONNREFUSED/u));
});
