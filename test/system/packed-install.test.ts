import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { PROJECT, serviceAt, startProgram, temporaryFolder } from '../support/process.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';

/** Not part of the program, or not of a fresh checkout. */
const NOT_COPIED = ['node_modules', '.git', 'data', 'dist', 'test', 'bench', 'client', 'generators'];

/** Packing writes a folder into the checkout, which other tests read at the same time: it is done in a copy. */
function copyOfCheckout(): string {
  const copy = temporaryFolder();
  for (const name of readdirSync(PROJECT).filter((each) => !NOT_COPIED.includes(each))) {
    cpSync(join(PROJECT, name), join(copy, name), { recursive: true });
  }
  return copy;
}

/** What npm packs, where npm would install it. Its dependencies are those of the checkout. */
function installPacked(checkout: string): string {
  const folder = temporaryFolder();
  run(checkout, 'npm', ['pack', '--silent', '--pack-destination', folder]);
  const installed = join(folder, 'node_modules', 'dostava');
  mkdirSync(installed, { recursive: true });
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  run(folder, 'tar', ['-xzf', archive, '--strip-components=1', '-C', installed]);
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys(dependencies)) {
    symlinkSync(join(PROJECT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  return installed;
}

function run(cwd: string, program: string, args: readonly string[]): void {
  // The copy has no Node of its own.
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const { status, stderr } = spawnSync(program, args, { cwd, env: { ...process.env, PATH }, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

const WELCOME = /demo environment: (\S+)\/api\/integration\/v1\n/u;

test('a package that npm has packed runs where npm installs it, where Node runs no TypeScript', async (t) => {
  const checkout = copyOfCheckout();
  const installed = installPacked(checkout);
  const launcher = join(installed, 'bin', 'dostava.js');

  await t.test('every file that the program names is in it', () => {
    const program = join(installed, 'dist');
    const files = readdirSync(program, { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      files.filter((file) => file.endsWith('.ts')),
      [],
    );
    const sources = files.filter((file) => file.endsWith('.js')).map((file) => join(program, file));
    assert.ok(sources.length >= 400, `${sources.length} files`);
    const named = sources.flatMap((source) =>
      [...readFileSync(source, 'utf8').matchAll(/(?:from|import\(?|new URL\()\s*'(\.{1,2}\/[^']+)'/gu)].map(
        ([, path = '']) => join(dirname(source), path),
      ),
    );
    assert.ok(named.length >= 1_000, `${named.length} names`);
    assert.deepEqual(
      named.filter((path) => !existsSync(path)),
      [],
    );
  });

  await t.test('a checkout keeps nothing of it', () => assert.equal(existsSync(join(checkout, 'dist')), false));

  await t.test('it has no packages for traces, and names them where traces are configured', async (t) => {
    const ports = { PORT: '0', OPS_PORT: '0', SIMULATOR_PORT: '0', DATA_DIR: temporaryFolder() };
    const variables = { ...ports, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    const running = startProgram(t, process.execPath, ['--liftoff-only', launcher, 'serve'], variables);
    const { exitCode, stderr } = await running.finished();
    assert.equal(exitCode, 1);
    assert.match(stderr, /^Traces are configured [^\n]+: npm install( @opentelemetry\/[a-z-]+){4}\n$/u);
    const { peerDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      readonly peerDependencies: Readonly<Record<string, string>>;
    };
    for (const name of Object.keys(peerDependencies)) assert.ok(stderr.includes(` ${name}`), name);
  });

  await t.test('the service runs and takes an invoice', async (t) => {
    const variables = { PORT: '0', OPS_PORT: '0', SIMULATOR_PORT: '0', DATA_DIR: temporaryFolder() };
    const running = startProgram(t, process.execPath, ['--liftoff-only', launcher, 'serve'], variables);
    const [, url = ''] = await running.waitFor(WELCOME);
    const service = serviceAt(running, url);
    const submitted = await service.call('demo-alfa', '/outbound', {
      method: 'POST',
      headers: { 'X-Idempotency-Key': 'first' },
      body: sampleInvoice(),
    });
    assert.equal(submitted.status, 201, await submitted.text());
    // Files that are no code are found as well.
    const headers = { Accept: 'text/html' };
    for (const page of ['/', '/docs', '/errors']) {
      assert.equal((await fetch(`${url}${page}`, { headers })).status, 200, page);
    }
    await service.stop();
  });
});
