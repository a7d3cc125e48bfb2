import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { OperatorAccount } from '../../src/domain/accounts/operator-account.ts';
import { onEveryEngine } from '../support/engines.ts';
import { MORNING } from './samples.ts';

const HOUR_MS = 3_600_000;

onEveryEngine('accounts of the console', (database) => {
  let made = 0;

  async function add(): Promise<OperatorAccount> {
    made += 1;
    const account: OperatorAccount = { name: `operator-${made}`, role: 'viewer', createdAt: MORNING };
    assert.equal(await database().storage.transaction((tx) => tx.operators.add(account, 'hash')), true);
    return account;
  }

  async function begin(name: string, at = MORNING, password = 'hash'): Promise<Uint8Array | null> {
    const token = Uint8Array.from({ length: 32 }, () => Math.floor(Math.random() * 256));
    const { storage } = database();
    return (await storage.transaction((tx) => tx.operators.beginSession(name, password, token, at))) ? token : null;
  }

  const isOpen = async (token: Uint8Array | null) =>
    token !== null && (await database().storage.operators.findSession(token)) !== null;

  test('an account is found with its password, once for each name', async () => {
    const account = await add();
    const { storage } = database();
    assert.deepEqual(await storage.operators.find(account.name), { account, passwordHash: 'hash' });
    const again = { ...account, role: 'operator' } as const;
    assert.equal(await storage.transaction((tx) => tx.operators.add(again, 'other')), false);
    assert.deepEqual(await storage.operators.find(account.name), { account, passwordHash: 'hash' });
    assert.equal(await storage.operators.find('nobody'), null);
    assert.ok((await storage.operators.list()).some(({ name }) => name === account.name));
  });

  test('a session is that of its account, and begins only with the present password', async () => {
    const account = await add();
    const token = await begin(account.name);
    assert.ok(token !== null);
    const session = await database().storage.operators.findSession(token);
    assert.deepEqual(session, { operator: account, beganAt: MORNING, usedAt: MORNING });
    await database().storage.transaction((tx) => tx.operators.useSession(token, MORNING + 5));
    assert.equal((await database().storage.operators.findSession(token))?.usedAt, MORNING + 5);
    assert.equal(await begin(account.name, MORNING, 'a former hash'), null);
    assert.equal(await begin('nobody'), null);
  });

  test('sessions end with signing out, with another password and with the account, and no other ends', async () => {
    const { storage } = database();
    const [one, other] = [await add(), await add()];
    const [first, second, neighbour] = [await begin(one.name), await begin(one.name), await begin(other.name)];
    assert.ok(first !== null);
    await storage.transaction((tx) => tx.operators.endSession(first));
    assert.deepEqual([await isOpen(first), await isOpen(second)], [false, true]);
    assert.equal(await storage.transaction((tx) => tx.operators.setPassword(one.name, 'new')), true);
    assert.equal(await isOpen(second), false);
    const third = await begin(one.name, MORNING, 'new');
    assert.equal(await storage.transaction((tx) => tx.operators.remove(one.name)), true);
    assert.deepEqual([await isOpen(third), await isOpen(neighbour)], [false, true]);
    assert.equal(await storage.transaction((tx) => tx.operators.remove(one.name)), false);
    assert.equal(await storage.transaction((tx) => tx.operators.setPassword(one.name, 'x')), false);
  });

  test('whoever signs in with the former password while another is set, or the account is removed, is signed out', async () => {
    const { storage } = database();
    for (const end of ['setPassword', 'remove'] as const) {
      const { name } = await add();
      const ended = Promise.withResolvers<void>();
      const signedIn = Promise.withResolvers<void>();
      const ending = storage.transaction(async (tx) => {
        await (end === 'remove' ? tx.operators.remove(name) : tx.operators.setPassword(name, 'new'));
        ended.resolve();
        // A sign-in that must wait for this one does not end before it.
        await Promise.race([signedIn.promise, turns(1_000)]);
      });
      await ended.promise;
      const signingIn = begin(name).finally(signedIn.resolve);
      await ending;
      assert.equal(await isOpen(await signingIn), false, end);
    }
  });

  test('sessions that are too old or were not used are deleted', async () => {
    const { storage } = database();
    const { name } = await add();
    const [old, recent] = [await begin(name, MORNING - HOUR_MS), await begin(name)];
    await storage.transaction((tx) => tx.operators.endSessionsBefore(MORNING - 5 * HOUR_MS, MORNING));
    assert.deepEqual([await isOpen(old), await isOpen(recent)], [false, true]);
    await storage.transaction((tx) => tx.operators.endSessionsBefore(MORNING + 1, 0));
    assert.equal(await isOpen(recent), false);
  });
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await systemTimers.nextTurn();
}
