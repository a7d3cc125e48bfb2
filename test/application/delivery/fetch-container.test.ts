import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContainerEvent, reportContainers } from '../../../src/application/delivery/fetch-container.ts';
import { AuthorityCallError } from '../../../src/application/ports/authority.ts';
import { newTenant } from '../../engines/samples.ts';

const EUID = '019b8d43-7840-7433-b358-08891b53605c';
const BYTES = new Uint8Array([1]);

test('every request for a container is counted, and what changes for a tenant is news once', async () => {
  const [one, other] = [newTenant(), newTenant()];
  let answer: () => Promise<Uint8Array> = async () => BYTES;
  const events: ContainerEvent[] = [];
  const container = reportContainers(
    () => answer(),
    (event) => events.push(event),
  );
  const failing = (code: string | null, message: string) => async () => {
    const errors = code === null ? [] : [{ code, message }];
    throw new AuthorityCallError(message, { kind: 'timeout', errors });
  };
  const ask = async (tenant = one) => {
    await container(tenant, EUID).catch((error: unknown) => assert.ok(error instanceof AuthorityCallError));
    const { outcome, isNews, reason } = events.pop() ?? assert.fail();
    assert.deepEqual(events, []);
    return [outcome, isNews, reason];
  };
  assert.deepEqual(await ask(), ['fetched', false, null]);
  answer = failing('E1011', 'no right');
  assert.deepEqual(await ask(), ['E1011', true, 'no right']);
  assert.deepEqual(await ask(), ['E1011', false, 'no right']);
  assert.deepEqual(await ask(other), ['E1011', true, 'no right']);
  answer = failing(null, 'late');
  assert.deepEqual(await ask(), ['timeout', true, 'late']);
  answer = async () => BYTES;
  assert.deepEqual(await ask(), ['fetched', true, null]);
  assert.deepEqual(await ask(), ['fetched', false, null]);
  answer = async () => Promise.reject(new TypeError('a bug'));
  await assert.rejects(container(one, EUID), TypeError);
  assert.deepEqual(events, [], 'a bug is reported where it is caught');
});
