import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, type TestContext, test } from 'node:test';
import { createClient } from '../../client/src/client.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { type LosingProxy, type SeenRequest, startLosingProxy } from '../client/losing-proxy.ts';
import { projectFile } from '../consistency/source-files.ts';
import { startProgram, temporaryFolder, type Variables } from '../support/process.ts';
import { startTestService, WITH_BACKGROUND } from '../support/service.ts';
import { CANNOT_PASTE, paste } from '../system/bash.ts';
import { bashBlocks } from '../system/markdown.ts';
import { CONNECTORS } from './connector-programs.ts';

const ALFA = readEdb('4030026000018');
/** Its authority is out of order. */
const DELTA = readEdb('5012026000048');
const INVOICE = projectFile('docs/examples/invoice.xml');
const DOCUMENTS = 2;
const IS_LONG = process.env['TEST_LONG'] === '1';

/** The process is killed at each step before it has the answer, or the answer is cut and the process goes on. */
const STEPS: Readonly<Record<string, RegExp>> = {
  submission: /^POST .*\/outbound$/u,
  inquiry: /^GET .*\/extensions\/v1\/outbound\?/u,
  container: /^GET .*\/outbound\/[^/]+\/file/u,
  arrival: /^GET .*\/inbound\/[^/]+\/file/u,
  acknowledgement: /^POST .*\/ack$/u,
};
const ALL_MOMENTS = Object.keys(STEPS).flatMap((step) => [`${step} before`, `${step} after`, `${step} cut`]);
const MOMENTS = IS_LONG
  ? ALL_MOMENTS
  : ALL_MOMENTS.filter((moment) => !/^(?:container|arrival|inquiry) before/u.test(moment));

const service = await startTestService({ variables: { ...WITH_BACKGROUND, DELIVERY_HOLD_SECONDS: '0' } });
const proxy = await startLosingProxy(service.url);
after(async () => {
  proxy.close();
  await service.stop();
});
const { secret } = await service.operator.keys.issue({
  tenant: ALFA,
  software: 'connector',
  callsPerMinute: 1_000_000,
});
const client = createClient({ url: service.url, apiKey: secret, software: 'test/1.0' });

/** Lets the calls pass until one of the moments comes that were not met yet. Answers are cut once they have led to no kill. */
function killAt(proxy: LosingProxy, moments: Set<string>, kill: () => void): void {
  let isKilled = false;
  proxy.decide = (request: SeenRequest, when) => {
    const call = `${request.method} ${request.url}`;
    const step = Object.keys(STEPS).find((name) => STEPS[name]?.test(call));
    if (!isKilled && moments.delete(`${step} ${when}`)) {
      isKilled = true;
      kill();
    }
    if (isKilled) return when === 'before' ? 'lost-before' : 'lost-after';
    return when === 'after' && moments.delete(`${step} cut`) ? 'cut' : 'answered';
  };
}

