import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { json } from '../contract/support/client.ts';
import { until } from '../support/process.ts';
import { fullCount } from './full-count.ts';
import { assertGapFree } from './gap-free.ts';
import { type Delivering, startDelivering, type Taxpayer } from './support.ts';

const RACES = fullCount({ long: 1_000, sqlite: 120, postgres: 100 });
const TAXPAYERS = 8;
/** Of each taxpayer, as many as can be under way at a time, and as many that wait. */
const RUNNERS_EACH = 4;
const FIRST_PAUSE_MS = 50;
const STEP = 1.05;

let delivering: Delivering;
const taxpayers: Taxpayer[] = [];

before(async () => {
  delivering = await startDelivering();
  for (let index = 0; index < TAXPAYERS; index += 1) taxpayers.push(await delivering.join(`Даночен обврзник ${index}`));
});
after(() => delivering.service.stop());

type Race = {
  readonly taxpayer: Taxpayer;
  readonly number: string;
  readonly docUid: DocUid;
  readonly isCancelled: boolean;
};

test(`cancel against the worker, ${RACES} races and until both have won: one outcome each, and what was reported cancelled was never sent`, async (t) => {
  const races: Race[] = [];
  const race = createRace();
  const runners = Array.from({ length: RUNNERS_EACH }, () => taxpayers).flat();
  let next = 0;
  await Promise.all(
    runners.map(async (taxpayer) => {
      for (let index = next++; index < RACES || !haveBothWon(races); index = next++) {
        races.push(await race(taxpayer, `R-${index}`));
      }
    }),
  );
  const { storage } = delivering.service.foundation;
  await until('nothing under way', delivering.isNothingUnderWay);
  const registered = Map.groupBy(await delivering.registered(), ({ docNumber }) => docNumber);
  for (const { taxpayer, number, docUid, isCancelled } of races) {
    const history = await storage.outbound.history(taxpayer.edb, docUid);
    assertGapFree(history);
    assert.equal(history.at(-1)?.status, isCancelled ? 60 : 40);
    assert.equal(
      history.some(({ status }) => status === 30),
      !isCancelled,
      'sent',
    );
    assert.equal(registered.get(number)?.length ?? 0, isCancelled ? 0 : 1, number);
  }
  const cancelled = races.filter(({ isCancelled }) => isCancelled).length;
  t.diagnostic(`${cancelled} cancelled, ${races.length - cancelled} delivered`);
});

/** On a machine that is busy enough, a hundred cancels may come before the first delivery. */
function haveBothWon(races: readonly Race[]): boolean {
  return new Set(races.map(({ isCancelled }) => isCancelled)).size === 2;
}

/** Races that are decided at the last moment, however fast the machine: whoever has lost gets a better start. */
function createRace(): (taxpayer: Taxpayer, number: string) => Promise<Race> {
  let pauseMs = FIRST_PAUSE_MS;
  return async (taxpayer, number) => {
    const docUid = await taxpayer.send(number);
    await pause(Math.random() * 2 * pauseMs);
    const answer = await taxpayer.post(`/outbound/${docUid}/cancel`);
    const { code = null } = json(answer) as { readonly code?: string };
    assert.ok(answer.status === 200 || code === 'ERR-3003', `${answer.status} ${code}`);
    const isCancelled = answer.status === 200;
    pauseMs *= isCancelled ? STEP : 1 / STEP;
    return { taxpayer, number, docUid, isCancelled };
  };
}
