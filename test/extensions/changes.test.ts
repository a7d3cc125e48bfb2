import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, suite, test } from 'node:test';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { type Answer, json, request } from '../contract/support/client.ts';
import { assertPlainProblem, assertProblem } from '../contract/support/problem.ts';
import { newTenant } from '../contract/support/tenant.ts';
import { newInbound, newOutbound, record } from '../engines/samples.ts';
import { until } from '../support/process.ts';
import { as, startTestService } from '../support/service.ts';
import { steadyElapsedMs } from '../support/steady-time.ts';
import { clockAt } from '../support/test-clock.ts';

/** Stands still, so that no limit is refilled. */
const clock = clockAt(Date.now());
const service = await startTestService({ clock, variables: { MAX_CONNECTIONS: '40' } });
after(() => service.stop());
const { storage } = service.foundation;
const root = `${service.url}${EXTENSIONS_ROOT}`;

type Entry = Readonly<Record<string, unknown>> & {
  readonly cursor: string;
  readonly kind: string;
  readonly docUid: string;
};

type Page = {
  readonly items: readonly Entry[];
  readonly next: string | null;
  readonly hasMore: boolean;
  readonly completeUpTo: string | null;
};

const page = (answer: Answer) => {
  assert.equal(answer.status, 200, answer.text);
  return json(answer) as Page;
};

async function reader() {
  const tenant = await newTenant(service);
  const { secret } = await tenant.withKey();
  const ask = (query: string) => request(`${root}/changes${query}`, { headers: as(secret) });
  const add = () => storage.transaction((tx) => tx.outbound.add(tenant.edb, newOutbound(), Date.now()));
  return { tenant, secret, ask, add };
}

suite('the change feed over HTTP', () => {
  test('tells everything about a document in order, and reads on from any cursor', async () => {
    const { tenant, ask, add } = await reader();
    assert.deepEqual(
      { ...page(await ask('')), completeUpTo: null },
      { items: [], next: null, hasMore: false, completeUpTo: null },
    );
    const { docUid } = await add();
    const arrival = await storage.transaction((tx) => tx.inbound.add(tenant.edb, newInbound(), Date.now()));
    await storage.transaction((tx) => tx.outbound.move(tenant.edb, docUid, 10, 'cancel', record(Date.now())));
    const all = page(await ask(''));
    assert.deepEqual(
      all.items.map(({ kind, docUid: of, direction, status }) => [kind, of, direction, status]),
      [
        ['status', docUid, 'outbound', 10],
        ['arrived', arrival.stored.docUid, 'inbound', null],
        ['status', docUid, 'outbound', 60],
      ],
    );
    const [first, second] = all.items;
    assert.deepEqual([first?.['currency'], first?.['amount'], first?.['partnerEdb']], ['MKD', 118, '4080026000023']);
    assert.deepEqual([second?.['senderName'], second?.['amount']], ['Beta', 59]);
    assert.equal(all.next, all.items[2]?.cursor);
    assert.equal(Date.parse(all.completeUpTo ?? ''), clock.now());
    const rest = page(await ask(`?after=${first?.cursor}`));
    assert.deepEqual(rest.items, all.items.slice(1));
    const end = page(await ask(`?after=${all.next}`));
    assert.deepEqual([end.items, end.next, end.hasMore], [[], all.next, false]);
  });

  test('gives long logs in parts, of which only the last is complete', async () => {
    const { tenant, ask } = await reader();
    await storage.transaction(async (tx) => {
      for (let count = 0; count < 230; count += 1) await tx.outbound.add(tenant.edb, newOutbound(), Date.now());
    });
    const first = page(await ask(''));
    assert.deepEqual([first.items.length, first.hasMore, first.completeUpTo], [200, true, null]);
    const second = page(await ask(`?after=${first.next}&wait=50`));
    assert.deepEqual([second.items.length, second.hasMore], [30, false]);
    assert.equal(new Set([...first.items, ...second.items].map(({ docUid }) => docUid)).size, 230);
  });

  test('refuses a cursor that is damaged or of another taxpayer, and says when its entry is gone', async () => {
    const { tenant, ask, add } = await reader();
    const other = await reader();
    await add();
    await other.add();
    const { next } = page(await ask(''));
    const cursor = next ?? assert.fail();
    const damaged = [
      page(await other.ask('')).next ?? '',
      `${cursor}0`,
      cursor.slice(1),
      cursor.replace(/^./u, (digit) => (digit === 'f' ? '0' : 'f')),
      `${cursor.slice(0, -1)}${cursor.endsWith('0') ? '1' : '0'}`,
      'x',
      '%00',
    ];
    for (const text of damaged) assertPlainProblem(await ask(`?after=${text}`), 400);
    for (const wait of ['-1', '51', 'x']) assertPlainProblem(await ask(`?wait=${wait}`), 400);
    // A database that was put back to an earlier state, and went another way from there.
    await service.foundation.engine.transaction((sql) =>
      sql.run('delete from document_change where tenant = $1', [tenant.edb]),
    );
    assertPlainProblem(await ask(`?after=${cursor}`), 410);
    await add();
    assertPlainProblem(await ask(`?after=${cursor}&wait=1`), 410);
  });
});

