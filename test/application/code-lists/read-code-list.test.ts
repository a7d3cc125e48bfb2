import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { cachedCodeList, refreshCodeList } from '../../../src/application/code-lists/cached-code-list.ts';
import { readCodeList } from '../../../src/application/code-lists/read-code-list.ts';
import { AuthorityCallError } from '../../../src/application/ports/authority.ts';
import type { CodeListSource } from '../../../src/application/ports/code-list-source.ts';
import { NoTurnInTime } from '../../../src/application/ports/pace.ts';
import type { Tenant } from '../../../src/domain/accounts/tenant.ts';
import type { CodeListEntry, CodeListType } from '../../../src/domain/values/code-list.ts';
import { newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;

describe('reading a code list', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.engine.transaction((sql) => sql.run('delete from code_list', [])));
  after(() => database.close());

  function entryNamed(name: string, changes: Partial<CodeListEntry> = {}): CodeListEntry {
    return { code: 'A', name, active: true, validFrom: null, validTo: null, details: {}, ...changes };
  }

  /** The authority, which is not ours: answers what the test sets, fails when the test says so, counts the questions. */
  function authority() {
    const questions: (readonly [Tenant, CodeListType])[] = [];
    let answer: readonly CodeListEntry[] = [entryNamed('first')];
    let isDown = false;
    let gate: Promise<void> = Promise.resolve();
    const source: CodeListSource = {
      async read(asker, type) {
        questions.push([asker, type]);
        await gate;
        if (isDown) throw new AuthorityCallError('down', { kind: 'unreachable' });
        return answer;
      },
    };
    return {
      source,
      questions,
      answers: (entries: readonly CodeListEntry[]) => {
        answer = entries;
      },
      goes: (state: 'up' | 'down') => {
        isDown = state === 'down';
      },
      /** Holds every answer back until the returned function is called. */
      hold() {
        const { promise, resolve } = Promise.withResolvers<void>();
        gate = promise;
        return resolve;
      },
    };
  }

  function readerOver(ujp: ReturnType<typeof authority>, clock = clockAt()) {
    const stale: CodeListType[] = [];
    const needs = { storage: database.storage, source: ujp.source, clock };
    const lists = cachedCodeList({ ...needs, onStale: (type) => stale.push(type) });
    const read = readCodeList({ lists, clock });
    const tenant = newTenant();
    const names = async (type: CodeListType = 'currencies') => (await read(tenant, type)).map(({ name }) => name);
    return { read, names, tenant, clock, stale, refresh: refreshCodeList(needs) };
  }

  test('a list is asked for once and then served for a day', async () => {
    const ujp = authority();
    const { names, clock, tenant } = readerOver(ujp);
    assert.deepEqual(await names(), ['first']);
    ujp.answers([entryNamed('second')]);
    clock.advance(DAY_MS - 1);
    assert.deepEqual(await names(), ['first']);
    assert.equal(ujp.questions.length, 1);
    assert.deepEqual(ujp.questions[0], [tenant, 'currencies']);
    clock.advance(1);
    assert.deepEqual(await names(), ['second']);
    assert.equal(ujp.questions.length, 2);
  });

  test('whoever refreshes lists ahead asks for them before others have to', async () => {
    const ujp = authority();
    const { names, clock, tenant } = readerOver(ujp);
    const needs = { storage: database.storage, source: ujp.source, clock, onStale: () => assert.fail() };
    const ahead = cachedCodeList({ ...needs, freshMs: DAY_MS - 2 * HOUR_MS });
    await names();
    clock.advance(DAY_MS - 2 * HOUR_MS - 1);
    await ahead(tenant, 'currencies');
    assert.equal(ujp.questions.length, 1);
    clock.advance(1);
    await ahead(tenant, 'currencies');
    assert.equal(ujp.questions.length, 2);
    clock.advance(DAY_MS - 1);
    await names();
    assert.equal(ujp.questions.length, 2);
  });

  test('a list that was read in a year to come, by a wrong clock, is asked for again', async () => {
    const ujp = authority();
    const { names, clock } = readerOver(ujp);
    clock.advance(365 * DAY_MS);
    await names();
    clock.advance(-HOUR_MS);
    await names();
    assert.equal(ujp.questions.length, 1, 'clocks differ a little');
    clock.advance(-364 * DAY_MS);
    await names();
    assert.equal(ujp.questions.length, 2);
  });

  test('the cache outlives the process', async () => {
    const ujp = authority();
    await readerOver(ujp).names();
    ujp.goes('down');
    assert.deepEqual(await readerOver(ujp).names(), ['first']);
    assert.equal(ujp.questions.length, 1);
  });

  test('environments and types have lists of their own', async () => {
    const ujp = authority();
    const { read, names } = readerOver(ujp);
    await names('currencies');
    await names('countries');
    await read(newTenant({ environment: 'production' }), 'currencies');
    await read(newTenant({ environment: 'test' }), 'currencies');
    assert.deepEqual(
      ujp.questions.map(([asker, type]) => `${asker.environment} ${type}`),
      ['test currencies', 'test countries', 'production currencies'],
    );
  });

  test('entries that are withdrawn or not in force on this day in Skopje are left out', async () => {
    const ujp = authority();
    const { names, clock } = readerOver(ujp, clockAt(Date.parse('2026-11-16T22:59:59Z')));
    ujp.answers([
      entryNamed('always'),
      entryNamed('withdrawn', { code: 'B', active: false }),
      entryNamed('until today', { code: 'C', validTo: '2026-11-16' }),
      entryNamed('from tomorrow', { code: 'D', validFrom: '2026-11-17' }),
    ]);
    assert.deepEqual(await names(), ['always', 'until today']);
    clock.advance(1_000);
    assert.deepEqual(await names(), ['always', 'from tomorrow']);
    assert.equal(ujp.questions.length, 1);
  });

  test('while the authority is down the old list serves, and it is said that it is old', async () => {
    const ujp = authority();
    const { names, clock, stale } = readerOver(ujp);
    await names();
    ujp.goes('down');
    clock.advance(30 * DAY_MS);
    assert.deepEqual(await names(), ['first']);
    assert.deepEqual(stale, ['currencies']);
  });

  test('after a failure the authority is left alone for a minute, then asked again', async () => {
    const ujp = authority();
    const { names, clock } = readerOver(ujp);
    await names();
    ujp.goes('down');
    clock.advance(DAY_MS);
    await names();
    assert.equal(ujp.questions.length, 2);
    ujp.goes('up');
    ujp.answers([entryNamed('back')]);
    clock.advance(MINUTE_MS - 1);
    assert.deepEqual(await names(), ['first']);
    assert.equal(ujp.questions.length, 2);
    clock.advance(1);
    assert.deepEqual(await names(), ['back']);
  });

  test('the failure of one list does not hold back another', async () => {
    const ujp = authority();
    const { names, clock } = readerOver(ujp);
    await names('currencies');
    await names('countries');
    clock.advance(DAY_MS);
    ujp.goes('down');
    await names('currencies');
    ujp.goes('up');
    ujp.answers([entryNamed('renewed')]);
    assert.deepEqual(await names('countries'), ['renewed']);
  });

  test('only where a list was never read is the failure the answer, and the next question goes through', async () => {
    const ujp = authority();
    ujp.goes('down');
    const { names } = readerOver(ujp);
    await assert.rejects(names(), AuthorityCallError);
    ujp.goes('up');
    assert.deepEqual(await names(), ['first']);
  });

  test('an empty list is a list', async () => {
    const ujp = authority();
    ujp.answers([]);
    const { names } = readerOver(ujp);
    assert.deepEqual(await names(), []);
    assert.deepEqual(await names(), []);
    assert.equal(ujp.questions.length, 1);
  });

  test('callers that come together share one question and its answer', async () => {
    const ujp = authority();
    const { names } = readerOver(ujp);
    const release = ujp.hold();
    const waiting = Array.from({ length: 20 }, () => names());
    release();
    assert.deepEqual(await Promise.all(waiting), new Array(20).fill(['first']));
    assert.equal(ujp.questions.length, 1);
  });

  // Each user has a line of its own at the authority: the requests of one may wait for minutes where another's leave at once.
  test('whoever asks beside another user waits for no turn of that one', { timeout: 10_000 }, async () => {
    const ujp = authority();
    const { read } = readerOver(ujp);
    const late = Promise.withResolvers<void>();
    const busy = newTenant({ eujpId: 'busy' });
    const { read: ask } = ujp.source;
    Object.assign(ujp.source, {
      async read(asker: Tenant, type: CodeListType) {
        if (asker.eujpId === 'busy') await late.promise;
        return ask(asker, type);
      },
    });
    const waiting = read(busy, 'currencies');
    const own = await read(newTenant({ eujpId: 'idle' }), 'currencies');
    assert.deepEqual(
      own.map(({ name }) => name),
      ['first'],
    );
    late.reject(new NoTurnInTime('others were first'));
    await assert.rejects(waiting, NoTurnInTime);
  });

  for (const failure of [
    new NoTurnInTime('others were first'),
    new AuthorityCallError('not you', { kind: 'request-refused' }),
  ]) {
    test(`who waited for another taxpayer of its user asks again: ${failure.message}`, async () => {
      const ujp = authority();
      const { read } = readerOver(ujp);
      const first = newTenant({ eujpId: 'user' });
      const { read: ask } = ujp.source;
      Object.assign(ujp.source, {
        read: (asker: Tenant, type: CodeListType) =>
          asker.edb === first.edb ? Promise.reject(failure) : ask(asker, type),
      });
      const [refused, own] = await Promise.allSettled([
        read(first, 'currencies'),
        read(newTenant({ eujpId: 'user' }), 'currencies'),
      ]);
      assert.deepEqual([refused.status, own.status], ['rejected', 'fulfilled']);
    });
  }

  test('callers that come together share one failure', async () => {
    const ujp = authority();
    ujp.goes('down');
    const { names } = readerOver(ujp);
    const release = ujp.hold();
    const waiting = Promise.allSettled(Array.from({ length: 20 }, () => names()));
    release();
    assert.ok((await waiting).every(({ status }) => status === 'rejected'));
    assert.equal(ujp.questions.length, 1);
  });

  test('an operator can have a list read now, however fresh it is', async () => {
    const ujp = authority();
    const { names, refresh, tenant, clock } = readerOver(ujp);
    await names();
    ujp.answers([entryNamed('fetched by hand')]);
    assert.equal((await refresh(tenant, 'currencies')).readAt, clock.now());
    assert.deepEqual(await names(), ['fetched by hand']);
  });

  test('an operator who asks in vain is told so, and the old list stays', async () => {
    const ujp = authority();
    const { names, refresh, tenant } = readerOver(ujp);
    await names();
    ujp.goes('down');
    await assert.rejects(refresh(tenant, 'currencies'), AuthorityCallError);
    assert.deepEqual(await names(), ['first']);
  });
});
