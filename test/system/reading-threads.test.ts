import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { freePort, PROJECT, serviceAt, startDostava, temporaryFolder, until } from '../support/process.ts';
import { operatorBeside } from './operator-beside.ts';

const EXAMPLE = readFileSync(join(PROJECT, 'docs/examples/invoice.xml'), 'utf8');
const [, NUMBER = ''] = /<cbc:ID>([^<]+)<\/cbc:ID>/u.exec(EXAMPLE) ?? [];

/** Somewhat above what a start loads today: 731 and 253. */
const [MOST_OWN_FILES, MOST_PACKAGE_FILES] = [800, 280];

/** What the scanner leaves to the parser. */
const UNUSUAL = EXAMPLE.replace(`<cbc:ID>${NUMBER}</cbc:ID>`, '<cbc:ID><![CDATA[unusual]]></cbc:ID>');

/**
 * Loaded by every thread. Those beside the main one are put on record, and end at once while they may not start; of the main one all
 * that it loads is put on record at its end.
 */
function watchThreads(folder: string) {
  const at = (name: string) => join(folder, name);
  const module = at('watch.mjs');
  const source = `import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) {
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on('exit', () => writeFileSync(${JSON.stringify(at('loaded'))}, JSON.stringify(loaded)));
} else {
  appendFileSync(${JSON.stringify(at('threads'))}, 'started\\n');
  if (existsSync(${JSON.stringify(at('forbidden'))})) throw new Error('no thread today');
}`;
  writeFileSync(module, source);
  writeFileSync(at('forbidden'), '');
  return {
    NODE_OPTIONS: `--import=${pathToFileURL(module).href}`,
    started: () => (existsSync(at('threads')) ? readFileSync(at('threads'), 'utf8').split('\n').length - 1 : 0),
    allow: () => rmSync(at('forbidden')),
    loaded: () => JSON.parse(readFileSync(at('loaded'), 'utf8')) as readonly string[],
  };
}

test('no thread reads until a document needs one; while none can be started documents wait, and the process is not ready', async (t) => {
  const { NODE_OPTIONS, started, allow, loaded } = watchThreads(temporaryFolder());
  const [PORT, OPS_PORT] = [String(await freePort()), String(await freePort())];
  const variables = {
    ENVIRONMENT: 'production',
    ROLE: 'api',
    PORT,
    OPS_PORT,
    DATA_DIR: temporaryFolder(),
    PUBLIC_URL: 'https://invoices.example/',
    // Port 9 is for discarding: nothing answers there.
    AUTHORITY_PRODUCTION_URL: 'https://127.0.0.1:9/einvoice_api',
    AUTHORITY_PRODUCTION_RECEIVER_URL: 'https://127.0.0.1:9/JSONReceiver',
    AUTHORITY_PRODUCTION_PORTAL_URL: 'https://127.0.0.1:9',
    CREDENTIALS_KEY: randomBytes(32).toString('base64'),
  };
  const { tenants, keys } = await operatorBeside(t, variables);
  const tenant = readEdb('4030026000018');
  await tenants.add({ edb: tenant, name: 'First', environment: 'production', outboundEnabled: true, eujpId: null });
  const { secret } = await keys.issue({ tenant, software: 'ledger' });
  const running = startDostava(t, ['serve'], { ...variables, NODE_OPTIONS });
  await running.waitFor(/Dostava listens on/u);
  const service = serviceAt(running, `http://127.0.0.1:${PORT}`);
  const submit = (key: string, body: string) =>
    service.call(secret, '/outbound', {
      method: 'POST',
      headers: { 'content-type': 'application/xml', 'X-Idempotency-Key': key },
      body,
    });
  const ready = () => fetch(`http://127.0.0.1:${OPS_PORT}/health/ready`, { headers: { connection: 'close' } });

  const usual = await submit('usual', EXAMPLE);
  assert.equal(usual.status, 201, await usual.text());
  assert.equal((await ready()).status, 200);
  assert.equal(started(), 0);

  const unusual = submit('unusual', UNUSUAL);
  const notReady = await until('not ready', async () => {
    const response = await ready();
    return response.status === 503 ? response.text() : null;
  });
  assert.match(notReady, /no thread that reads documents can be started/u);
  await until('another start', () => started() > 2);
  allow();
  assert.equal((await unusual).status, 201);
  assert.equal((await ready()).status, 200);
  await service.stop();
  const said = (text: string) => running.stdout().split(text).length - 1;
  assert.deepEqual([said('can be started; documents wait'), said('has started again')], [1, 1]);

  await t.test(
    'the thread that answers loads neither the parser nor what others need, and a bounded number of files',
    () => {
      const ours = pathToFileURL(PROJECT).href;
      const files = loaded().flatMap((url) => (url.startsWith(ours) ? [url.slice(ours.length)] : []));
      const needless = /^(?:simulator\/|src\/demo\/demo-|node_modules\/(?:libxml2-wasm|pg|@opentelemetry\/sdk-))/u;
      assert.deepEqual(
        files.filter((file) => needless.test(file)),
        [],
      );
      const own = files.filter((file) => file.startsWith('src/'));
      // Each takes about half a millisecond of every start. What a command or a page needs by itself belongs behind an import().
      assert.ok(own.length <= MOST_OWN_FILES, `${own.length} files of ours`);
      assert.ok(files.length - own.length <= MOST_PACKAGE_FILES, `${files.length - own.length} files of packages`);
    },
  );
});