suite('waiting for a change', () => {
  test('ends with the change, costs one call, and ends without one when the time is over', async () => {
    const { tenant, add } = await reader();
    const { secret } = await tenant.withKey({ callsPerMinute: 3 });
    const ask = (query: string) => request(`${root}/changes${query}`, { headers: as(secret) });
    const waiting = ask('?wait=50');
    await until('the call waits', async () => service.underWay().requests > 0 || null);
    await add();
    const { items, next } = page(await waiting);
    assert.equal(items.length, 1);
    const over = await ask(`?after=${next}&wait=1`);
    assert.deepEqual([page(over).items, page(over).next], [[], next]);
    assert.equal((await ask('')).status, 200);
    assertProblem(await ask(''), 'ERR-1006');
  });

  test('is limited for a key and for all, and a client that leaves frees its place', async () => {
    const { secret, ask } = await reader();
    const left = new AbortController();
    /** Waits, and waits again, until it is told to leave. */
    const hold = async (key: string) => {
      while (!left.signal.aborted) {
        await fetch(`${root}/changes?wait=50`, { headers: as(key), signal: left.signal }).catch(() => undefined);
      }
    };
    const own = Array.from({ length: 4 }, () => hold(secret));
    const refused = await until('the key has no place', async () => {
      const answer = await ask('?wait=1');
      return answer.status === 200 ? null : answer;
    });
    assertProblem(refused, 'ERR-1006');
    assert.equal(refused.headers.get('retry-after'), '5');
    assert.equal((await ask('')).status, 200, 'who does not wait needs no place');
    const others = await Promise.all([reader(), reader()]);
    const more = others.flatMap(({ secret: key }) => Array.from({ length: 3 }, () => hold(key)));
    const last = await reader();
    // Ten places in all, a quarter of the connections.
    const full = await until('nobody has a place', async () => {
      const answer = await last.ask('?wait=1');
      return answer.status === 200 ? null : answer;
    });
    assertPlainProblem(full, 503);
    left.abort();
    await Promise.all([...own, ...more]);
    await until('the places are free', async () => (await ask('?wait=1')).status === 200 || null);
  });

  test('does not keep the connection of a client that has reset it', async () => {
    const { secret } = await reader();
    const { hostname, port } = new URL(service.url);
    const before = service.underWay().requests;
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `GET ${EXTENSIONS_ROOT}/changes?wait=50 HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${secret}\r\nX-Software-Id: t\r\n\r\n`,
    );
    await until('the call waits', async () => service.underWay().requests > before || null);
    socket.resetAndDestroy();
    await until('it is gone', async () => service.underWay().requests <= before || null);
  });

  test('ends at once when the service stops', async () => {
    const second = await startTestService();
    const tenant = await newTenant(second);
    const { secret } = await tenant.withKey();
    const waiting = request(`${second.url}${EXTENSIONS_ROOT}/changes?wait=50`, { headers: as(secret) });
    await until('the call waits', async () => second.underWay().requests > 0 || null);
    const started = steadyElapsedMs();
    await second.stop();
    assert.deepEqual(page(await waiting).items, []);
    assert.ok(steadyElapsedMs() - started < 45_000);
  });
});
