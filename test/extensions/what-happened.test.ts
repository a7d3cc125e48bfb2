import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { inquireOutbound } from '../../src/application/outbound/inquire-outbound.ts';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { type Answer, json, request } from '../contract/support/client.ts';
import { freshInvoice } from '../contract/support/documents.ts';
import { assertPlainProblem, assertProblem } from '../contract/support/problem.ts';
import { newTenant } from '../contract/support/tenant.ts';
import { fileOf, newOutbound, record } from '../engines/samples.ts';
import { as, startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';

/** Stands still, so that no limit is refilled. */
const clock = clockAt(Date.now());
const service = await startTestService({ clock });
after(() => service.stop());
const { storage } = service.foundation;
const tenant = await newTenant(service);
const client = await tenant.withKey();
const root = `${service.url}${EXTENSIONS_ROOT}`;
const inquire = (query: string, key = client.secret) => request(`${root}/outbound${query}`, { headers: as(key) });

type Found = Readonly<Record<string, unknown>> & {
  readonly docUid: string;
  readonly attempts: readonly object[];
  readonly warnings: readonly object[];
  readonly sameBytes: readonly { readonly docUid: string }[];
};

function found(answer: Answer): readonly Found[] {
  assert.equal(answer.status, 200, answer.text);
  return (json(answer) as { readonly items: readonly Found[] }).items;
}

const NO_EUID = '0198a000-0000-7000-8000-00000000ffff';
const ANSWER = { accepted: true, qrLink: null, registeredAt: null, statusCode: '01', statusName: null, message: null };

suite('what happened to a document', () => {
  test('names no next attempt of one that came to its end while it was read', async () => {
    const docUid = await client.submitted(freshInvoice());
    const { documentNumber: value } = json(await client.get(`/outbound/${docUid}`)) as {
      readonly documentNumber: string;
    };
    const { outboundInquiries } = storage;
    const find: typeof outboundInquiries.find = async (...asked) => {
      const rows = await outboundInquiries.find(...asked);
      if (asked[1].by === 'documentNumber') await client.post(`/outbound/${docUid}/cancel`);
      return rows;
    };
    const inquiry = inquireOutbound({ storage: { ...storage, outboundInquiries: { find } }, clock });
    const [one] = (await inquiry(tenant.edb, { by: 'documentNumber', value })).found;
    assert.deepEqual([one?.document.status, one?.nextAttemptAt], [60, null]);
  });

  test('is found by its number, its bytes and its EUID, with attempts, times and the next attempt', async () => {
    const xml = freshInvoice();
    const docUid = await client.submitted(xml);
    const detail = json(await client.get(`/outbound/${docUid}`)) as { readonly documentNumber: string };
    const sha256 = createHash('sha256').update(xml).digest('hex');
    for (const query of [
      `?documentNumber=${detail.documentNumber}`,
      `?documentNumber=%20${detail.documentNumber}%09`,
      `?sha256=${sha256.toUpperCase()}`,
    ]) {
      const [one, ...others] = found(await inquire(query));
      assert.deepEqual(others, []);
      const { nextAttemptAt, transitions, ...rest } = one ?? assert.fail(query);
      const known = { euid: null, sha256, archivedAt: null, warnings: [], attempts: [], sameBytes: [] };
      assert.deepEqual(rest, { ...detail, ...known });
      assert.ok(Date.parse(String(nextAttemptAt)) > Date.now(), 'it is held back');
      assert.equal((transitions as unknown[]).length, 1);
    }
    await storage.transaction(async ({ outbound, deliveries }) => {
      await outbound.move(tenant.edb, docUid, 10, ['prepare', 'send'], record(Date.now()));
      const ordinal = await deliveries.beginAttempt(tenant.edb, docUid, 'send', Date.now());
      const end = { outcome: 'registered', failureCode: null, message: null, answer: 'secret' } as const;
      await deliveries.endAttempt(tenant.edb, docUid, ordinal, { ...end, endedAt: Date.now() });
      const ujp = { ...ANSWER, euid: docUid, errors: [] };
      await outbound.move(tenant.edb, docUid, 30, 'accept', record(Date.now(), { ujp }));
      await deliveries.saveWarnings(tenant.edb, docUid, [{ code: 'LINE-LEFT-OUT', text: 'x', path: null }]);
    });
    const [accepted] = found(await inquire(`?euid=${docUid.toUpperCase()}`));
    assert.deepEqual([accepted?.['status'], accepted?.['euid'], accepted?.['nextAttemptAt']], [40, docUid, null]);
    const [attempt] = accepted?.attempts ?? [];
    assert.deepEqual(Object.keys(attempt ?? {}), ['act', 'startedAt', 'endedAt', 'outcome', 'failureCode']);
    assert.equal(accepted?.warnings.length, 1);
    await storage.transaction((tx) => tx.archive.markArchived(tenant.edb, 'outbound', docUid, Date.now()));
    const [archived] = found(await inquire(`?euid=${docUid}`));
    assert.deepEqual([archived?.docUid, archived?.attempts], [docUid, []]);
    assert.equal(typeof archived?.['archivedAt'], 'string');
  });

  test('an attempt that is under way has no next one, and a claim that ran out is due', async () => {
    const document = newOutbound({ holdMs: 0 });
    await storage.transaction((tx) => tx.outbound.add(tenant.edb, document, Date.now() - 1_000));
    const number = document.facts.documentNumber;
    const claim = (until: number) =>
      storage.transaction((tx) =>
        tx.deliveries.claim(tenant.edb, 'delivery', { token: 'x', until }, Number.MAX_SAFE_INTEGER, 1_000),
      );
    await claim(clock.now() + 600_000);
    assert.equal(found(await inquire(`?documentNumber=${number}`))[0]?.['nextAttemptAt'], null);
    await claim(clock.now() - 1);
    assert.notEqual(found(await inquire(`?documentNumber=${number}`))[0]?.['nextAttemptAt'], null);
  });

  test('the same bytes that were submitted again are announced, the newest first', async () => {
    const ubl = fileOf('<Invoice>the same</Invoice>');
    const add = () => storage.transaction((tx) => tx.outbound.add(tenant.edb, newOutbound({ ubl }), Date.now()));
    const docUids: string[] = [];
    for (let count = 0; count < 3; count += 1) docUids.push((await add()).docUid);
    const items = found(await inquire(`?sha256=${Buffer.from(ubl.sha256).toString('hex')}`));
    assert.deepEqual(
      items.map(({ docUid }) => docUid),
      docUids.toReversed(),
    );
    const same = items[1]?.sameBytes.map(({ docUid }) => docUid);
    assert.deepEqual(same, [docUids[2], docUids[0]]);
  });

  test('answers are limited in size', async () => {
    const document = newOutbound();
    await storage.transaction(async (tx) => {
      for (let count = 0; count < 22; count += 1) await tx.outbound.add(tenant.edb, document, Date.now());
    });
    const answer = await inquire(`?documentNumber=${document.facts.documentNumber}`);
    assert.equal(found(answer).length, 20);
    assert.equal((json(answer) as { readonly hasMore: boolean }).hasMore, true);
  });

  test('nobody finds the documents of others, and what is not there is an empty answer', async () => {
    const xml = freshInvoice();
    await client.submitted(xml);
    const stranger = await (await newTenant(service)).withKey();
    const sha256 = createHash('sha256').update(xml).digest('hex');
    assert.equal(found(await inquire(`?sha256=${sha256}`)).length, 1);
    assert.deepEqual(found(await inquire(`?sha256=${sha256}`, stranger.secret)), []);
    for (const query of ['?documentNumber=none', `?euid=${NO_EUID}`, '?documentNumber=%00']) {
      assert.deepEqual(found(await inquire(query)), []);
    }
  });

  test('one mark must be given, and a digest or an EUID must be one', async () => {
    for (const query of [
      '',
      '?documentNumber=',
      '?euid=1&documentNumber=2',
      '?sha256=12',
      '?euid=x',
      `?euid=${'x'.repeat(5_000)}`,
      `?sha256=${'g'.repeat(64)}`,
    ]) {
      assertPlainProblem(await inquire(query), 400);
    }
  });

  test('costs nothing of the traffic limit, but has a limit of its own', async () => {
    const { secret, get } = await tenant.withKey({ callsPerMinute: 1 });
    assert.equal((await get('/ping')).status, 200);
    assertProblem(await get('/ping'), 'ERR-1006');
    for (let count = 0; count < 60; count += 1) {
      const answer = await inquire(`?euid=${NO_EUID}`, secret);
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('ratelimit') ?? '', /^"minute";r=0/u);
      assert.equal(answer.headers.get('ratelimit-policy'), '"minute";q=1;w=60');
    }
    const refused = await inquire(`?euid=${NO_EUID}`, secret);
    assertProblem(refused, 'ERR-1006');
    assert.match(refused.text, /60 inquiries a minute/u);
  });
});
