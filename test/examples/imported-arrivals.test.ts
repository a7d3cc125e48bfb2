import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { type Answer, startAnswering } from './answering-server.ts';
import { CONNECTORS } from './connector-programs.ts';
import { folderWith, linesOf, runConnector } from './taking-service.ts';

const PAGE_SIZE = 2;
const GONE: Answer = { status: 404, body: '{"code":"ERR-3001","detail":"It is gone."}' };

/** What a service that was restored has collected once more has another docUid, and the same bytes. */
const SAME_AS: ReadonlyMap<string, string> = new Map([[docUid(9), docUid(8)]]);

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
  const url = await startAnswering(t, (request) => answerTo(new URL(request.url ?? '', 'http://service')));
  return { url, waiting: () => waiting.map((one) => one.docUid) };

  function answerTo({ pathname, searchParams }: URL): Answer {
    const [, asked = '', what] = /\/inbound\/([^/]+)\/(file|ack)$/u.exec(pathname) ?? [];
    if (what === undefined) return page(searchParams);
    if (what === 'file') return gone.has(asked) ? GONE : file(SAME_AS.get(asked) ?? asked);
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

function file(body: string): Answer {
  const digest = createHash('sha256').update(body).digest('base64');
  return { status: 200, body, headers: { 'Repr-Digest': `sha-256=:${digest}:` } };
}

/** As the state has it. */
function imported(one: string): string {
  const sha256 = createHash('sha256')
    .update(SAME_AS.get(one) ?? one)
    .digest('hex');
  return `imported\t${one}\t${sha256}`;
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
      assert.deepEqual(linesOf(folder), others.map(imported));
    });

    test(`in ${language}: one that comes once more under another docUid is acknowledged and kept once`, {
      skip,
    }, async (t) => {
      const [first, again] = [docUid(8), docUid(9)];
      const folder = folderWith();
      // A line of the version before has no digest.
      writeFileSync(join(folder, 'state.tsv'), `imported\t${docUid(7)}\n${imported(first)}\n`);
      const service = await startArrivals(t, 9, new Set([1, 2, 3, 4, 5, 6, 7, 8].map(docUid)));
      const { stderr } = await runConnector(t, command, service.url, folder);
      assert.equal(stderr.split('\n')[0], `${again}: is ${first} once more`);
      assert.ok(!service.waiting().includes(again));
      assert.deepEqual(readdirSync(join(folder, 'imported')), []);
      assert.equal(linesOf(folder)[2], imported(again));
    });
  }
});
