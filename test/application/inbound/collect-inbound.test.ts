import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { daysBetween, oneMonthAfter } from '../../../simulator/calendar.ts';
import { systemHasher } from '../../../src/adapters/platform/platform.ts';
import { NoRoomForAnswer } from '../../../src/application/errors/authority-answers.ts';
import type { CollectionEvent } from '../../../src/application/inbound/arrival-problems.ts';
import { collectInbound } from '../../../src/application/inbound/collect-inbound.ts';
import { type Authority, AuthorityCallError, type CallErrorKind } from '../../../src/application/ports/authority.ts';
import { nextDocUid } from '../../../src/domain/documents/doc-uid.ts';
import { daysAfter, skopjeDay } from '../../../src/domain/values/skopje-day.ts';
import { ANY_INBOUND, addWithCertificate, fileOf, MORNING, newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { fc } from '../../support/seeds.ts';
import { anySkopjeTime } from '../../support/skopje-times.ts';
import { clockAt } from '../../support/test-clock.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Thirteen older windows, and the next weeks. */
const OTHER_WINDOWS = 14;
/** Of the answer with payloads, in the measure of `size`. */
const LARGEST_ANSWER = 100;
const PDF = new TextEncoder().encode('%PDF-1.7');

type Held = {
  readonly euid: string;
  readonly pdf: CallErrorKind | 'none' | 'no room' | null;
  /** Cannot be given at all, alone or together with others. */
  readonly isUnreadable?: boolean;
  /** How much of an answer it takes. */
  readonly size?: number;
};
type Range = { readonly from: string; readonly to: string };

const NO_FACTS = {
  senderName: null,
  senderEdb: null,
  senderCountry: null,
  documentNumber: null,
  amount: null,
  currency: null,
};

/** Holds documents whose pictures can be had, or not. */
function authorityWith(
  held: readonly Held[],
  asked: Range[] = [],
): Pick<Authority, 'arrivals' | 'arrived' | 'arrivedInAnyShape' | 'arrivedPdf'> {
  return {
    async arrivals(_, from, to) {
      asked.push({ from, to });
      const listed = held.map(({ euid }) => ({ euid, status: null, facts: NO_FACTS }));
      return { listed, unreadableRows: [] };
    },
    async arrived(_, euids) {
      const asked = held.filter((one) => euids.includes(one.euid));
      const isTooMuch = asked.reduce((sum, { size = 1 }) => sum + size, 0) > LARGEST_ANSWER;
      if (isTooMuch || asked.some(({ isUnreadable }) => isUnreadable)) {
        throw new AuthorityCallError('more than can be read', { kind: 'error' });
      }
      return euids.map((euid) => ({ euid, original: fileOf(euid).bytes, facts: NO_FACTS, unreadable: null }));
    },
    arrivedInAnyShape: () => assert.fail('Every document is given in the expected shape.'),
    async arrivedPdf(_, euid) {
      const pdf = held.find((one) => one.euid === euid)?.pdf ?? null;
      if (pdf === 'none') return null;
      if (pdf === 'no room') throw new NoRoomForAnswer('no room', { kind: 'error' });
      if (pdf !== null) throw new AuthorityCallError('no picture', { kind: pdf });
      return PDF;
    },
  };
}

describe('collecting', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.close());

  const euid = (index: number) => nextDocUid(MORNING + index, null, new Uint8Array(10));

  const parts = () => ({ storage: database.storage, hasher: systemHasher, report: () => undefined });

  const added = (tenant = newTenant()) => addWithCertificate(database.storage, tenant);

  async function collect(held: readonly Held[], of = newTenant(), now = MORNING) {
    const tenant = await added(of);
    const authority = authorityWith(held);
    const use = collectInbound({ ...parts(), authority, clock: clockAt(now) });
    const ran = await use(tenant, 0).catch((error: unknown) => ({ error }));
    const { nextDueAt = null, ...others } = 'error' in ran ? {} : ran;
    const outcome = 'error' in ran ? ran.error : others;
    const { items } = await database.storage.inbound.list(tenant.edb, ANY_INBOUND, { page: 1, pageSize: 500 });
    const pictures = await Promise.all(
      items.map(({ docUid }) => database.storage.inbound.file(tenant.edb, docUid, 'pdf')),
    );
    return {
      tenant,
      outcome,
      nextDueAt,
      arrived: items.length,
      pictures: pictures.filter((file) => file !== null).length,
    };
  }

  test('looks through the last weeks every time, and in turn through a whole year and the weeks to come, never more than a month at once', async () => {
    await fc.assert(
      fc.asyncProperty(anySkopjeTime, async (now) => {
        const asked: Range[] = [];
        const authority = authorityWith([], asked);
        const use = collectInbound({ ...parts(), authority, clock: clockAt(now) });
        let lastWindow = 0;
        for (let run = 0; run < OTHER_WINDOWS; run += 1) ({ lastWindow } = await use(newTenant(), lastWindow));
        assert.ok(asked.every(({ from, to }) => from <= to && to <= oneMonthAfter(from)));
        const newest = asked.filter(({ to }) => to === daysAfter(skopjeDay(now), 1));
        assert.equal(newest.length, OTHER_WINDOWS, 'once in every run');
        const days = new Set(asked.flatMap(({ from, to }) => daysBetween(from, to)));
        for (const day of daysBetween(daysAfter(skopjeDay(now), -363), daysAfter(skopjeDay(now), 27))) {
          assert.ok(days.has(day), `${day} is in no window`);
        }
      }),
      // The first minute of a day with 25 hours: another 24 hours do not reach the next day.
      { numRuns: 30, examples: [[Date.parse('2027-10-31T00:00:00+02:00')]] },
    );
  });

  test('takes everything once, with its picture where there is one', async () => {
    const held = Array.from(
      { length: 45 },
      (_, index) => ({ euid: euid(index), pdf: index === 7 ? 'none' : null }) as const,
    );
    const first = await collect(held);
    assert.deepEqual(first.outcome, { collected: 45, lastWindow: 1 });
    assert.deepEqual([first.arrived, first.pictures], [45, 44]);
    const again = await collect([...held, { euid: euid(99), pdf: null }], first.tenant);
    assert.deepEqual([again.outcome, again.arrived], [{ collected: 1, lastWindow: 1 }, 46]);
  });

  test('takes a document whose picture is refused without it', async () => {
    for (const pdf of ['refused', 'credentials'] as const) {
      const { outcome, arrived, pictures } = await collect([{ euid: euid(1), pdf }]);
      assert.deepEqual([outcome, arrived, pictures], [{ collected: 1, lastWindow: 1 }, 1, 0]);
    }
  });

  test('puts off a document whose picture may be had later, and takes the others', async () => {
    for (const pdf of ['timeout', 'unreachable', 'busy', 'error', 'signing'] as const) {
      const held = [{ euid: euid(1), pdf }, ...[2, 3, 4].map((index) => ({ euid: euid(index), pdf: null }))];
      const { tenant, outcome, arrived, nextDueAt } = await collect(held);
      assert.deepEqual([outcome, arrived], [{ collected: 3, lastWindow: 1 }, 3]);
      assert.equal(nextDueAt, MORNING + MINUTE_MS);
      const later = await collect(
        held.map((one) => ({ ...one, pdf: null })),
        tenant,
        MORNING + MINUTE_MS,
      );
      assert.deepEqual([later.arrived, later.pictures, later.nextDueAt], [4, 4, null]);
    }
  });

  test('takes arrivals one by one where together they are more than an answer holds', async () => {
    const held = Array.from({ length: 7 }, (_, index) => ({ euid: euid(index), pdf: null, size: 60 }));
    assert.equal((await collect(held)).arrived, 7);
  });

  test('keeps nothing else back for one that cannot be given', async () => {
    const held = Array.from({ length: 5 }, (_, index) => ({ euid: euid(index), pdf: null, isUnreadable: index === 2 }));
    assert.equal((await collect(held)).arrived, 4);
  });

  test('keeps nothing else back for one that the service itself fails on, and puts it on record', async () => {
    const held = Array.from({ length: 5 }, (_, index) => ({ euid: euid(index), pdf: null }));
    const tenant = await added();
    const reported: unknown[] = [];
    const bug = new TypeError('a bug');
    const hasher = {
      sha256(content: Uint8Array | string) {
        if (Buffer.from(content).toString() === euid(1)) throw bug;
        return systemHasher.sha256(content);
      },
    };
    const report = ({ error }: CollectionEvent) => void (error === undefined || reported.push(error));
    const use = collectInbound({ ...parts(), hasher, report, authority: authorityWith(held), clock: clockAt() });
    assert.deepEqual(await use(tenant, 0), { collected: 4, lastWindow: 1, nextDueAt: MORNING + MINUTE_MS });
    const [problem, ...others] = await database.storage.arrivalProblems.list(tenant.edb);
    assert.deepEqual([problem?.subject, problem?.cause, others], [euid(1), 'service', []]);
    assert.match(problem?.reason ?? '', /: a bug$/u);
    assert.deepEqual(reported, [bug]);
  });

  test('asks no more in vain than it takes to split a batch, and puts what was not asked for on record too', async () => {
    const held = Array.from({ length: 1_000 }, (_, index) => ({ euid: euid(index), pdf: null }));
    const tenant = await added();
    let asked = 0;
    const authority = {
      ...authorityWith(held),
      async arrived(): Promise<never> {
        asked += 1;
        throw new AuthorityCallError('no right', { kind: 'refused', errors: [{ code: 'E1011', message: '' }] });
      },
    };
    const use = collectInbound({ ...parts(), authority, clock: clockAt() });
    assert.deepEqual(await use(tenant, 0), { collected: 0, lastWindow: 1, nextDueAt: MORNING + MINUTE_MS });
    assert.equal(asked, 40);
    assert.equal((await database.storage.arrivalProblems.list(tenant.edb)).length, 1_000);
  });

  test('takes one whose picture never comes without it after a day, and waits for it until then', async () => {
    for (const [age, arrived] of [
      [2, 3],
      [0, 2],
    ] as const) {
      const at = (index: number) => nextDocUid(MORNING - age * DAY_MS + index, null, new Uint8Array(10));
      const held = [at(0), at(1), at(2)].map(
        (one, index) => ({ euid: one, pdf: index === 1 ? 'timeout' : null }) as const,
      );
      const found = await collect(held);
      assert.deepEqual([found.arrived, found.pictures], [arrived, 2]);
    }
  });

  test('waits for a picture that found no room here, however old the document is: it is there, and would be lost', async () => {
    const old = nextDocUid(MORNING - 2 * DAY_MS, null, new Uint8Array(10));
    const { tenant, arrived, nextDueAt } = await collect([{ euid: old, pdf: 'no room' }]);
    assert.deepEqual([arrived, nextDueAt], [0, MORNING + MINUTE_MS]);
    const later = await collect([{ euid: old, pdf: null }], tenant, MORNING + MINUTE_MS);
    assert.deepEqual([later.arrived, later.pictures, later.nextDueAt], [1, 1, null]);
  });

  test('two that never come are no outage for ever: they go on record, and the older documents are searched in turn', async () => {
    const clock = clockAt(MORNING);
    const never = [euid(1), euid(2)].map((one) => ({ euid: one, pdf: 'timeout' }) as const);
    const tenant = await added();
    const searched = new Set<number>();
    let lastWindow = 0;
    for (let runs = 0; runs < 20; runs += 1) {
      const use = collectInbound({ ...parts(), authority: authorityWith(never), clock });
      const ran = await use(tenant, lastWindow).catch(() => null);
      if (ran !== null) searched.add(ran.lastWindow);
      lastWindow = ran?.lastWindow ?? lastWindow;
      clock.advance(MINUTE_MS);
    }
    assert.equal(searched.size, OTHER_WINDOWS);
    const subjects = (await database.storage.arrivalProblems.list(tenant.edb)).map(({ subject }) => subject);
    assert.deepEqual(subjects, [euid(1), euid(2)]);
  });

  test('asks again for the list of an older window that failed, without waiting for its turn', async () => {
    const clock = clockAt(MORNING);
    const tenant = await added();
    const asked: Range[] = [];
    const authority = authorityWith([{ euid: euid(1), pdf: null }], asked);
    let isOutOfOrder = true;
    const arrivals: typeof authority.arrivals = async (of, from, to) => {
      const list = await authority.arrivals(of, from, to);
      if (to > skopjeDay(MORNING)) return { ...list, listed: [] };
      if (isOutOfOrder) throw new AuthorityCallError('no list', { kind: 'timeout' });
      return list;
    };
    const use = collectInbound({ ...parts(), authority: { ...authority, arrivals }, clock });
    const problems = async () => (await database.storage.arrivalProblems.list(tenant.edb)).map((one) => one.subject);
    const first = await use(tenant, 0);
    assert.deepEqual([first.nextDueAt, await problems()], [MORNING + MINUTE_MS, ['list:1']]);
    const [, older] = asked;
    clock.advance(MINUTE_MS);
    const second = await use(tenant, first.lastWindow);
    assert.deepEqual(asked.slice(2).at(-1), older);
    assert.deepEqual(await problems(), ['list:1', 'list:2']);
    isOutOfOrder = false;
    clock.advance(2 * MINUTE_MS);
    const third = await use(tenant, second.lastWindow);
    assert.deepEqual([third.collected, await problems()], [1, ['list:1']], 'one in each run');
    const fourth = await use(tenant, third.lastWindow);
    assert.deepEqual([fourth.nextDueAt, await problems()], [null, []]);
    assert.equal(asked.length, 2 + 3 + 3 + 3);
  });

  test('gives up for now when the authority does not give pictures at all, and has lost nothing', async () => {
    const held = Array.from({ length: 5 }, (_, index) => ({ euid: euid(index), pdf: 'timeout' }) as const);
    const { tenant, outcome, arrived } = await collect(held);
    assert.ok(outcome instanceof AuthorityCallError);
    assert.equal(arrived, 0);
    const later = await collect(
      held.map((one) => ({ ...one, pdf: null })),
      tenant,
    );
    assert.deepEqual([later.arrived, later.pictures], [5, 5]);
  });
});
