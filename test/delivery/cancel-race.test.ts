import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { until } from '../support/process.ts';
import { as, startTestService, type TestService } from '../support/service.ts';
import { assertGapFree } from './gap-free.ts';
import { ALFA_EDB, historyOf, registeredTimes, submitInvoice, unlimitedKey } from './submitting.ts';

const RACES = 1_000;
const RUNNERS = 16;
/** Longer than a document takes to be sent here, on either engine: some cancels come before, some during, some after. */
const LATEST_CANCEL_MS = 300;

let service: TestService;

before(async () => {
  service = await startTestService({ variables: { DELIVERY_HOLD_SECONDS: '0', COLLECT_SECONDS: '86400' } });
});
after(() => service.stop());

type Race = { readonly number: string; readonly docUid: DocUid; readonly isCancelled: boolean };

test(`cancel against the worker, ${RACES} races: one outcome each, and what was reported cancelled was never sent`, async (t) => {
  const key = await unlimitedKey(service);
  const races: Race[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: RUNNERS }, async () => {
      for (let index = next++; index < RACES; index = next++) races.push(await race(key, `R-${index}`));
    }),
  );
  await until('nothing under way', nothingUnderWay, 60_000);
  const registered = await registeredTimes(service);
  for (const { number, docUid, isCancelled } of races) {
    const history = await historyOf(service, docUid);
    assertGapFree(history);
    assert.equal(history.at(-1)?.status, isCancelled ? 60 : 40);
    assert.equal(
      history.some(({ status }) => status === 30),
      !isCancelled,
      'sent',
    );
    assert.equal(registered.get(number) ?? 0, isCancelled ? 0 : 1, number);
  }
  const cancelled = races.filter(({ isCancelled }) => isCancelled).length;
  t.diagnostic(`${cancelled} cancelled, ${RACES - cancelled} delivered`);
  assert.ok(cancelled > 0 && cancelled < RACES, 'both sides won now and then');
});

async function race(key: string, number: string): Promise<Race> {
  const docUid = await submitInvoice(service, key, number);
  await pause(Math.random() * LATEST_CANCEL_MS);
  const answer = await fetch(`${service.api}/outbound/${docUid}/cancel`, { method: 'POST', headers: as(key) });
  const { code = null } = (await answer.json()) as { readonly code?: string };
  assert.ok(answer.status === 200 || code === 'ERR-3003', `${answer.status} ${code}`);
  return { number, docUid, isCancelled: answer.status === 200 };
}

async function nothingUnderWay(): Promise<boolean> {
  const filter = { created: { from: null, to: null }, statuses: [10, 20, 30] as const, partnerEdb: null };
  const { totalCount } = await service.foundation.storage.outbound.list(ALFA_EDB, filter, { page: 1, pageSize: 1 });
  return totalCount === 0;
}
