import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { serialise } from '../../../../src/adapters/threads/serialised-content.ts';
import { createConverter } from '../../../../src/adapters/ujp/preparation/converter.ts';
import { createDryRun } from '../../../../src/adapters/ujp/preparation/dry-run.ts';
import type { LookUpContext } from '../../../../src/adapters/ujp/preparation/look-up-context.ts';
import { AuthorityCallError } from '../../../../src/application/ports/authority.ts';
import { NoTurnInTime } from '../../../../src/application/ports/pace.ts';
import type { Timers } from '../../../../src/application/ports/platform.ts';
import { edb, newTenant } from '../../../engines/samples.ts';
import { CONTEXT, invoice } from '../conversion/sample-content.ts';

const tenant = newTenant({ edb: CONTEXT.tenantEdb });
const other = newTenant({ edb: edb('4080026000023') });
const content = serialise(invoice());

/** Timers that ring when they are told to. */
function bells() {
  const set = new Set<() => void>();
  const timers: Timers = {
    ...systemTimers,
    after(_ms, run) {
      set.add(run);
      return { cancel: () => void set.delete(run) };
    },
  };
  return { timers, ring: () => [...set].map((run) => run()), waiting: () => set.size };
}

function dryRunWith(lookUpContext: LookUpContext, timers: Timers) {
  const dryRun = createDryRun({ converter: createConverter({ timers }), lookUpContext, timers, longestMs: 15_000 });
  return (who = tenant) => dryRun(who, content, async () => [], new Set());
}

describe('a dry run', () => {
  test('gives the failures, warnings and preview of the conversion, and leaves no timer behind', async () => {
    const { timers, waiting } = bells();
    const { failures, preview } = await dryRunWith(async () => CONTEXT, timers)();
    assert.deepEqual([failures, preview?.seller.taxNumber, waiting()], [[], CONTEXT.tenantEdb, 0]);
  });

  test('is not waited for longer than its time', async () => {
    const { timers, ring } = bells();
    const running = dryRunWith(() => new Promise(() => undefined), timers)();
    ring();
    await assert.rejects(running, NoTurnInTime);
  });

  test('of a tenant waits while two others are at the authority, those that nobody waits for included', async () => {
    const { timers, ring } = bells();
    const asked: string[] = [];
    const open: (() => void)[] = [];
    const run = dryRunWith(async ({ edb: who }) => {
      asked.push(who);
      await new Promise<void>((resolve) => open.push(resolve));
      return CONTEXT;
    }, timers);
    const late = [run(), run(), run()];
    await timers.nextTurn();
    ring();
    for (const one of late) await assert.rejects(one, AuthorityCallError);
    const next = run();
    const ofAnother = run(other);
    await timers.nextTurn();
    assert.deepEqual(asked, [tenant.edb, tenant.edb, other.edb]);
    open[0]?.();
    await timers.nextTurn();
    assert.deepEqual(asked, [tenant.edb, tenant.edb, other.edb, tenant.edb]);
    for (const resolve of open) resolve();
    await Promise.all([next, ofAnother]);
  });
});
