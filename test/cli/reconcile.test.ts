import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { ReconcileOutcome } from '../../src/application/recovery/reconcile.ts';
import { reconcile } from '../../src/cli/commands/recovery/reconcile.ts';
import type { Operator } from '../../src/cli/operator.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';

const ONE = '4030026000018' as Edb;
const OTHER = '4030026000029' as Edb;
const UNREAD = {
  tenant: ONE,
  euid: '01a1e35e-c000-7aaa-8bbb-000000000001',
  docNumber: '2026/117',
  docDate: '2026-11-03',
};

const NOTHING: ReconcileOutcome = {
  compared: 0,
  settled: [],
  unread: [],
  failed: [],
  aheadRefused: [],
  withoutAccount: [],
  uncompared: [],
  repeatAfter: null,
  isReleased: false,
  stillHeld: null,
};

async function reconciled(changes: Partial<ReconcileOutcome>) {
  const progress: string[] = [];
  const operator = {
    timers: systemTimers,
    async reconcile(_: number, step: Parameters<Operator['reconcile']>[1]) {
      step({ tenant: OTHER, nth: 18, tenants: 500, of: 'lists', done: 0, total: 8, notCompared: 17 });
      return { ...NOTHING, ...changes };
    },
  } as unknown as Operator;
  assert.ok('run' in reconcile);
  const given = { option: () => '2026-11-01', options: () => [], positionals: [] };
  const { text, isFailure } = await reconcile.run(operator, given, (line: string) => progress.push(line));
  return { lines: String(text).split('\n'), progress, isFailure };
}

test('names each registration that was not compared, and how to go on where it never can be', async () => {
  const failed = [{ tenant: ONE, reason: 'E5000' }];
  const { lines, progress, isFailure } = await reconciled({ unread: [UNREAD], failed, uncompared: [ONE] });
  assert.match(
    lines[1] ?? '',
    /^4030026000018 +- +2026\/117 +2026-11-03 +01a1e35e-\S+ +- +not compared; once its taxpayer is released, its number may be sent again$/u,
  );
  assert.match(lines.join('\n'), /given up by "dostava release --tenant <EDB>"; what was compared stays settled\.$/u);
  assert.deepEqual(progress, ['listing taxpayer 18 of 500 (4030026000029, 17 not compared so far): 0 of 8 lists, 0 %']);
  assert.equal(isFailure, true);
  const ofAll = await reconciled({ failed, stillHeld: 'restored, not reconciled' });
  assert.match(ofAll.lines.at(-1) ?? '', /^Not complete: run it again\. .* "dostava release";/u);
  const ofNone = await reconciled({ failed });
  assert.equal(ofNone.lines.at(-1), 'Not complete: run it again.', 'nothing is held');
});

test('names no release of a registration whose taxpayer is not held: its number may be sent already', async () => {
  const failed = [{ tenant: ONE, reason: 'E5000' }];
  const resultOf = async (held: Partial<ReconcileOutcome>) =>
    (await reconciled({ unread: [UNREAD], failed, ...held })).lines[1] ?? '';
  assert.match(await resultOf({}), / not compared; its number may be sent again$/u);
  assert.match(await resultOf({ uncompared: [OTHER] }), / not compared; its number may be sent again$/u);
  for (const held of [{ stillHeld: 'the disk is full' }, { uncompared: [ONE] }])
    assert.match(await resultOf(held), / not compared; once its taxpayer is released, its number may be sent again$/u);
});

test('of thousands that were not compared it shows some, and how many others there are', async () => {
  const { lines } = await reconciled({ unread: Array.from({ length: 60 }, () => UNREAD) });
  assert.equal(lines.filter((line) => line.startsWith(ONE)).length, 50);
  assert.ok(lines.some((line) => line === '10 more were not compared. --json has them.'));
});
