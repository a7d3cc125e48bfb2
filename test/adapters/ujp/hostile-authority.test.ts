import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSimulator } from '../../../simulator/simulator.ts';
import { createCodeListSource } from '../../../src/adapters/ujp/code-list-source.ts';
import { AuthorityUnavailable } from '../../../src/application/code-list-source.ts';
import { ASKER, cannedAuthority, readCanned } from './canned-authority.ts';

const unavailable = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof AuthorityUnavailable);
  assert.match(error.message, message);
  return true;
};

const LIST = { success: true, errorStatus: null, paymentTypeList: [{ code: 'P10', description: 'Плаќање во готово' }] };

test('bytes are read as UTF-8 whatever the header claims', async (t) => {
  for (const contentType of ['application/json;charset=ISO-8859-1', 'text/plain; charset=windows-1251']) {
    const [entry] = await readCanned(t, { contentType, body: JSON.stringify(LIST) });
    assert.equal(entry?.name, 'Плаќање во готово');
  }
});

test('a byte order mark does no harm', async (t) => {
  assert.equal((await readCanned(t, { body: `\ufeff${JSON.stringify(LIST)}` })).length, 1);
});

test('bytes that are not UTF-8 are refused rather than guessed', async (t) => {
  const body = Buffer.from([...Buffer.from('{"paymentTypeList":[{"code":"'), 0xcf, 0xf0, ...Buffer.from('"}]}')]);
  await assert.rejects(readCanned(t, { body }), unavailable(/not JSON in UTF-8/u));
});

test('an HTML page with HTTP 200 is no list', async (t) => {
  const page = { contentType: 'text/html', body: '<html>Одржување</html>' };
  await assert.rejects(readCanned(t, page), (error: AuthorityUnavailable) => {
    assert.ok(error.cause instanceof SyntaxError);
    return unavailable(/HTTP 200 \(text\/html\), not JSON/u)(error);
  });
});

test('success false is a refusal even with HTTP 200, and its reason is told', async (t) => {
  const errorStatus = { errorCode: 'E4007', errorMessage: 'Премногу барања', errorPropertyMap: null };
  const body = JSON.stringify({ ...LIST, success: false, errorStatus });
  await assert.rejects(readCanned(t, { body }), unavailable(/E4007 Премногу барања/u));
});

test('the other error shape is understood too, single and several', async (t) => {
  const error = { code: 'E5000', message: 'Internal server error' };
  const several = [error, { code: 'E5001', message: 'Processing' }];
  await assert.rejects(
    readCanned(t, { status: 500, body: JSON.stringify(error) }),
    unavailable(/HTTP 500; E5000 Internal server error/u),
  );
  await assert.rejects(
    readCanned(t, { status: 500, body: JSON.stringify(several) }),
    unavailable(/E5000 Internal server error; E5001 Processing/u),
  );
});

test('an answer without its list, or with items nobody can read, is nonsense', async (t) => {
  for (const body of [
    '{}',
    'null',
    '[]',
    '"list"',
    '{"paymentTypeList":{}}',
    '{"paymentTypeList":[7,{"kod":"P10"}]}',
  ]) {
    await assert.rejects(readCanned(t, { body }), unavailable(/no readable paymentTypeList/u));
  }
});

test('an empty list is an answer', async (t) => {
  assert.deepEqual(await readCanned(t, { body: '{"success":true,"paymentTypeList":[]}' }), []);
});

test('an endless answer is cut off', async (t) => {
  const url = await cannedAuthority(t, (_request, response) => {
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', pour);
    pour();
  });
  const source = createCodeListSource({ urls: { test: url, production: null }, timeoutMs: 30_000 });
  await assert.rejects(source.read(ASKER, 'currencies'), unavailable(/more than 4194304 bytes/u));
});

test('a silent authority, or one that stops in the middle, runs out of time', async (t) => {
  const silent = await cannedAuthority(t, () => undefined);
  const stalling = await cannedAuthority(t, (_request, response) => response.write('{"success":'));
  const source = createCodeListSource({ urls: { test: silent, production: stalling }, timeoutMs: 50 });
  await assert.rejects(source.read(ASKER, 'currencies'), unavailable(/did not answer within 50 ms/u));
  const asker = { ...ASKER, environment: 'production' } as const;
  await assert.rejects(source.read(asker, 'currencies'), unavailable(/did not answer within 50 ms/u));
});

test('a connection cut before or within the answer is told with its cause', async (t) => {
  const before = await cannedAuthority(t, (request) => request.socket.destroy());
  const within = await cannedAuthority(t, (_request, response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('{"success":true,', () => response.destroy());
  });
  const source = createCodeListSource({ urls: { test: before, production: within }, timeoutMs: 5_000 });
  for (const environment of ['test', 'production'] as const) {
    await assert.rejects(source.read({ ...ASKER, environment }, 'currencies'), (error: AuthorityUnavailable) => {
      assert.ok(error.cause instanceof Error);
      return unavailable(/could not be read: /u)(error);
    });
  }
});

test('a redirect is not followed', async (t) => {
  const visited: unknown[] = [];
  const url = await cannedAuthority(t, (request, response) => {
    visited.push(request.url);
    response.writeHead(302, { location: '/elsewhere' }).end('{}');
  });
  const source = createCodeListSource({ urls: { test: url, production: null }, timeoutMs: 5_000 });
  await assert.rejects(source.read(ASKER, 'currencies'), unavailable(/HTTP 302/u));
  assert.deepEqual(visited, ['/api/v1/currency']);
});

test('nobody listening is unavailable', async () => {
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0 });
  await simulator.close();
  const source = createCodeListSource({ urls: { test: simulator.url, production: null }, timeoutMs: 5_000 });
  await assert.rejects(source.read(ASKER, 'currencies'), unavailable(/could not be read: .*ECONNREFUSED/u));
});
