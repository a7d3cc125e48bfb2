import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { freshDatabase } from '../support/fresh-database.ts';
import { type RunningService, startService } from '../support/process.ts';
import { as, startTestService, type TestService } from '../support/service.ts';
import { operatorBeside } from '../system/operator-beside.ts';

const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');
const ALFA = readEdb('4030026000018');
const ROUNDS = process.env['TEST_LONG'] === '1' ? 10 : 2;
const CLIENTS = 4;
const DOCUMENTS_OF_A_CLIENT = 8;
/** The process is killed when the reader has seen so many more changes; others are under way. */
const CHANGES_A_ROUND = 20;

type Row = { readonly status: number; readonly at: string; readonly failureCode: string | null };
type Entry = Row & {
  readonly cursor: string;
  readonly kind: string;
  readonly direction: string;
  readonly docUid: string;
  readonly ujp: { readonly euid: string | null } | null;
};
type Page = { readonly items: readonly Entry[]; readonly next: string | null; readonly hasMore: boolean };
type Listed = { readonly docUid: string; readonly status: number; readonly ackedAt: string | null };

/** A reader that keeps its cursor with what it has taken over, as an ERP does. */
function createReader(key: string) {
  const seen: Entry[] = [];
  const cursors = new Set<string>();
  let next: string | null = null;
  return {
    seen,
    /** Reads one answer; false when the service was gone before it came. */
    async read({ url }: Pick<RunningService, 'url'>, wait: number): Promise<Page | null> {
      const after = next === null ? '' : `&after=${next}`;
      const headers = { 'X-Api-Key': key, 'X-Software-Id': 'reader/1' };
      const answer = await fetch(`${url}${EXTENSIONS_ROOT}/changes?wait=${wait}${after}`, { headers }).catch(
        () => null,
      );
      if (answer === null) return null;
      const text = await answer.text().catch(() => null);
      if (text === null) return null;
      assert.equal(answer.status, 200, text);
      const page = JSON.parse(text) as Page;
      for (const entry of page.items) {
        assert.ok(!cursors.has(entry.cursor), 'no entry comes twice');
        cursors.add(entry.cursor);
        seen.push(entry);
      }
      next = page.next;
      return page;
    },
  };
}

test('a reader of the feed alone mirrors every document of a service that is killed again and again', async (t) => {
  const database = await freshDatabase();
  const variables = { ...database, DELIVERY_HOLD_SECONDS: '0', AUTHORITY_PACE_MS: '0' };
  let killed = await startService(t, variables);
  const { keys } = await operatorBeside(t, variables);
  const { secret: key } = await keys.issue({ tenant: ALFA, software: 'reader', callsPerMinute: 9_999_999 });
  const reader = createReader(key);
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round > 0) killed = await startService(t, variables);
    const enough = reader.seen.length + CHANGES_A_ROUND;
    const clients = Array.from({ length: CLIENTS }, (_, client) => submitUntilGone(killed, key, `${round}-${client}`));
    while (reader.seen.length < enough) assert.notEqual(await reader.read(killed, 5), null);
    const last = reader.read(killed, 50);
    killed.signal('SIGKILL');
    await killed.finished();
    await Promise.all([...clients, last]);
  }
  // It does not deliver: after the last kill nothing changes any more, so that both can be compared.
  const service = await startTestService({ database });
  t.after(service.stop);
  for (let hasMore = true; hasMore; ) hasMore = (await reader.read(service, 0))?.hasMore ?? assert.fail();
  await compare(service, key, reader.seen);
});

async function submitUntilGone(service: RunningService, key: string, name: string): Promise<void> {
  for (let count = 0; count < DOCUMENTS_OF_A_CLIENT; count += 1) {
    const body = INVOICE.replace('7001', `k-${name}-${count}`);
    const headers = { 'X-Idempotency-Key': `${name}-${count}` };
    const answer = await service.call(key, '/outbound', { method: 'POST', headers, body }).catch(() => null);
    if (answer === null) return;
    await answer.text().catch(() => '');
  }
}

async function compare({ api }: TestService, key: string, seen: readonly Entry[]): Promise<void> {
  const call = (path: string) => fetch(`${api}${path}`, { headers: as(key) });
  const read = async <Body>(path: string) => (await (await call(path)).json()) as Body;
  const byDocument = Map.groupBy(seen, ({ docUid }) => docUid);
  const outbound = await read<{ items: readonly Listed[] }>('/outbound?pageSize=500');
  const inbound = await read<{ items: readonly Listed[] }>('/inbound?pageSize=500');
  const listed = [...outbound.items, ...inbound.items].map(({ docUid }) => docUid);
  assert.deepEqual([...byDocument.keys()].toSorted(), listed.toSorted());
  for (const { docUid, status } of outbound.items) {
    const entries = byDocument.get(docUid) ?? [];
    const moves = entries.filter(({ kind }) => kind === 'status');
    const { transitions } = await read<{ transitions: readonly Row[] }>(`/outbound/${docUid}/history`);
    assert.deepEqual(
      moves.map(({ status: to, at, failureCode }) => ({ status: to, at, failureCode })),
      transitions,
    );
    assert.equal(moves.at(-1)?.status, status);
    const { ujp } = await read<{ ujp: Entry['ujp'] }>(`/outbound/${docUid}`);
    const answered = entries.findLast(({ kind }) => kind === 'status' || kind === 'authority-status');
    assert.equal(answered?.ujp?.euid ?? null, ujp?.euid ?? null);
    const container = await call(`/outbound/${docUid}/file?format=ujp`);
    await container.arrayBuffer();
    assert.equal(entries.filter(({ kind }) => kind === 'container').length, container.status === 200 ? 1 : 0);
  }
  for (const { docUid, ackedAt } of inbound.items) {
    const kinds = (byDocument.get(docUid) ?? []).map(({ kind }) => kind);
    assert.equal(kinds.filter((kind) => kind === 'arrived').length, 1);
    assert.equal(kinds.includes('acknowledged'), ackedAt !== null);
  }
}
