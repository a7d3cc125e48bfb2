import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { PROJECT, startProgram } from '../support/process.ts';
import { startAnswering } from './answering-server.ts';
import { CONNECTORS, type Connector, PYTHON } from './connector-programs.ts';
import { DOC_UID, folderWith, linesOf, runConnector, startTakingService, TAKES } from './taking-service.ts';

/** Errors of proxies, each in JSON of its own. */
const ERRORS = ['["Bad Gateway"]', '"Bad Gateway"', 'null'].map((body) => ({ status: 502, body }));
const SWITCHED_OFF = { status: 409, body: '{"code":"ERR-9001","detail":"Switched off."}' };
const MOVED = { status: 409, body: '{"code":null,"detail":"The environment was changed."}' };
const TOO_LARGE_FOR_A_PROXY = { status: 413, body: '{"code":413,"message":"Payload Too Large"}' };
const WITHOUT_A_WORD = { status: 413, body: '' };
const TOMORROW = { status: 503, body: '<html>', headers: { 'Retry-After': '086400' } };
const TAKEN = `taken\ta.xml\t${DOC_UID}`;

/** What a proxy, or a page to sign in to a network, gives in place of the answer to a submission. */
const NO_ANSWERS: readonly string[] = ['', '<html>', 'null', '{}', '{"docUid":null}'];

const PYTHON_PROGRAM = `
import sys
sys.path.insert(0, ${JSON.stringify(join(PROJECT, 'examples/connectors/python'))})
sys.dont_write_bytecode = True
import connector
`;

/** Connectors on a machine that sleeps for two hours in their first pause. The one in TypeScript leaves this to the client. */
const SLEEPING: Readonly<Record<string, Connector['command']>> = {
  python: async () => [
    ...PYTHON,
    '-c',
    `${PYTHON_PROGRAM}
slept, now = [], connector.time.time
connector.time.sleep = slept.append
connector.time.time = lambda: now() + 7200 * len(slept)
sys.exit(connector.Connector(sys.argv[1]).run())`,
  ],
  bash: async () => [
    'bash',
    '-c',
    `SLEPT=$1/slept
sleep() { touch "$SLEPT"; }
date() { if [[ -e $SLEPT ]]; then command date -d '2 hours' "$@"; else command date "$@"; fi; }
export -f sleep date
export SLEPT
exec bash examples/connectors/bash/connector.sh "$1"`,
    'bash',
  ],
};

