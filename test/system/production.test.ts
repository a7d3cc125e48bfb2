import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openFoundation } from '../../src/app/foundation.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import type { Operator } from '../../src/cli/operator.ts';
import { readConfig } from '../../src/config.ts';
import { postgresServer, startPostgres } from '../support/postgres.ts';
import { freePort, isListening, PROJECT, serviceAt, startDostava, temporaryFolder } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { operatorBeside } from './operator-beside.ts';

const AUTHORITY = ['AUTHORITY_PRODUCTION_URL', 'AUTHORITY_PRODUCTION_RECEIVER_URL', 'AUTHORITY_PRODUCTION_PORTAL_URL'];
const REQUIRED = ['PUBLIC_URL', 'DATA_DIR', ...AUTHORITY, 'CREDENTIALS_KEY'];
const DEMO_KEYS = ['alfa', 'beta', 'gama', 'delta', 'expired', 'revoked', 'address', 'scope', 'limited'];

test('with nothing set it does not start and names everything that is missing at once', async (t) => {
  const { exitCode, stdout, stderr } = await startDostava(t, ['serve'], { ENVIRONMENT: 'production' }).finished();
  assert.deepEqual({ exitCode, stdout }, { exitCode: 1, stdout: '' });
  for (const name of REQUIRED) assert.match(stderr, new RegExp(`^  - ${name}: missing`, 'mu'));
  assert.equal(stderr.match(/^ {2}- /gmu)?.length, REQUIRED.length);
  assert.doesNotMatch(stderr, /^\s+at /mu);
});

test('wrong values are named together with what is missing, without the values', async (t) => {
  const wrong = {
    PORT: 'secret-1',
    LOG_LEVEL: 'secret-2',
    PUBLIC_URL: 'secret-3',
    TRUST_PROXY: 'secret-4',
    DATABASE_URL: 'mysql://user:secret-5@host/db',
    CREDENTIALS_KEY: 'secret-6',
  };
  const variables = { ENVIRONMENT: 'production', ...wrong };
  const { exitCode, stderr } = await startDostava(t, ['serve'], variables).finished();
  assert.equal(exitCode, 1);
  const named = [...stderr.matchAll(/^ {2}- (\w+):/gmu)].map(([, name]) => name);
  const expected = [...Object.keys(wrong), ...AUTHORITY];
  assert.deepEqual(named.toSorted(), expected.toSorted());
  assert.doesNotMatch(stderr, /secret/u);
});

test('an environment that does not exist is refused, not taken for the demo', async (t) => {
  const { exitCode, stderr } = await startDostava(t, ['serve'], { ENVIRONMENT: 'prod' }).finished();
  assert.equal(exitCode, 1);
  assert.match(stderr, /ENVIRONMENT: must be one of demo, production/u);
});

test('on a fresh folder it seeds nothing, starts no simulator and takes only keys that were issued', async (t) => {
  const folder = temporaryFolder();
  const { service, variables, simulatorPort } = await startProduction(t, { DATA_DIR: folder });
  const operator = await operatorBeside(t, variables);
  assert.equal(await isListening(simulatorPort), false);
  assert.equal(await isListening(simulatorPort + 1), false);
  assert.equal(existsSync(join(folder, 'credentials.key')), false);
  const [tenants, keys] = await Promise.all([operator.tenants.list(), operator.keys.list(null)]);
  assert.deepEqual({ tenants, keys }, { tenants: [], keys: [] });
  await refusesDemoKeys(service);
  await showsNothingOfTheDemo(service.url);
  await assert.rejects(
    operator.stageOutage('production', '502-html'),
    /^OperatorError: Outages can be simulated only in the demo/u,
  );

  const key = await issueKey(operator);
  const ping = await service.call(key, '/ping');
  assert.equal(ping.status, 200);
  const inbound = (await (await service.call(key, '/inbound')).json()) as { readonly totalCount: number };
  assert.equal(inbound.totalCount, 0);
  await service.stop();
});

test('it does not start on an empty place: a mistyped folder or a missing disk would be a new, empty database', async (t) => {
  const DATA_DIR = join(temporaryFolder(), 'mistyped');
  const DATABASE_URL = await (await postgresServer()).createDatabase();
  for (const [place, said] of [
    [{ DATA_DIR }, `There is no database ${join(DATA_DIR, 'dostava.sqlite')}. Is DATA_DIR right? "dostava init"`],
    [{ DATABASE_URL }, 'The database of DATABASE_URL has no tables. Is it the right one? "dostava init"'],
  ] as const) {
    const variables = { ...(await productionVariables()), ...place };
    const { exitCode, stdout, stderr } = await startDostava(t, ['serve'], variables).finished();
    assert.deepEqual({ exitCode, stdout }, { exitCode: 1, stdout: '' });
    assert.ok(stderr.startsWith(said), stderr);
  }
  assert.equal(existsSync(DATA_DIR), false);
});

/** The files of a folder but for the log of the database, which comes and goes. */
const filesOf = (folder: string) => readdirSync(folder).filter((name) => !/-(?:wal|shm)$/u.test(name));

test('the demo does not start on a folder of production, nor production on one of the demo, and nothing is changed', async (t) => {
  const folder = temporaryFolder();
  const variables = { ...(await productionVariables()), DATA_DIR: folder };
  const operator = await operatorBeside(t, variables);
  await issueKey(operator);
  const before = await operator.keys.list(null);
  const ports = { PORT: '0', OPS_PORT: '0', SIMULATOR_PORT: '0' };
  for (const words of [['serve'], ['tenant', 'list']]) {
    const demo = await startDostava(t, words, { DATA_DIR: folder, ...ports }).finished();
    assert.deepEqual([demo.exitCode, demo.stdout], [1, '']);
    assert.match(demo.stderr, /^The database belongs to the environment production, and ENVIRONMENT is demo/u);
  }
  assert.deepEqual(filesOf(folder), ['dostava.sqlite'], 'no key and no simulator');
  assert.deepEqual(await operator.keys.list(null), before);

  const demo = await startTestService();
  await demo.stop();
  const production = { ...(await productionVariables()), ...demo.database };
  const { exitCode, stderr } = await startDostava(t, ['serve'], production).finished();
  assert.equal(exitCode, 1);
  assert.match(stderr, /^The database belongs to the environment demo, and ENVIRONMENT is production\./u);
});

