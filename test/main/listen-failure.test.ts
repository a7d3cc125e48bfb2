import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { listenFailure } from '../../src/main/listen-failure.ts';

/** The error that a server really gets. */
async function failureOf(port: number, host: string): Promise<unknown> {
  const server = createServer();
  server.listen(port, host);
  const [error] = (await once(server, 'error')) as [unknown];
  return error;
}

async function takenPort(t: TestContext): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function told(error: unknown, variables: Readonly<Record<string, string>>): string | undefined {
  return listenFailure(error, readConfig({ DEMO_PUBLIC: 'yes', ...variables }))?.message;
}

test('a port that is taken is named with the variable to change', async (t) => {
  const port = await takenPort(t);
  const error = await failureOf(port, '127.0.0.1');
  const inUse = `127.0.0.1:${port} is in use by another program, or by this one for something else.`;
  for (const name of ['PORT', 'OPS_PORT'])
    assert.equal(told(error, { [name]: String(port) }), `${inUse} Set ${name} to a free port, or end that program.`);
  for (const first of [port, port - 1]) {
    const advice = 'Set SIMULATOR_PORT, which takes the next port too, to a free port, or end that program.';
    assert.equal(told(error, { SIMULATOR_PORT: String(first) }), `${inUse} ${advice}`);
  }
});

test('an address that is not of this machine is named with its variable, also where any port will do', async () => {
  for (const port of [0, 9_000]) {
    const error = await failureOf(port, '192.0.2.1');
    const expected = (name: string) => `${name}: 192.0.2.1 is no address of this machine.`;
    assert.equal(told(error, { HOST: '192.0.2.1', PORT: String(port) }), expected('HOST'));
    const ports = { PORT: '0', OPS_PORT: String(port) };
    assert.equal(told(error, { OPS_HOST: '192.0.2.1', ...ports }), expected('OPS_HOST'));
  }
});

test('an address that the machine knows and cannot listen on is named with its variable', async () => {
  // Of a network card that is not named.
  const error = await failureOf(0, 'fe80::1');
  assert.match(told(error, { HOST: 'fe80::1', PORT: '0' }) ?? '', /^HOST: listen E[A-Z]+: .*fe80::1.*\.$/u);
});

test('what is no address at all is named with its variable', async () => {
  const error = await failureOf(0, '[::1]');
  for (const name of ['HOST', 'OPS_HOST'])
    assert.match(told(error, { [name]: '[::1]' }) ?? '', new RegExp(`^${name}: \\[::1\\] is neither an address`, 'u'));
});

test('a port that only root may have is named with the variable to change', () => {
  const error = Object.assign(new Error('listen EACCES: permission denied 127.0.0.1:80'), {
    code: 'EACCES',
    syscall: 'listen',
    address: '127.0.0.1',
    port: 80,
  });
  const expected = /^127\.0\.0\.1:80 is closed to this user: ports below 1024 .+ Set PORT to another one\.$/u;
  assert.match(told(error, { PORT: '80' }) ?? '', expected);
});

test('any other failure is left as it is', () => {
  const lookup = { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'db.invalid' };
  const file = { code: 'EACCES', syscall: 'open', path: '/x' };
  for (const facts of [lookup, file, {}])
    assert.equal(told(Object.assign(new Error('it failed'), facts), {}), undefined);
});