suite('the connectors, whoever answers,', () => {
  for (const [language, { skip, command }] of Object.entries(CONNECTORS)) {
    test(`in ${language}: a file counts as submitted once its identifier is known`, { skip }, async (t) => {
      const files = NO_ANSWERS.map((_, place) => `${place}.xml`);
      const folder = folderWith(...files);
      const answers = NO_ANSWERS.flatMap((body) => [{ status: 200, body }, TAKES]);
      const asked: string[] = [];
      const url = await startTakingService(t, answers, undefined, asked);
      // A further run submits what one has left.
      let runs = 1;
      while ((await runConnector(t, command, url, folder)).exitCode !== 0) runs += 1;
      assert.ok(runs <= NO_ANSWERS.length, `${runs} runs`);
      assert.equal(asked.filter((path) => path.endsWith('/outbound')).length, answers.length);
      assert.deepEqual(
        linesOf(folder).map((line) => line.split('\t').slice(0, 2)),
        files.flatMap((file) => [
          ['begin', file],
          ['taken', file],
        ]),
      );
      const taken = linesOf(folder).filter((line) => line.startsWith('taken'));
      assert.deepEqual(
        taken,
        files.map((file) => TAKEN.replace('a.xml', file)),
      );
    });

    test(`in ${language}: an inquiry without its items does not say that there is no such document`, {
      skip,
    }, async (t) => {
      const folder = folderWith('a.xml');
      const sha256 = createHash('sha256').update('<Invoice/>').digest('hex');
      writeFileSync(join(folder, 'state.tsv'), `begin\ta.xml\tkey\t${sha256}\n`);
      const asked: string[] = [];
      const url = await startAnswering(t, ({ method, url: path = '' }) => {
        asked.push(`${method} ${path}`);
        const body = { items: [{ docUid: DOC_UID, status: 20 }], docUid: DOC_UID, status: 20 };
        if (path.includes('/inbound')) return { status: 200, body: '{"items":[],"totalPages":0}' };
        return { status: 200, body: asked.length === 1 ? '{}' : JSON.stringify(body) };
      });
      const { exitCode, stderr } = await runConnector(t, command, url, folder);
      assert.ok(exitCode === 0 ? linesOf(folder)[1] === TAKEN : stderr !== '', `${exitCode} ${stderr}`);
      assert.deepEqual(
        asked.filter((call) => call.startsWith('POST')),
        [],
      );
    });

    test(`in ${language}: the error of a proxy is tried again, in whatever form it comes`, { skip }, async (t) => {
      const folder = folderWith('a.xml');
      const { exitCode, stderr } = await runConnector(t, command, await startTakingService(t, ERRORS), folder);
      assert.deepEqual([exitCode, stderr, linesOf(folder).slice(1)], [0, '', [TAKEN]]);
    });

    test(`in ${language}: a service that is away for long is left to the next run`, { skip }, async (t) => {
      const folder = folderWith('a.xml');
      const url = await startTakingService(t, [TOMORROW]);
      assert.notEqual((await runConnector(t, command, url, folder)).exitCode, 0);
      assert.equal((await runConnector(t, command, url, folder)).exitCode, 0);
      assert.deepEqual(linesOf(folder).slice(1), [TAKEN]);
    });

    test(`in ${language}: what cannot be submitted now keeps nothing else from being done`, { skip }, async (t) => {
      const folder = folderWith('a.xml', 'b.xml', 'c.xml', 'd.xml', 'trial.xml');
      const url = await startTakingService(t, [SWITCHED_OFF, TOO_LARGE_FOR_A_PROXY, TAKES, WITHOUT_A_WORD, MOVED]);
      const { exitCode, stderr } = await runConnector(t, command, url, folder);
      assert.equal(exitCode, 1, stderr);
      assert.deepEqual(
        stderr.match(/^(?:a\.xml: ERR-9001: .*Switched off\.|[bd]\.xml: HTTP 413.*|trial\.xml: .*was changed\.)$/gmu)
          ?.length,
        4,
        stderr,
      );
      assert.doesNotMatch(stderr, /null|none|undefined/iu);
      const done = () => linesOf(folder).filter((line) => !line.startsWith('begin'));
      // By itself no trial becomes a real invoice.
      assert.deepEqual(done(), [TAKEN.replace('a.xml', 'c.xml'), 'refused\ttrial.xml\tHTTP 409']);
      assert.equal((await runConnector(t, command, url, folder)).exitCode, 0);
      assert.deepEqual(done().slice(2), [TAKEN, TAKEN.replace('a.xml', 'b.xml'), TAKEN.replace('a.xml', 'd.xml')]);
    });
  }

  for (const [language, command] of Object.entries(SLEEPING)) {
    const skip = CONNECTORS[language]?.skip ?? false;
    test(`in ${language}: a submission is not repeated once its key may be forgotten`, { skip }, async (t) => {
      const folder = folderWith('a.xml');
      const asked: string[] = [];
      const url = await startTakingService(t, [{ status: 502, body: '<html>' }], undefined, asked);
      const { exitCode, stderr } = await runConnector(t, command, url, folder);
      assert.notEqual(exitCode, 0);
      assert.match(stderr, /next run/u);
      assert.equal(asked.length, 1, asked.join(' '));
    });
  }

  test('in python: an answer that never ends is lost', { skip: CONNECTORS['python']?.skip ?? false }, async (t) => {
    const server = createServer((_, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const program = `${PYTHON_PROGRAM}
connector.TIMEOUT_S = 0.5
try:
    connector.send_once("GET", "/", None, {})
except OSError as error:
    print("lost")
`;
    const [python, ...args] = PYTHON;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { exitCode, stdout, stderr } = await startProgram(t, python, [...args, '-c', program], {
      DOSTAVA_URL: url,
    }).finished();
    assert.deepEqual([exitCode, stdout, stderr], [0, 'lost\n', '']);
  });
});