suite('the connectors', () => {
  test('their page works when it is pasted, also where the example was submitted before', {
    skip: CANNOT_PASTE || CONNECTORS['python']?.skip,
  }, async (t) => {
    await client.waitForFinalStatus((await client.submit(INVOICE)).docUid);
    const [block, ...more] = bashBlocks(projectFile('examples/connectors/README.md'));
    assert.deepEqual(more, []);
    const folder = temporaryFolder();
    const script = (block?.script ?? '').replaceAll('http://127.0.0.1:8080', service.url).replaceAll('books', folder);
    assert.equal(await paste(t, script), '');
    assert.match(readFileSync(join(folder, 'state.tsv'), 'utf8'), /^final\tBOOK-\d+\.xml\t40\t/mu);
  });

  for (const [language, { skip, command }] of Object.entries(CONNECTORS)) {
    test(`in ${language}: killed at its steps and started again, no gap and no repeat`, { skip }, async (t) => {
      const folder = temporaryFolder();
      mkdirSync(join(folder, 'outbox'));
      const numbers = Array.from({ length: DOCUMENTS }, (_, place) => `${language.slice(0, 4).toUpperCase()}-${place}`);
      for (const number of numbers) {
        writeFileSync(join(folder, 'outbox', `${number}.xml`), INVOICE.replace('2026-7001', number));
        await service.operator.importInbound(ALFA, null, Buffer.from(`an arrival beside ${number}`));
      }
      const arrivals: string[] = [];
      for await (const { docUid } of client.eachInbound({ onlyNotImported: true })) arrivals.push(docUid);
      assert.ok(arrivals.length >= DOCUMENTS);

      const moments = new Set(MOMENTS);
      let kills = 0;
      for (;;) {
        const { exitCode, signal, stderr } = await runOnce(t, await command(), folder, moments);
        if (signal === 'SIGKILL') kills += 1;
        else {
          assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
          break;
        }
      }
      t.diagnostic(`killed ${kills} times`);
      assert.deepEqual([...moments], [], 'every moment was met');
      await assertComplete(folder, numbers, arrivals);
      const before = readFileSync(join(folder, 'state.tsv'), 'utf8');
      assert.equal((await runOnce(t, await command(), folder, new Set())).exitCode, 0);
      assert.equal(readFileSync(join(folder, 'state.tsv'), 'utf8'), before, 'a further run has nothing to do');
    });

    test(`in ${language}: an authority that is down does not keep arrivals from being imported`, {
      skip,
    }, async (t) => {
      const folder = temporaryFolder();
      mkdirSync(join(folder, 'outbox'));
      writeFileSync(join(folder, 'outbox', 'a.xml'), INVOICE.replace('2026-7001', language).replaceAll(ALFA, DELTA));
      const { docUid } = await service.operator.importInbound(DELTA, null, Buffer.from(`in ${language}`));
      const variables = { DOSTAVA_KEY: 'demo-delta', DOSTAVA_WAIT_SECONDS: '0' };
      const { exitCode, stderr } = await runOnce(t, await command(), folder, new Set(), variables);
      assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
      assert.ok(readdirSync(join(folder, 'imported')).includes(docUid));
      assert.doesNotMatch(readFileSync(join(folder, 'state.tsv'), 'utf8'), /^final/mu);
    });

    test(`in ${language}: a refused file is reported once, and a line that was cut is none`, { skip }, async (t) => {
      const folder = temporaryFolder();
      mkdirSync(join(folder, 'outbox'));
      writeFileSync(join(folder, 'outbox', 'order.xml'), '<Order/>');
      // Behind a name in windows-1251, whose bytes are more as UTF-8.
      writeFileSync(join(folder, 'state.tsv'), 'refused\t\xd4\xe0\xea.xml\tERR-2001\nrefused\torder.xm', 'latin1');
      const { ino } = statSync(join(folder, 'state.tsv'));
      const first = await runOnce(t, await command(), folder, new Set());
      assert.deepEqual([first.exitCode, /^order\.xml: ERR-2002: /u.test(first.stderr)], [1, true], first.stderr);
      const [, begin, refused] = readFileSync(join(folder, 'state.tsv'), 'latin1').split('\n');
      assert.match(begin ?? '', /^begin\torder\.xml\t[0-9a-f]{32}\t[0-9a-f]{64}$/u);
      assert.equal(refused, 'refused\torder.xml\tERR-2002');
      const second = await runOnce(t, await command(), folder, new Set());
      assert.deepEqual([second.exitCode, second.stderr], [0, '']);
      // It may be a link to another disk.
      assert.equal(statSync(join(folder, 'state.tsv')).ino, ino, 'nothing takes the place of the state file');
    });
  }
});

function runOnce(
  t: TestContext,
  [program, ...args]: readonly [string, ...string[]],
  folder: string,
  moments: Set<string>,
  variables: Variables = {},
) {
  const standard = { DOSTAVA_URL: proxy.url, DOSTAVA_KEY: secret };
  const running = startProgram(t, program, [...args, folder], { ...standard, ...variables });
  killAt(proxy, moments, () => running.signal('SIGKILL'));
  return running.finished();
}

async function assertComplete(folder: string, numbers: readonly string[], arrivals: readonly string[]): Promise<void> {
  const lines = readFileSync(join(folder, 'state.tsv'), 'utf8').trimEnd().split('\n');
  const steps = lines.map((line) => line.split('\t').slice(0, 2).join(' '));
  assert.equal(new Set(steps).size, steps.length, 'no step is there twice');
  const containers: string[] = [];
  for (const number of numbers) {
    const { items } = await client.inquire({ documentNumber: number });
    const [document, ...repeats] = items;
    assert.deepEqual([document?.status, repeats], [40, []], number);
    assert.ok(lines.includes(`taken\t${number}.xml\t${document?.docUid}`));
    const name = `${number}.${document?.docUid}.ujp`;
    containers.push(name);
    const { bytes } = await client.downloadContainer(document?.docUid ?? '');
    assert.ok(readFileSync(join(folder, 'containers', name)).equals(bytes));
  }
  assert.deepEqual(readdirSync(join(folder, 'containers')).toSorted(), containers.toSorted());
  assert.deepEqual(readdirSync(join(folder, 'imported')).toSorted(), arrivals.toSorted());
  for (const docUid of arrivals) {
    const { bytes, sha256 } = await client.downloadInbound(docUid);
    assert.ok(lines.includes(`imported\t${docUid}\t${sha256}`), docUid);
    assert.ok(readFileSync(join(folder, 'imported', docUid)).equals(bytes));
  }
  assert.equal((await client.listInbound({ onlyNotImported: true })).totalCount, 0);
}
