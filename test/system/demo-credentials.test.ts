import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { freePort, startService, temporaryFolder } from '../support/process.ts';
import { operatorBeside } from './operator-beside.ts';

const [ALFA, DELTA] = [readEdb('4030026000018'), readEdb('5012026000048')];
/** An EUJP-ID, a certificate, no stop; the rest is asked for at the authority. */
const MOST_CHECKS_HERE = 3;

test('every demo tenant can sign, from the first start on', async (t) => {
  const dataDir = temporaryFolder();
  const variables = { DATA_DIR: dataDir, SIMULATOR_PORT: String(await freePort()), AUTHORITY_PACE_MS: '0' };
  const serials = async () => {
    const known = await operator.credentials.list();
    return (await operator.tenants.list()).map(({ edb }) => known.get(edb)?.serialNumber);
  };
  const failed = async (edb: Edb) => {
    const checks = await operator.checkAccount(await operator.tenants.find(edb));
    assert.ok(checks.length > MOST_CHECKS_HERE, 'the authority was asked too');
    // What was collected during the outage, if anything, is told too, until the next collection.
    return checks.filter(({ isOk, what }) => !isOk && !what.startsWith('inbound')).map(({ detail }) => detail);
  };
  const mendProduction = () => operator.stageOutage('production', 'none');
  const first = await startService(t, variables);
  const operator = await operatorBeside(t, variables);
  const issued = await serials();

  await t.test('all with one certificate', () => {
    assert.equal(issued.length, 4);
    assert.match(issued[0] ?? '', /^[0-9A-F]{32}$/u);
    assert.equal(new Set(issued).size, 1);
  });

  await t.test('which both installations of the authority accept, also the one that was out of order', async () => {
    assert.deepEqual(await failed(ALFA), []);
    const [why, ...others] = await failed(DELTA);
    assert.match(why ?? '', /502/u);
    assert.deepEqual(others, []);
    await mendProduction();
    assert.deepEqual(await failed(DELTA), []);
  });

  await t.test('and still do after another start: the authority has forgotten nothing', async (t) => {
    await first.stop();
    const again = await startService(t, variables);
    await mendProduction();
    assert.deepEqual(await serials(), issued);
    for (const edb of [ALFA, DELTA]) assert.deepEqual(await failed(edb), []);
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
