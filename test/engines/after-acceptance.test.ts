import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthorityStatusChange } from '../../src/application/ports/authority.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { onEveryEngine } from '../support/engines.ts';
import { fc } from '../support/seeds.ts';
import { addOutboundIn, MORNING, newEdb, newOutbound } from './samples.ts';

const MINUTE = 60_000;
const REJECTED_ROW = 'UJP-REJECTED-BY-BUYER';

const STATUS = {
  new: { code: '01', name: 'Нова' },
  accepted: { code: '03', name: 'Прифатена' },
  rejected: { code: '05', name: 'Одбиена' },
  voided: { code: '07', name: 'Сторнирана' },
} as const;

let euids = 0;

onEveryEngine('what becomes of a registered document', (database) => {
  type Registered = { readonly tenant: Edb; readonly docUid: DocUid; readonly euid: string };

  async function registered(status: { readonly code: string; readonly name: string | null } = STATUS.new) {
    const tenant = newEdb();
    euids += 1;
    const euid = `019b8d43-7840-7433-b358-${String(euids).padStart(12, '0')}`;
    const answer = { accepted: true, euid, qrLink: null, registeredAt: null, message: 'Зачувана', errors: [] };
    const ujp = { ...answer, statusCode: status.code, statusName: status.name };
    const { docUid } = await database().storage.transaction((tx) =>
      addOutboundIn(tx, tenant, 40, newOutbound(), MORNING, { ujp }),
    );
    return { tenant, docUid, euid };
  }

  const change = (
    euid: string,
    status: AuthorityStatusChange['status'],
    minute: number | null,
    reason: string | null = null,
  ) => ({ euid, status, from: null, at: minute === null ? null : MORNING + minute * MINUTE, reason });

  const record = (storage: Storage, tenant: Edb, one: AuthorityStatusChange, now = MORNING + 90 * MINUTE) =>
    storage.transaction((tx) => tx.deliveries.recordAuthorityStatus(tenant, one, now));

  async function rows({ tenant, docUid }: Registered) {
    const all = await database().storage.outbound.history(tenant, docUid);
    return all.flatMap(({ status, at, failureCode }) =>
      failureCode === null ? [] : [`${status} ${failureCode} ${(at - MORNING) / MINUTE}`],
    );
  }

  async function answerOf({ tenant, docUid }: Registered) {
    const document = await database().storage.outbound.find(tenant, docUid);
    const { status, failureCode, failureMessage, ujp } = document ?? assert.fail('no document');
    assert.deepEqual([status, failureCode, failureMessage], [40, null, null]);
    return `${ujp?.statusCode} ${ujp?.statusName} ${ujp?.message}`;
  }

  test('a rejection by the buyer is one row with the authority’s time, however many workers see it how often', async () => {
    const document = await registered();
    const other = await database().openAgain();
    const seen = change(document.euid, STATUS.rejected, 30, 'O-2 Грешка; цена');
    const storages = [database().storage, other.storage];
    const news = await Promise.all(
      Array.from({ length: 12 }, (_, index) => record(storages[index % 2] ?? other.storage, document.tenant, seen)),
    );
    assert.equal(news.filter(Boolean).length, 1);
    assert.deepEqual(await rows(document), [`40 ${REJECTED_ROW} 30`]);
    assert.equal(await answerOf(document), '05 Одбиена O-2 Грешка; цена');
  });

  test('an acceptance by the buyer is no row', async () => {
    const document = await registered();
    assert.equal(await record(database().storage, document.tenant, change(document.euid, STATUS.accepted, 5)), true);
    assert.deepEqual(await rows(document), []);
    assert.equal(await answerOf(document), '03 Прифатена Зачувана');
  });

  test('an answer that was overtaken takes nothing back, by the authority’s times and without them', async () => {
    const document = await registered();
    const all = [
      change(document.euid, STATUS.new, 1),
      change(document.euid, STATUS.accepted, 10),
      change(document.euid, STATUS.rejected, 20, 'O-5 Дупликат'),
    ];
    for (const one of all) await record(database().storage, document.tenant, one);
    for (const stale of all) assert.equal(await record(database().storage, document.tenant, stale), false);
    for (const minute of [1, 19, null]) {
      const stale = change(document.euid, STATUS.new, minute);
      assert.equal(await record(database().storage, document.tenant, stale), false, `${minute}`);
    }
    assert.equal(await answerOf(document), '05 Одбиена O-5 Дупликат');
    assert.deepEqual(await rows(document), [`40 ${REJECTED_ROW} 20`]);
  });

  test('a rejection that a look-up has found is a row as soon as its time is known, with its reason', async () => {
    const document = await registered(STATUS.rejected);
    assert.deepEqual(await rows(document), []);
    const seen = change(document.euid, STATUS.rejected, 7, 'O-1 ДДВ');
    assert.equal(await record(database().storage, document.tenant, seen), true);
    assert.equal(await record(database().storage, document.tenant, seen), false);
    assert.deepEqual(await rows(document), [`40 ${REJECTED_ROW} 7`]);
    assert.equal(await answerOf(document), '05 Одбиена O-1 ДДВ');
  });

  test('a rejection that was overtaken by a void is a row, and the void stays the status', async () => {
    const document = await registered();
    await record(database().storage, document.tenant, change(document.euid, STATUS.voided, 40, 'S-1'));
    await record(database().storage, document.tenant, change(document.euid, STATUS.rejected, 30, 'O-1'));
    assert.equal(await answerOf(document), '07 Сторнирана S-1');
    assert.ok((await rows(document)).some((row) => row.includes(REJECTED_ROW)));
  });

  test('whatever answers arrive in whatever order, the status is that of the newest', async () => {
    const chain = fc
      .tuple(
        fc.shuffledSubarray(['03', '04', '05', '10'], { maxLength: 2 }),
        fc.shuffledSubarray(['07', '09'], { maxLength: 2 }),
      )
      .map((stages) => stages.flat());
    // The authority's times have seconds, so that several changes may have the same one, and a time may be unreadable.
    const pauses = fc.array(fc.option(fc.integer({ min: 0, max: 1 })), { minLength: 4, maxLength: 4 });
    const answers = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(chain, pauses, answers, async (codes, steps, seen) => {
        const document = await registered();
        let second = 0;
        const changes = codes.map((code, index) => {
          const step = steps[index] ?? null;
          second += step ?? 0;
          const from = index === 0 ? STATUS.new.code : (codes[index - 1] ?? null);
          const at = step === null ? null : MORNING + second * 1_000;
          return { euid: document.euid, status: { code, name: code }, from, at, reason: code };
        });
        // Each answer has all changes up to its moment; the newest of them may arrive first.
        const longest = Math.max(...seen.map((count) => Math.min(count, changes.length)));
        for (const count of seen) {
          await database().storage.transaction(async (tx) => {
            for (const one of changes.slice(0, count)) {
              await tx.deliveries.recordAuthorityStatus(document.tenant, one, MORNING);
            }
          });
        }
        const newest = longest === 0 ? '01 Нова Зачувана' : `${codes[longest - 1]} `.repeat(3).trim();
        assert.equal(await answerOf(document), newest);
      }),
      { numRuns: 100 },
    );
  });

  test('a change that is seen again is no news, also beside another one of the same second', async () => {
    const document = await registered();
    const same = [
      { ...change(document.euid, STATUS.accepted, 10), from: '01' },
      { ...change(document.euid, STATUS.rejected, 10), from: '03' },
    ];
    for (const one of same) assert.equal(await record(database().storage, document.tenant, one), true);
    for (const one of same) assert.equal(await record(database().storage, document.tenant, one), false);
    assert.match(await answerOf(document), /^05 /u);
  });

  test('a row is never before the one before it, and has our time where the authority gives none', async () => {
    const early = await registered();
    await record(database().storage, early.tenant, change(early.euid, STATUS.rejected, -5));
    assert.deepEqual(await rows(early), [`40 ${REJECTED_ROW} 0`]);
    const untimed = await registered();
    await record(database().storage, untimed.tenant, change(untimed.euid, STATUS.rejected, null));
    assert.deepEqual(await rows(untimed), [`40 ${REJECTED_ROW} 90`]);
  });
});