test('on PostgreSQL it needs no folder; while that is down every call gets a 503, and when it is back the service is too', async (t) => {
  const server = await startPostgres(['fsync=off']);
  const { service, variables } = await startProduction(t, { DATABASE_URL: await server.createDatabase() });
  const [line] = await service.waitFor(/^.*the database may lose what was answered.*$/mu);
  assert.deepEqual((JSON.parse(line) as { readonly settings: unknown }).settings, ['fsync'], 'it flushes nothing');
  const key = await issueKey(await operatorBeside(t, variables));
  const headers = { 'X-Idempotency-Key': 'first' };
  const body = readFileSync(join(PROJECT, 'docs', 'examples', 'invoice.xml'));
  assert.equal((await service.call(key, '/outbound', { method: 'POST', headers, body })).status, 201);
  await server.stop();
  for (const path of ['/outbound', '/inbound', '/codelists/currencies']) {
    const { status, headers } = await service.call(key, path);
    assert.deepEqual([status, headers.get('content-type')?.split(';')[0]], [503, 'application/problem+json'], path);
    assert.ok(Number(headers.get('retry-after')) > 0);
  }
  await server.start();
  assert.equal((await service.call(key, '/outbound')).status, 200);
  await service.stop();
  const lines = service
    .stdout()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const said = (text: string) => lines.filter(({ msg }) => msg === text).length;
  assert.ok(said('the database cannot be used; work waits for it') <= 2, 'a line for a state, not for a call');
  assert.equal(said('Dostava has stopped'), 1);
  const { configuration } = (lines.find((line) => 'configuration' in line) ?? {}) as {
    readonly configuration: Readonly<Record<string, string>>;
  };
  assert.deepEqual([configuration['DATABASE_URL'], configuration['CREDENTIALS_KEY']], ['(set)', '(set)']);
  assert.equal(configuration['PORT'], variables.PORT);
  const { CREDENTIALS_KEY: secret } = variables;
  assert.ok(!service.stdout().includes(secret), 'the key is not in it');
});

test('a database that cannot be reached keeps it from starting; neither address nor password are told', async (t) => {
  const database = { DATABASE_URL: 'postgres://someone:s3cret@127.0.0.1:9/dostava?application_name=x' };
  const variables = { ...(await productionVariables()), ...database };
  const { exitCode, stdout, stderr } = await startDostava(t, ['serve'], variables).finished();
  assert.deepEqual({ exitCode, stdout }, { exitCode: 1, stdout: '' });
  assert.match(stderr, /^The database cannot serve at this moment\. .*ECONNREFUSED.*\n$/u);
  assert.doesNotMatch(stderr, /s3cret|someone|postgres:/u);
});

async function issueKey({ tenants, keys }: Operator): Promise<string> {
  const edb = readEdb('4030026000018');
  await tenants.add({ edb, name: 'First', environment: 'production', outboundEnabled: true, eujpId: null });
  return (await keys.issue({ tenant: edb, software: 'ledger' })).secret;
}

async function startProduction(
  t: TestContext,
  place: { readonly DATA_DIR: string } | { readonly DATABASE_URL: string },
) {
  const variables = { ...(await productionVariables()), ...place };
  // As `dostava init` makes it.
  await (await openFoundation(readConfig(variables))).engine.close();
  const running = startDostava(t, ['serve'], variables);
  await running.waitFor(/Dostava listens on/u);
  const service = { ...running, ...serviceAt(running, `http://127.0.0.1:${variables.PORT}`) };
  return { service, variables, simulatorPort: Number(variables.SIMULATOR_PORT) };
}

async function productionVariables() {
  const port = await freePort();
  const simulatorPort = await freePort();
  return {
    ENVIRONMENT: 'production',
    PORT: String(port),
    OPS_PORT: '0',
    SIMULATOR_PORT: String(simulatorPort),
    PUBLIC_URL: 'https://invoices.example/',
    // Port 9 is for discarding: nothing answers there.
    AUTHORITY_PRODUCTION_URL: 'https://127.0.0.1:9/einvoice_api',
    AUTHORITY_PRODUCTION_RECEIVER_URL: 'https://127.0.0.1:9/JSONReceiver',
    AUTHORITY_PRODUCTION_PORTAL_URL: 'https://127.0.0.1:9',
    CREDENTIALS_KEY: randomBytes(32).toString('base64'),
  };
}

async function showsNothingOfTheDemo(url: string) {
  for (const path of ['/', '/docs']) {
    const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } });
    const page = await response.text();
    assert.deepEqual([response.status, /demo-|<form|tour/u.test(page)], [200, false], path);
  }
}

async function refusesDemoKeys({ call }: Pick<Awaited<ReturnType<typeof startProduction>>['service'], 'call'>) {
  for (const name of DEMO_KEYS) {
    const response = await call(`demo-${name}`, '/ping');
    const problem = (await response.json()) as { readonly code: string; readonly type: string };
    assert.deepEqual([response.status, problem.code], [401, 'ERR-1001'], name);
    assert.equal(problem.type, 'https://invoices.example/errors/ERR-1001');
  }
}
