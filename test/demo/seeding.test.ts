import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createPasswordHashing } from '../../src/adapters/credentials/password-hashing.ts';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { documentScan } from '../../src/app/document-reader.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import type { DocumentReader } from '../../src/application/ports/document-reader.ts';
import { readConfig } from '../../src/config.ts';
import { completeConfig } from '../../src/demo/credentials-key.ts';
import { startDemo } from '../../src/demo/demo-environment.ts';
import { DEMO_OPERATOR } from '../../src/demo/seed-console.ts';
import { sharedKeyPair } from '../support/certificate.ts';
import { freshDatabase } from '../support/fresh-database.ts';
import { sharedReader } from '../support/shared-reader.ts';

const ALFA = readEdb('4030026000018');
const PROJECT = new URL('../../', import.meta.url);
const INBOUND = new URL('src/demo/inbound/', PROJECT);
const FILES = [
  new URL('docs/examples/credit-note.xml', PROJECT),
  ...readdirSync(INBOUND).map((name) => new URL(name, INBOUND)),
];
const EVER = { from: null, to: null };
const SENT = { created: EVER, statuses: null, partnerEdb: null };
const RECEIVED = { received: EVER, senderEdb: null, onlyNotImported: false };

/** Whatever it is asked fails, so that no thread is started. */
const noReader = new Proxy({} as DocumentReader, { get: (_, act) => () => assert.fail(`asked to ${String(act)}`) });

test('the demo is seeded without a reading thread, and a second time nothing is added', async () => {
  const database = await freshDatabase();
  const config = readConfig({ SIMULATOR_PORT: '0', ...database });
  await using opened = new AsyncDisposableStack();
  const demo = await startDemo(await completeConfig(config, systemRandom));
  opened.defer(() => demo.stop());
  const foundation = await openFoundation(demo.config);
  opened.defer(() => foundation.engine.close());
  const { storage } = foundation;

  async function seed() {
    await demo.seed(foundation, noReader, sharedKeyPair());
    await demo.seedConsole(foundation);
    const page = { page: 1, pageSize: 10 };
    return {
      inbound: await storage.inbound.list(ALFA, RECEIVED, page),
      outbound: await storage.outbound.list(ALFA, SENT, page),
      operators: await storage.operators.list(),
    };
  }

  const first = await seed();
  assert.equal(first.inbound.totalCount, FILES.length - 1);
  assert.equal(first.outbound.totalCount, 1);
  assert.deepEqual(await seed(), first);

  const { name, password } = DEMO_OPERATOR;
  const found = await storage.operators.find(name);
  assert.ok(await createPasswordHashing(systemRandom).isHashOf(found?.passwordHash ?? null, password, ''));
});

test('what the scanner finds in the files of the demo the parser finds as well', async () => {
  for (const file of FILES) {
    const bytes = new Uint8Array(readFileSync(file));
    const recognised = await sharedReader().recognise(ALFA, bytes);
    assert.deepEqual(documentScan.read(bytes)?.facts ?? null, recognised, file.pathname);
    assert.equal(recognised !== null, file.pathname.endsWith('.xml'));
  }
});
