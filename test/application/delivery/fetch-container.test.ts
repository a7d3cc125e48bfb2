import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClaimedDelivery } from '../../../src/application/delivery/claimed-delivery.ts';
import type { DeliveryNeeds } from '../../../src/application/delivery/delivery.ts';
import {
  type ContainerEvent,
  fetchContainer,
  reportContainers,
} from '../../../src/application/delivery/fetch-container.ts';
import { DoubtfulEuid } from '../../../src/application/errors/authority-answers.ts';
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

test('a document whose container is not there is looked up the third time, and again only after hours', async () => {
  const tenant = newTenant();
  const knownAs: unknown[] = [];
  const after = async (failures: number, errors: DoubtfulEuid['errors']) => {
    const needs = {
      storage: {
        tenants: { formerEnvironment: async () => null },
        strayRegistrations: { list: async () => [] },
        deliveries: { payload: async () => ({ docNumber: '1' }) },
      },
      authority: {
        container: () => Promise.reject(new DoubtfulEuid('no container', { kind: 'refused', errors })),
        findRegistered: async (_tenant: unknown, _sent: unknown, euid: string) => knownAs.push(euid) && { euid },
      },
    } as unknown as DeliveryNeeds;
    const claimed = { tenant, document: { docUid: 'own', failures }, containerFailed: async () => undefined };
    await fetchContainer(needs, claimed as unknown as ClaimedDelivery, EUID);
    return knownAs.splice(0);
  };
  const isLookedUp = async (errors: DoubtfulEuid['errors']) => {
    const looked: number[] = [];
    for (let failures = 0; failures < 9; failures += 1) {
      if ((await after(failures, errors)).includes(EUID)) looked.push(failures);
    }
    return looked;
  };
  assert.deepEqual(await isLookedUp([{ code: 'E1021', message: '' }]), [2, 7, 8]);
  assert.deepEqual(await isLookedUp([]), [0, 1, 2, 3, 4, 5, 6, 7, 8], 'one that holds another document says more');
});
