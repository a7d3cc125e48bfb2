import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { startProgram, temporaryFolder } from '../support/process.ts';
import { CONNECTORS } from './connector-programs.ts';

type Answer = { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> };

const DOC_UID = '01a1eaee-0c86-7c21-a7d2-c2e5975c6cb9';
const TAKEN = `taken\ta.xml\t${DOC_UID}`;

/** What a proxy, or a page to sign in to a network, gives in place of the answer to a submission. */
const NO_ANSWERS: readonly string[] = ['', '<html>', 'null', '{}', '{"docUid":null}'];

/** A service that takes every document, has none to import, and whose first answers to submissions are those of somebody else. */
async function startService(t: TestContext, first: readonly Answer[]): Promise<string> {
  const waiting = [...first];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const { status, body, headers } = answerTo(request.method === 'POST' && path.endsWith('/outbound'), path);
    request.resume().on('end', () => response.writeHead(status, headers).end(body));
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function answerTo(isSubmission: boolean, path: string): Answer {
    if (isSubmission) return waiting.shift() ?? { status: 201, body: JSON.stringify({ docUid: DOC_UID, status: 10 }) };
    if (path.endsWith(DOC_UID)) return { status: 200, body: JSON.stringify({ docUid: DOC_UID, status: 20 }) };
    return { status: 200, body: JSON.stringify({ items: [], totalPages: 0 }) };
  }
}

suite('the connectors, whoever answers,', () => {
  for (const [language, { skip, command }] of Object.entries(CONNECTORS)) {
    const run = async (t: TestContext, url: string, folder: string) => {
      const [program, ...args] = await command();
      const variables = { DOSTAVA_URL: url, DOSTAVA_KEY: 'key', DOSTAVA_WAIT_SECONDS: '0' };
      return startProgram(t, program, [...args, folder], variables).finished();
    };

    test(`in ${language}: a file counts as submitted once its identifier is known`, { skip }, async (t) => {
      for (const body of NO_ANSWERS) {
        const folder = folderWith('a.xml');
        const url = await startService(t, [{ status: 200, body }]);
        const first = await run(t, url, folder);
        // A further run submits what the first has left.
        if (first.exitCode !== 0) assert.equal((await run(t, url, folder)).exitCode, 0, body);
        assert.deepEqual(linesOf(folder).slice(1), [TAKEN], body);
      }
    });
  }
});

function folderWith(file: string): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'outbox'));
  writeFileSync(join(folder, 'outbox', file), '<Invoice/>');
  return folder;
}

function linesOf(folder: string): readonly string[] {
  return readFileSync(join(folder, 'state.tsv'), 'utf8').trimEnd().split('\n');
}
