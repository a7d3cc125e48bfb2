import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { exportPkcs12, NO_OPENSSL } from '../adapters/credentials/pkcs12/openssl.ts';
import { commandsHere } from '../cli/commands-here.ts';
import { startAuthority } from '../delivery/authority-of-test.ts';
import { changeJson, startChangingForwarder } from '../support/changing-forwarder.ts';
import { freePort, startDostava, startProgram, temporaryFolder, until } from '../support/process.ts';
import { CANNOT_PASTE } from './bash.ts';
import { commandsForShell } from './commands-for-shell.ts';
import { bashBlocks } from './markdown.ts';

const ALFA = '4030026000018';
const PAGE = readFileSync(new URL('../../docs/going-live.md', import.meta.url), 'utf8');
const BLOCKS = bashBlocks(PAGE);

/** An authority, a forwarder in front of it, a folder with the taxpayer's file, and the variables of production. */
async function begin(t: TestContext) {
  const { simulator, variables: authority, pems } = await startAuthority();
  t.after(simulator.close);
  const forwarder = await startChangingForwarder(Number(new URL(simulator.url).port));
  t.after(forwarder.close);
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'alfa.p12'), exportPkcs12({ ...pems, password: 'tajna' }));
  writeFileSync(join(folder, 'alfa.password'), 'tajna\n');
  const opsPort = await freePort();
  const variables = {
    ...authority,
    AUTHORITY_PRODUCTION_URL: simulator.url.replace(/:\d+/u, `:${forwarder.port}`),
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    OPS_PORT: String(opsPort),
  };
  return { folder, forwarder, variables, metricsUrl: `http://127.0.0.1:${opsPort}/metrics` };
}

/** What the commands under a heading print, run one after the other as a reader would. */
async function run(t: TestContext, heading: RegExp, folder: string, program: string): Promise<string> {
  const scripts = BLOCKS.filter((block) => heading.test(block.heading)).map(({ script }) => script);
  assert.ok(scripts.length > 0, String(heading));
  const script = scripts
    .join('\n')
    .replaceAll('<id>', 'demo-alfa')
    .replaceAll('alfa.p12', join(folder, 'alfa.p12'))
    .replaceAll('alfa.password', join(folder, 'alfa.password'));
  const shell = startProgram(t, 'bash', ['-e', '-c', `${program}\n${script}`], {});
  const { exitCode, stdout, stderr } = await shell.finished();
  assert.equal(exitCode, 0, `${script}\n${stdout}\n${stderr}`);
  return stdout;
}

test('the commands of the page lead from nothing to an accepted document', {
  skip: CANNOT_PASTE || NO_OPENSSL,
}, async (t) => {
  const { folder, variables } = await begin(t);
  const { declaration: program, close } = await commandsForShell(variables);
  t.after(close);
  await run(t, /^4\./u, folder, program);
  assert.doesNotMatch(await run(t, /^5\./u, folder, program), /FAILED/u);
  assert.match(await run(t, /^6\./u, folder, program), /24 services: 0 deviate, 0 failed, 5 were not tried\./u);
  const service = startDostava(t, ['serve'], variables);
  await service.waitFor(/Dostava listens on/u);
  const printed = await run(t, /^7\./u, folder, program);
  assert.match(printed, /^OK {6}document PROBE-\d{6}[0-9A-F]{8} \([0-9a-f-]{36}\): status 40, EUID /mu);
  assert.match(printed, /dostava_\w{38}/u);
  service.signal('SIGTERM');
  assert.equal((await service.finished()).exitCode, 0);
});

test('answers that are not as expected are counted and told once, and the service goes on', {
  skip: NO_OPENSSL,
}, async (t) => {
  const { folder, forwarder, variables, metricsUrl } = await begin(t);
  forwarder.change = changeJson(`companies/${ALFA}`, (answer) => ({
    ...answer,
    company: { ...(answer['company'] as object), vatNumber: 4_030_026_000_018 },
  }));
  const { json, run: command } = commandsHere(variables);
  await json('init');
  await json('tenant', 'add', '--edb', ALFA, '--name', 'Alfa', '--environment', 'production', '--eujp-id', 'demo-alfa');
  const files = ['--pkcs12', join(folder, 'alfa.p12'), '--password-file', join(folder, 'alfa.password')];
  await json('tenant', 'set', ALFA, ...files);
  const service = startDostava(t, ['serve'], variables);
  await service.waitFor(/Dostava listens on/u);
  for (let time = 0; time < 2; time += 1) {
    const { stdout } = await command('authority', 'probe', '--tenant', ALFA, '--send', '--yes', '--json');
    assert.ok((JSON.parse(stdout) as { readonly sent: unknown }).sent !== null);
  }
  await until('a counted answer', async () => {
    const metrics = await (await fetch(metricsUrl)).text();
    const [, count = '0'] =
      /^dostava_authority_answer_deviations_total\{service="companies\/\{edb\}"\} (\d+)$/mu.exec(metrics) ?? [];
    return Number(count) >= 1;
  });
  service.signal('SIGTERM');
  const { exitCode, stdout } = await service.finished();
  assert.equal(exitCode, 0);
  const told = stdout.split('\n').filter((line) => line.includes('an answer of the authority is not as expected'));
  assert.equal(told.length, 1, stdout);
  assert.match(told[0] ?? '', /"service":"companies\/\{edb\}".*"kind":"type".*"path":"company.vatNumber"/u);
});
