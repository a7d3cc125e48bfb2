import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { type Change, createClient, ProblemError, sha256Of } from '../../client/src/client.ts';
import { freshInvoice } from '../contract/support/documents.ts';
import { newTenant } from '../contract/support/tenant.ts';
import { newInbound, record } from '../engines/samples.ts';
import { startTestService } from '../support/service.ts';
import { runningClock } from '../support/test-clock.ts';

const HOURS_MS = 2 * 3_600_000;
const PAGE = 3;

const clock = runningClock();
const service = await startTestService({ clock });
after(() => service.stop());
const { storage } = service.foundation;

async function newClient() {
  const { edb, withKey } = await newTenant(service);
  const { secret: apiKey } = await withKey();
  const client = createClient({ url: service.url, apiKey, software: 'test/1.0' });
  const arrive = async (at = clock.now()) => {
    const { stored } = await storage.transaction((tx) => tx.inbound.add(edb, newInbound(), at));
    return stored.docUid as string;
  };
  const move = (docUid: string, from: 10 | 30, events: Parameters<typeof storage.outbound.move>[3]) =>
    storage.transaction((tx) => tx.outbound.move(edb, docUid as never, from, events, record(clock.now())));
  return { client, arrive, move };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const uids = (items: readonly { readonly docUid: string | null }[]) => items.map(({ docUid }) => docUid);

suite('the client library', () => {
  test('submits, reads, lists, cancels, inquires, tries and reads code lists', async () => {
    const { client } = await newClient();
    assert.equal((await client.ping()).keyValid, true);
    const invoice = freshInvoice();
    const first = await client.submit(invoice);
    const again = await client.submit(invoice, { idempotencyKey: first.idempotencyKey });
    assert.deepEqual([first.alreadyExisted, again.alreadyExisted, again.docUid], [false, true, first.docUid]);
    assert.equal((await client.readOutbound(first.docUid)).status, 10);
    assert.equal((await client.readHistory(first.docUid)).transitions?.length, 1);
    assert.equal(Buffer.from((await client.downloadOutbound(first.docUid)).bytes).toString(), invoice);
    const { items } = await client.inquire({ sha256: await sha256Of(invoice) });
    assert.deepEqual(uids(items), [first.docUid]);
    assert.equal((await client.cancel(first.docUid)).status, 60);
    assert.equal((await client.listOutbound({ status: [60] })).totalCount, 1);
    assert.notEqual((await client.readCodeList('payment-types')).items?.length, 0);
    const { outcome, findings } = await client.validate('<Order/>');
    assert.deepEqual([outcome, findings[0]?.code], ['refused', 'ERR-2002']);
    await assert.rejects(client.submit('<Order/>'), (failure) => {
      assert.ok(failure instanceof ProblemError);
      return failure.code === 'ERR-2002' && failure.requestId !== null && failure.idempotencyKey !== null;
    });
  });

  test('has every call of the interface descriptions, by its operation id', async () => {
    const { client } = await newClient();
    assert.equal((await client.call('pingExtensions', {})).ok, true);
    const { docUid } = await client.submit(freshInvoice());
    const file = await client.call('readOutboundFile', { path: { docUid }, query: { format: 'ubl' } });
    assert.ok(file.bytes.length > 0 && file.sha256 !== null);
    const found = await client.call('inquireOutbound', { query: { sha256: file.sha256 } });
    assert.deepEqual(uids(found.items), [docUid]);
  });

  test('lists every document once while documents arrive and leave the list', async () => {
    const { client, arrive } = await newClient();
    const begin = clock.now();
    // Several moments of several documents each: one has more than two pages.
    const times = [2, 8, 1, 4].flatMap((count, moment) => Array.from({ length: count }, () => begin + moment));
    const there: string[] = [];
    for (const at of times) there.unshift(await arrive(at));
    const seen: string[] = [];
    for await (const { docUid } of client.eachInbound({ onlyNotImported: true, pageSize: PAGE })) {
      seen.push(docUid);
      if (seen.length % 2 === 0) await arrive(begin + 100);
      // Those of the crowded moment stay: only the number of a page leads through it.
      if (seen.length <= 4 || seen.length > 13) await client.acknowledge(docUid);
    }
    assert.deepEqual(seen, there);
    const submitted = [];
    for (let place = 0; place < 2 * PAGE + 1; place += 1)
      submitted.unshift((await client.submit(freshInvoice())).docUid);
    assert.deepEqual(uids(await collect(client.eachOutbound({ pageSize: PAGE }))), submitted);
  });

  test('lists every document of a crowded moment once, whichever of them leave the list', async () => {
    for (const leaves of [() => true, (place: number) => place % 2 === 0, (place: number) => place > 2 * PAGE]) {
      const { client, arrive } = await newClient();
      const at = clock.now();
      const there: string[] = [];
      for (let place = 0; place < 4 * PAGE + 1; place += 1) there.unshift(await arrive(at));
      const seen: string[] = [];
      for await (const { docUid } of client.eachInbound({ onlyNotImported: true, pageSize: PAGE })) {
        seen.push(docUid);
        if (leaves(seen.length)) await client.acknowledge(docUid);
      }
      assert.deepEqual(seen, there);
    }
  });

  test('waits for the final status of a document', async () => {
    const { client, move } = await newClient();
    const { docUid } = await client.submit(freshInvoice());
    const waiting = client.waitForFinalStatus(docUid);
    await move(docUid, 10, ['prepare', 'send']);
    await move(docUid, 30, 'reject');
    assert.equal((await waiting).status, 50);
    const { docUid: other } = await client.submit(freshInvoice());
    await assert.rejects(client.waitForFinalStatus(other, { signal: AbortSignal.timeout(5) }), {
      name: 'TimeoutError',
    });
  });

  test('follows the change feed from a cursor, and waits for what is still to come', async () => {
    const { client, arrive } = await newClient();
    const { docUid } = await client.submit(freshInvoice());
    const [first, ...none] = await collect(client.changes({ follow: false }));
    assert.deepEqual([first?.kind, first?.docUid, none], ['status', docUid, []]);
    const later: Change[] = [];
    const reading = (async () => {
      for await (const change of client.changes({ after: first?.cursor ?? null })) if (later.push(change) === 3) return;
    })();
    const arrival = await arrive();
    await client.acknowledge(arrival);
    await client.cancel(docUid);
    await reading;
    assert.deepEqual(
      later.map(({ kind, docUid }) => [kind, docUid]),
      [
        ['arrived', arrival],
        ['acknowledged', arrival],
        ['status', docUid],
      ],
    );
    const stop = new AbortController();
    const endless = collect(client.changes({ after: later.at(-1)?.cursor ?? null, signal: stop.signal }));
    setImmediate(() => stop.abort(new Error('enough')));
    await assert.rejects(endless, /enough/u);
  });

  test('imports every arrival once: failed ones come again, those imported before a crash are only acknowledged', async () => {
    const { client, arrive } = await newClient();
    const there = [await arrive(), await arrive(), await arrive(), await arrive()];
    const [broken, crashed] = there;
    const imported = new Set(crashed === undefined ? [] : [crashed]);
    const failures: unknown[] = [];
    const run = (isRepaired: boolean) =>
      client.importArrivals(
        async (arrival) => {
          if (arrival.docUid === broken && !isRepaired) throw new Error('cannot be booked');
          assert.ok(!imported.has(arrival.docUid), 'twice');
          assert.ok((await arrival.download()).bytes.length > 0);
          assert.equal((await arrival.read()).senderName, 'Beta');
          imported.add(arrival.docUid);
        },
        { isImported: (docUid) => imported.has(docUid), onFailure: (failure) => void failures.push(failure) },
      );
    assert.deepEqual(await run(false), { imported: 2, acknowledged: 1, failed: 1 });
    assert.equal(failures.length, 1);
    assert.deepEqual(await run(true), { imported: 1, acknowledged: 0, failed: 0 });
    assert.deepEqual([...imported].toSorted(), there.toSorted());
    assert.equal((await client.listInbound({ onlyNotImported: true })).totalCount, 0);
    await arrive();
    const failing = client.importArrivals(() => Promise.reject(new Error('cannot be booked')));
    await assert.rejects(failing, /cannot be booked/u);
  });

  test('resumes a submission whose answer was not kept, also after the hour of its key', async () => {
    const { client } = await newClient();
    const [taken, untaken] = [freshInvoice(), freshInvoice()];
    const { docUid, idempotencyKey } = await client.submit(taken);
    clock.advance(HOURS_MS);
    assert.equal((await client.resumeSubmission(taken, { idempotencyKey })).docUid, docUid);
    const fresh = await client.resumeSubmission(untaken, { idempotencyKey: 'kept-before' });
    assert.deepEqual([fresh.alreadyExisted, fresh.idempotencyKey], [false, 'kept-before']);
    const other = await client.resumeSubmission(taken, { idempotencyKey: 'new', isKnown: (known) => known === docUid });
    assert.notEqual(other.docUid, docUid);
    assert.equal((await client.listOutbound()).totalCount, 3);
  });
});
