import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { CONNECTORS } from './connector-programs.ts';
import { type Answer, folderWith, linesOf, runConnector } from './taking-service.ts';

const PAGE_SIZE = 2;
const GONE: Answer = { status: 404, body: '{"code":"ERR-3001","detail":"It is gone."}' };
const CONTENT = 'an invoice';

/** The newest comes first. */
function docUid(index: number): string {
  return `01a1eaee-0c86-7c21-a7d2-c2e5975c6c0${index}`;
}

/** A service with arrivals, some of which it lists and cannot give. */
async function startArrivals(t: TestContext, count: number, gone: ReadonlySet<string>) {
  let waiting = Array.from({ length: count }, (_, index) => ({
    docUid: docUid(count - index),
    receivedAt: `2026-11-17T10:00:0${count - index}.000Z`,
  }));
  const server = createServer((request, response) => {
    const { status, body, headers } = answerTo(new URL(request.url ?? '', 'http://service'));
    request.resume().on('end', () => response.writeHead(status, headers).end(body));
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: () => waiting.map((one) => one.docUid),
  };

  function answerTo({ pathname, searchParams }: URL): Answer {
    const [, asked = '', what] = /\/inbound\/([^/]+)\/(file|ack)$/u.exec(pathname) ?? [];
    if (what === undefined) return page(searchParams);
    if (what === 'file') return gone.has(asked) ? GONE : file();
    waiting = waiting.filter((one) => one.docUid !== asked);
    return { status: 200, body: JSON.stringify({ docUid: asked, ackedAt: '2026-11-17T11:00:00.000Z' }) };
  }

  function page(parameters: URLSearchParams): Answer {
    const dateTo = parameters.get('dateTo') ?? '9';
    const listed = waiting.filter(({ receivedAt }) => receivedAt <= dateTo);
    const first = (Number(parameters.get('page') ?? 1) - 1) * PAGE_SIZE;
    const items = listed.slice(first, first + PAGE_SIZE);
    return { status: 200, body: JSON.stringify({ items, totalPages: Math.ceil(listed.length / PAGE_SIZE) }) };
  }
}

function file(): Answer {
  const digest = createHash('sha256').update(CONTENT).digest('base64');
  return { status: 200, body: CONTENT, headers: { 'Repr-Digest': `sha-256=:${digest}:` } };
}

suite('the connectors, importing arrivals,', () => {
  for (const [language, { skip, command }] of Object.entries(CONNECTORS)) {
    test(`in ${language}: those that cannot be downloaded are reported and keep no other back`, { skip }, async (t) => {
      // The whole first page, and one behind it.
      const gone = [docUid(7), docUid(6), docUid(3)];
      const others = [5, 4, 2, 1].map(docUid);
      const service = await startArrivals(t, 7, new Set(gone));
      const folder = folderWith();
      for (const run of ['first', 'next']) {
        const { exitCode, stderr } = await runConnector(t, command, service.url, folder);
        const said = stderr.trimEnd().split('\n');
        assert.deepEqual([exitCode, said.length], [1, gone.length], `${run}: ${stderr}`);
        for (const [index, one] of gone.entries()) {
          assert.match(said[index] ?? '', new RegExp(`^${one}: cannot be downloaded: .*It is gone\\.$`, 'u'));
        }
      }
      assert.deepEqual(service.waiting(), gone);
      assert.deepEqual(readdirSync(join(folder, 'imported')).toSorted(), others.toSorted());
      assert.deepEqual(
        linesOf(folder),
        others.map((one) => `imported\t${one}`),
      );
    });
  }
});
