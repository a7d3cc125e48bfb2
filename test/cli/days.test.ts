import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFoundation } from '../../src/app/foundation.ts';
import { readConfig } from '../../src/config.ts';
import { skopjeDay } from '../../src/domain/values/skopje-day.ts';
import { addOutboundIn, edb, fileOf, newInbound, newOutbound } from '../engines/samples.ts';
import { temporaryFolder } from '../support/process.ts';
import { commandsOnNewDatabase } from './commands-here.ts';

const ALFA = edb('4030026000018');
const DAY = '2025-11-17';
const NEXT_DAY = '2025-11-18';
/** In winter a day in Skopje begins and ends an hour before that of UTC. */
const LAST_BEFORE = Date.parse('2025-11-16T22:59:59.999Z');
const FIRST = Date.parse('2025-11-16T23:00:00.000Z');
const LAST = Date.parse('2025-11-17T22:59:59.999Z');
const FIRST_AFTER = Date.parse('2025-11-17T23:00:00.000Z');
const TIMES = [LAST_BEFORE, FIRST, LAST, FIRST_AFTER];

const FAILURE = { failureCode: 'AUTHORITY-UNREACHABLE', failureMessage: 'Away.' };

type Listed = { readonly documents: readonly { readonly createdAt?: string; readonly receivedAt?: string }[] };

test('a date among the options of a command is that day in Skopje, from its first to its last instant', async (t) => {
  const variables = { DATA_DIR: temporaryFolder() };
  const { json, refusal } = await commandsOnNewDatabase(variables);
  await json('tenant', 'add', '--edb', ALFA, '--name', 'Alfa');
  await fill(variables);
  const shown = (...times: readonly number[]) => times.map((time) => new Date(time).toISOString());

  await t.test('both lists', async () => {
    const times = async (list: string, ...words: string[]) =>
      (await json<Listed>(list, 'list', ...words)).documents.map((one) => one.createdAt ?? one.receivedAt);
    for (const list of ['outbound', 'inbound']) {
      assert.deepEqual(await times(list, '--since', DAY, '--until', DAY), shown(LAST, FIRST));
      assert.deepEqual(await times(list, '--since', NEXT_DAY), shown(FIRST_AFTER));
      assert.deepEqual(await times(list, '--until', '2025-11-16'), shown(LAST_BEFORE));
      assert.deepEqual(
        await times(list, '--since', '2025-11-17T00:00:00', '--until', '2025-11-17T23:59:59Z'),
        shown(FIRST_AFTER, LAST),
        'a time without an offset is UTC',
      );
    }
  });

  await t.test('the audit trail', async () => {
    const [entry] = await json<{ at: string }[]>('audit', '--limit', '1');
    const day = skopjeDay(Date.parse(entry?.at ?? ''));
    assert.deepEqual(await json('audit', '--since', day, '--until', day, '--limit', '1'), [entry]);
  });

  await t.test('the archive takes documents from before the day', async () => {
    const to = join(temporaryFolder(), 'archive');
    const written = async (before: string) =>
      (await json<{ written: number }>('archive', '--before', before, '--to', to)).written;
    assert.equal(await written(DAY), 1);
    assert.equal(await written(NEXT_DAY), 2);
  });

  await t.test('retry in bulk', async () => {
    const words = ['outbound', 'retry', '--failure-code', FAILURE.failureCode, '--yes', '--since'];
    assert.equal((await json<{ requeued: number }>(...words, NEXT_DAY)).requeued, 1);
    assert.equal((await json<{ requeued: number }>(...words, DAY)).requeued, 2);
  });

  await t.test('a key is usable through the day on which it expires', async () => {
    const words = ['--tenant', ALFA, '--software', 'ledger', '--expires', '2099-12-31'];
    const { keyId, expiresAt } = await json<{ keyId: string; expiresAt: string }>('key', 'issue', ...words);
    assert.equal(expiresAt, '2099-12-31T22:59:59.999Z');
    const renewed = await json<{ expiresAt: string }>('key', 'renew', keyId, '--expires', '2099-07-01');
    assert.equal(renewed.expiresAt, '2099-07-01T21:59:59.999Z');
  });

  await t.test('what is neither a date nor a time is refused', async () => {
    const [exitCode, stderr] = await refusal('outbound', 'list', '--since', '17.11.2025');
    assert.equal(exitCode, 2);
    assert.match(stderr, /^--since must be a date-time such as 2027-01-31T00:00:00Z, or a day in Skopje such as /u);
  });
});

/** One outbound document that failed and one inbound document at each of the times. */
async function fill(variables: { readonly DATA_DIR: string }): Promise<void> {
  const { engine, storage } = await openFoundation(readConfig(variables));
  await storage.transaction(async (tx) => {
    for (const time of TIMES) {
      await addOutboundIn(tx, ALFA, 55, newOutbound({ ubl: fileOf(`<x${time}/>`) }), time, FAILURE);
      await tx.inbound.add(ALFA, newInbound(), time);
    }
  });
  await engine.close();
}
