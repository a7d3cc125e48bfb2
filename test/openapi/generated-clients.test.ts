import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { generateClients } from '../../generators/generate-clients.ts';
import { projectFile } from '../consistency/source-files.ts';
import { request } from '../contract/support/client.ts';
import { PROJECT } from '../support/process.ts';
import { startTestService, WITH_BACKGROUND } from '../support/service.ts';
import type { Connection, Journey } from './connectors/journey.ts';

const POLL_MS = 100;
const INVOICE = projectFile('docs/examples/invoice.xml');
const CONNECTORS = ['with-openapi-fetch', 'with-hey-api'];

const COMPILER_OPTIONS = {
  ...JSON.parse(projectFile('tsconfig.json')).compilerOptions,
  // Generated code is not held to all of our rules; the connectors that use it compile in strict mode.
  lib: ['esnext', 'dom', 'dom.iterable'],
  exactOptionalPropertyTypes: false,
  noPropertyAccessFromIndexSignature: false,
  noUncheckedIndexedAccess: false,
};

const service = await startTestService({ variables: { ...WITH_BACKGROUND, DELIVERY_HOLD_SECONDS: '0' } });
after(() => service.stop());

suite('clients that are generated from the description that the service serves', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'generated-clients-'));
    await cp(join(PROJECT, 'test/openapi/connectors'), folder, { recursive: true });
    await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
    await generateClients((await request(`${service.api}/openapi.json`)).text, folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test('fit the connectors that are written with them, by their types', async () => {
    const compiler = join(PROJECT, 'node_modules/.bin/tsc');
    const { stdout } = await promisify(execFile)(compiler, ['--project', folder]).catch((failure) => failure);
    assert.equal(stdout, '');
  });

  for (const name of CONNECTORS) {
    test(`${name}: submit, follow, list, download, acknowledge; the bytes arrive as they are`, async () => {
      const { connect } = (await import(join(folder, `${name}.ts`))) as {
        readonly connect: (connection: Connection) => Promise<Journey>;
      };
      const invoice = INVOICE.replace('2026-7001', name.toUpperCase());
      const journey = await connect({
        url: service.url,
        apiKey: 'demo-alfa',
        invoice,
        idempotencyKey: name,
        pause: () => wait(POLL_MS),
      });
      assert.equal(journey.submittedStatus, 201);
      assert.match(journey.euid ?? '', /^[0-9a-f-]{36}$/u);
      assert.ok(journey.isListed);
      assert.equal(journey.downloaded, invoice);
      assert.notEqual(journey.inboundDocUid, '');
      assert.ok(journey.originalBytes > 0);
      assert.ok(!Number.isNaN(Date.parse(journey.ackedAt ?? '')));
      assert.equal(journey.refusedCode, 'ERR-3001');
    });
  }
});
