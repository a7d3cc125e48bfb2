import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemTimers } from '../../../../../src/adapters/platform/timers.ts';
import { createThreadTurns } from '../../../../../src/adapters/sql/sqlite/threads/thread-turns.ts';
import { createSemaphore } from '../../../../../src/adapters/threads/semaphore.ts';

/** Works of which the test knows which have begun, and which it ends. */
function sharing() {
  const writeLock = createSemaphore(1);
  let isInPlace = true;
  const turns = createThreadTurns({
    writeLock,
    timers: systemTimers,
    isInPlace: () => isInPlace,
    requireInPlace() {
      if (!isInPlace) throw new Error('not in place');
    },
  });
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  function workOf(name: string) {
    const ended = Promise.withResolvers<string>();
    ends.set(name, ended);
    return () => {
      begun.push(name);
      return ended.promise;
    };
  }
  return {
    writeLock,
    begun,
    share: (name: string) => turns.share('groups', workOf(name)),
    run: (name: string) => turns.run(name, workOf(name)),
    async end(name: string) {
      ends.get(name)?.resolve(name);
      await nextTurn();
    },
    async fail(name: string) {
      ends.get(name)?.reject(new Error(name));
      await nextTurn();
    },
    place(inPlace: boolean) {
      isInPlace = inPlace;
    },
  };
}

test('what comes while others of its owner have their turn shares it, and the turn ends with the last of them', async () => {
  const { share, end, begun, writeLock } = sharing();
  const works = [share('one')];
  await nextTurn();
  works.push(share('two'));
  await end('one');
  works.push(share('three'));
  await end('three');
  assert.deepEqual(begun, ['one', 'two', 'three']);
  assert.ok(!writeLock.isIdle());
  await end('two');
  assert.ok(writeLock.isIdle());
  assert.deepEqual(await Promise.all(works), ['one', 'two', 'three']);
});

test('nobody who waits is overtaken: what comes then waits for a turn of its own', async () => {
  const { share, run, end, begun, writeLock } = sharing();
  const works = [share('one')];
  await nextTurn();
  works.push(share('two'), run('other'), share('three'));
  await end('one');
  assert.deepEqual(begun, ['one', 'two']);
  await end('two');
  assert.deepEqual(begun, ['one', 'two', 'other']);
  await end('other');
  assert.deepEqual(begun, ['one', 'two', 'other', 'three']);
  await end('three');
  await Promise.all(works);
  assert.ok(writeLock.isIdle());
});

test('a work that fails leaves its turn to those that share it', async () => {
  const { share, end, fail, writeLock } = sharing();
  const failing = share('failing');
  await nextTurn();
  const other = share('other');
  await Promise.all([assert.rejects(failing, /failing/u), fail('failing')]);
  assert.ok(!writeLock.isIdle());
  await end('other');
  assert.equal(await other, 'other');
  assert.ok(writeLock.isIdle());
});

test('where another file is in the place nobody shares a turn, and who has one is told', async () => {
  const { share, end, place, begun, writeLock } = sharing();
  place(false);
  await assert.rejects(share('early'), /not in place/u);
  place(true);
  const first = share('first');
  await nextTurn();
  place(false);
  const late = assert.rejects(share('late'), /not in place/u);
  await nextTurn();
  assert.ok(writeLock.isAwaited(), 'it waits for the end of the first');
  await end('first');
  await late;
  assert.equal(await first, 'first');
  assert.deepEqual(begun, ['first']);
  assert.ok(writeLock.isIdle());
});
