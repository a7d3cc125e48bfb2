import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import type { Operator } from '../../src/cli/operator.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { findingText } from '../../src/domain/messages/finding-text.ts';
import { demoTour } from '../../src/http/pages/demo-tour.ts';
import { errorCommand } from '../../src/http/pages/error-pages.ts';
import {
  freePort,
  PROJECT,
  type RunningService,
  startService,
  temporaryFolder,
  type Variables,
} from '../support/process.ts';
import { CANNOT_PASTE, paste, pasteEach } from './bash.ts';
import { operatorBeside } from './operator-beside.ts';

const TENANTS = ['Alfa', 'Beta', 'Delta', 'Gama'];
const KEYS = ['address', 'alfa', 'beta', 'delta', 'expired', 'gama', 'limited', 'revoked', 'scope'];

const [ALFA, DELTA] = [readEdb('4030026000018'), readEdb('5012026000048')];
/** An EUJP-ID, a certificate, no stop; the rest is asked for at the authority. */
const MOST_CHECKS_HERE = 3;

type Page = { readonly totalCount: number; readonly items: readonly { readonly docUid: string }[] };

test('without configuration the service runs the demo environment and tells how to use it', async (t) => {
  const dataDir = temporaryFolder();
  // Known to the operator beside it, who asks the simulated authority, too.
  const variables = { DATA_DIR: dataDir, SIMULATOR_PORT: String(await freePort()), AUTHORITY_PACE_MS: '0' };
  const service = await startService(t, variables);
  const welcome = service.stdout();
  const serials = await serialsOf(await operatorBeside(t, variables));

  await t.test('it prints where it listens and where the documentation is', async () => {
    assert.ok(welcome.includes(service.api));
    for (const file of ['README.md', 'docs/errors.md']) {
      assert.ok(welcome.includes(file), file);
      assert.ok(existsSync(join(PROJECT, file)), file);
    }
    for (const address of [`${service.url}/errors`, `${service.api}/openapi.json`, `${service.opsUrl}/metrics`]) {
      assert.ok(welcome.includes(address), address);
      assert.equal((await fetch(address)).status, 200, address);
    }
  });

  await t.test('the commands it prints work when they are pasted', { skip: CANNOT_PASTE }, async (t) => {
    const commands = [...welcome.matchAll(/^ +(curl .*)$/gmu)].map(([, command = '']) => command);
    const answers = [];
    for (const command of commands) answers.push(JSON.parse(await paste(t, command)));
    const [ping, submitted, inbound, ...more] = answers;
    assert.equal(more.length, 0);
    assert.equal(ping.keyValid, true);
    assert.deepEqual({ ...submitted, docUid: '', receivedAt: '' }, submission({ alreadyExisted: false }));
    assert.ok(inbound.totalCount > 0);
    assert.equal(JSON.parse(await paste(t, commands[1] ?? '')).alreadyExisted, true);
  });

  await t.test('the tour of the front page works when it is pasted, also twice', { skip: CANNOT_PASTE }, async (t) => {
    const commands = demoTour(service.url, '/api/integration/v1', '/api/extensions/v1').map(({ command }) => command);
    // Delivery takes the hold-back and is tried by the tests of it.
    const quick = commands.filter((command) => !/^until|--retry/u.test(command));
    for (const document of [temporaryFolder(), temporaryFolder()]) {
      const pasted = await pasteEach(t, [`cd ${document}`, ...quick]);
      assert.deepEqual(
        pasted.filter(({ exitCode }) => exitCode !== 0),
        [],
      );
      const [, ping, docUid, read, , link, foreign] = pasted.map(({ output }) => output.trim());
      assert.match(ping ?? '', /"keyValid":true/u);
      assert.match(docUid ?? '', /^[0-9a-f-]{36}$/u);
      assert.ok(read?.includes(`"docUid":"${docUid}","status":10`), read);
      assert.equal((await fetch(/http[^"]*/u.exec(link ?? '')?.[0] ?? '')).status, 200, link);
      assert.match(foreign ?? '', /ERR-3001/u);
    }
  });

  await t.test('the command of an error page needs no checkout', { skip: CANNOT_PASTE }, async (t) => {
    for (const code of ['ERR-2004', 'ERR-2013'] as const) {
      const output = await paste(t, `cd ${temporaryFolder()}\n${errorCommand(code, service.url)}`);
      assert.ok(output.includes(`"code":"${code}"`), output);
    }
  });

  await t.test('every demo tenant has the same certificate', () => {
    assert.equal(serials.length, TENANTS.length);
    assert.match(serials[0] ?? '', /^[0-9A-F]{32}$/u);
    assert.equal(new Set(serials).size, 1);
  });

  await t.test('which both installations of the authority accept, also the one that was out of order', async (t) => {
    const operator = await operatorBeside(t, variables);
    assert.deepEqual(await failedChecks(operator, ALFA), []);
    const [why, ...others] = await failedChecks(operator, DELTA);
    assert.match(why ?? '', /502/u);
    assert.deepEqual(others, []);
    await operator.stageOutage('production', 'none');
    assert.deepEqual(await failedChecks(operator, DELTA), []);
  });

  await t.test('a second start finds the same, and nothing doubled', async (t) => {
    const before = await inventory(t, service, variables);
    assert.deepEqual(before.migrated, [], 'the service itself has brought the tables up to date');
    await service.stop();
    const again = await startService(t, variables);
    assert.deepEqual(await inventory(t, again, variables), before);
    assert.deepEqual(before.tenants.map(({ name }) => name).toSorted(), TENANTS);
    assert.deepEqual(
      before.keys.map(({ software }) => software).toSorted(),
      KEYS.map((name) => `demo-${name}`),
    );
    assert.equal(before.inbound.totalCount, before.inbound.items.length);
    await t.test('and every tenant can still sign: the authority has forgotten nothing', async (t) => {
      const operator = await operatorBeside(t, variables);
      await operator.stageOutage('production', 'none');
      assert.deepEqual(await serialsOf(operator), serials);
      for (const edb of [ALFA, DELTA]) assert.deepEqual(await failedChecks(operator, edb), []);
    });
    await again.stop();
  });

  await t.test('no private key lies about in the open', () => {
    const files = ['dostava.sqlite', 'authority-test.jsonl', 'authority-production.jsonl', 'credentials.key'];
    for (const file of files) {
      assert.ok(existsSync(join(dataDir, file)), file);
      assert.ok(!readFileSync(join(dataDir, file)).includes('PRIVATE KEY'), file);
    }
  });
});

async function serialsOf(operator: Operator): Promise<readonly (string | undefined)[]> {
  const known = await operator.credentials.list();
  return (await operator.tenants.list()).map(({ edb }) => known.get(edb)?.serialNumber);
}

async function failedChecks(operator: Operator, edb: Edb): Promise<readonly string[]> {
  const checks = await operator.checkAccount(await operator.tenants.find(edb));
  assert.ok(checks.length > MOST_CHECKS_HERE, 'the authority was asked too');
  // What was collected during the outage, if anything, is told too, until the next collection.
  return checks
    .filter(({ isOk, what }) => !isOk && what.key !== 'check-collected')
    .map(({ detail }) => findingText('en', detail));
}

function submission(rest: { readonly alreadyExisted: boolean }) {
  return { docUid: '', status: 10, receivedAt: '', ...rest };
}

async function inventory(t: TestContext, service: RunningService, variables: Variables) {
  const operator = await operatorBeside(t, variables);
  const [tenants, keys, inbound, outbound] = await Promise.all([
    operator.tenants.list(),
    operator.keys.list(null),
    page(service, '/inbound'),
    page(service, '/outbound'),
  ]);
  const unused = keys.map((key) => ({ ...key, lastUsedAt: null }));
  return {
    migrated: operator.migrated,
    tenants,
    keys: unused,
    inbound,
    outbound: outbound.items.map(({ docUid }) => docUid),
  };
}

async function page(service: RunningService, path: string): Promise<Page> {
  return (await service.call('demo-alfa', `${path}?pageSize=500`)).json() as Promise<Page>;
}
