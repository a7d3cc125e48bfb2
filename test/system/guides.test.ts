import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { projectFile } from '../consistency/source-files.ts';
import { freePort } from '../support/process.ts';
import { startTestService, type TestService, WITH_BACKGROUND } from '../support/service.ts';
import { runningClock, type TestClock } from '../support/test-clock.ts';
import { CANNOT_PASTE, pasteEach } from './bash.ts';
import { type CommandsForShell, commandsForShell } from './commands-for-shell.ts';
import { guides, isShown } from './guide-pages.ts';
import { bashBlocks } from './markdown.ts';

const PRINTED_URL = 'http://127.0.0.1:8080';
const PROBLEM = /"code"\s*:\s*(?:null|"(?:ERR-\d{4})")\s*,\s*"eventId"/gu;
/** A second of the page is so long on the clock of the service: the hold-back and pauses between attempts are soon over. */
const CLOCK_SECONDS = 20;
const REAL_PAUSE_MS = 250;

let service: TestService;
let pauses: { readonly url: string; readonly close: () => void };
let commandLine: CommandsForShell;
let programs = '';

async function startPauses(clock: TestClock) {
  const server = createServer(async ({ url = '/' }, response) => {
    clock.advance(Number(url.slice(1)) * CLOCK_SECONDS * 1_000);
    await pause(REAL_PAUSE_MS);
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Again only where time does not matter; the tour of README.md is always pasted twice. */
const TIMES = process.env['TEST_LONG'] === '1' ? ['once', 'again'] : ['once'];

suite('the guides', () => {
  before(async () => {
    if (CANNOT_PASTE) return;
    const clock = runningClock();
    const simulatorPort = String(await freePort());
    const settings = { SIMULATOR_PORT: simulatorPort, DELIVERY_HOLD_SECONDS: '20', FOLLOW_SECONDS: '10' };
    service = await startTestService({
      clock,
      // The clock moves faster than leases are renewed.
      variables: { ...WITH_BACKGROUND, ...settings, COLLECT_SECONDS: '1', LEASE_SECONDS: '3600' },
    });
    pauses = await startPauses(clock);
    commandLine = await commandsForShell({ ...service.database, SIMULATOR_PORT: simulatorPort });
    // The operator's commands without npm in between, and pauses that move the clock.
    programs = `${commandLine.declaration}
npm() { shift 4; dostava "$@" 2>&1; }
sleep() { curl -s "${pauses.url}/$1"; }`;
  });
  after(async () => {
    if (CANNOT_PASTE) return;
    pauses.close();
    commandLine.close();
    await service.stop();
  });

  test("README.md, the operator's command line, pasted, leaves the demo as it was", {
    skip: CANNOT_PASTE,
  }, async (t) => {
    const blocks = bashBlocks(projectFile('README.md')).filter(({ heading }) => /command line/u.test(heading));
    const commands = blocks.flatMap(({ script }) => script.split('\n'));
    assert.notEqual(commands.length, 0);
    const pasted = await pasteEach(t, [programs, ...commands, 'npm run -s dostava -- simulator outage show']);
    for (const { command, exitCode, output } of pasted) assert.equal(exitCode, 0, `${command}\n${output}`);
    assert.match(pasted.at(-1)?.output ?? '', /^test works\.$/mu);
  });

  test('README.md, the tour, finds its document for who reads longer than it is held back', {
    skip: CANNOT_PASTE,
  }, async (t) => {
    const blocks = bashBlocks(projectFile('README.md')).filter(({ heading }) => /tour/iu.test(heading));
    const scripts = blocks.map(({ script }) => script.replaceAll(PRINTED_URL, service.url));
    const [finding, cancelling] = ['DOC=', '/cancel'].map((part) =>
      scripts.findIndex((script) => script.includes(part)),
    );
    assert.ok(finding !== undefined && cancelling !== undefined && finding > 0 && cancelling > finding);
    const reading = `sleep 2; until alfa "$API/outbound?status=10" | grep -q '"totalCount":0,'; do sleep 1; done`;
    const slowly = [...scripts.slice(0, finding), reading, ...scripts.slice(finding, cancelling)];
    const [, ...pasted] = await pasteEach(t, [programs, ...slowly]);
    for (const { command, exitCode, output } of pasted) {
      assert.equal(exitCode, 0, `${command}\n${output}`);
      assert.doesNotMatch(output, PROBLEM);
    }
  });

  for (const time of TIMES) {
    for (const { name, steps } of guides().filter((guide) => guide.steps.length > 0)) {
      test(`docs/guides/${name}, pasted ${time}, does what it says`, { skip: CANNOT_PASTE }, async (t) => {
        const scripts = steps.map(({ script }) => script.replaceAll(PRINTED_URL, service.url));
        const [, ...pasted] = await pasteEach(t, [programs, ...scripts]);
        for (const [index, { exitCode, output }] of pasted.entries()) {
          const { heading, script, shown } = steps[index] ?? { heading: '', script: '', shown: [] };
          const place = `${heading}\n${script}\n--- printed:\n${output}`;
          assert.equal(exitCode, 0, place);
          assert.ok(isShown(shown, output), `${place}\n--- the page shows:\n${shown.join('\n')}`);
          const problems = output.match(PROBLEM) ?? [];
          assert.ok(
            problems.length === 0 || shown.some((line) => line.includes('ERR-') || line.includes('"code":null')),
            place,
          );
        }
      });
    }
  }
});
