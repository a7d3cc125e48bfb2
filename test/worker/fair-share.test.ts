import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings, type Tenant } from '../../src/domain/accounts/tenant.ts';
import { fairShare } from '../../src/worker/fair-share.ts';
import { edb } from '../engines/samples.ts';
import { fc } from '../support/seeds.ts';

const NOW = 1_000;

function tenantOf(index: number, user: number | null, stoppedUntil: number | null): Tenant {
  return {
    edb: edb(String(4_000_000_000_000 + index)),
    name: `${index}`,
    environment: 'test',
    outboundEnabled: true,
    eujpId: user === null ? null : `user-${user}`,
    stopped: stoppedUntil === null ? null : { until: stoppedUntil, since: 0, reason: '', cause: 'account' },
    ...defaultSettings('demo'),
  };
}

const anyTenants = fc
  .array(fc.tuple(fc.option(fc.integer({ min: 0, max: 4 })), fc.option(fc.constantFrom(NOW - 1, NOW, NOW + 1))), {
    maxLength: 12,
  })
  .map((drawn) => drawn.map(([user, until], index) => tenantOf(index, user, until)));

const anyCase = fc.record({
  tenants: anyTenants,
  busyTimes: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 }),
  maxInProgress: fc.integer({ min: 1, max: 20 }),
  maxPerUser: fc.integer({ min: 1, max: 5 }),
});

function userOf({ eujpId, edb: number }: Tenant): string {
  return eujpId ?? number;
}

function mostOf({ stopped }: Tenant): number {
  if (stopped === null) return Number.POSITIVE_INFINITY;
  return stopped.until <= NOW ? 1 : 0;
}

test('shares never exceed what is allowed at once, per user and per stopped tenant, and leave nothing unused', () => {
  fc.assert(
    fc.property(anyCase, ({ tenants, busyTimes, ...limits }) => {
      const underWay = tenants.flatMap((tenant, index) => Array.from({ length: busyTimes[index] ?? 0 }, () => tenant));
      const shares = fairShare(tenants, underWay, limits, NOW);
      const all = [...underWay, ...shares.flatMap(([tenant, count]) => Array.from({ length: count }, () => tenant))];
      const given = new Set(shares.map(([tenant]) => tenant));
      for (const tenant of tenants) {
        const room = [
          limits.maxInProgress - all.length,
          limits.maxPerUser - all.filter((other) => userOf(other) === userOf(tenant)).length,
          mostOf(tenant) - all.filter((other) => other === tenant).length,
        ];
        if (given.has(tenant)) assert.ok(Math.min(...room) >= 0, 'more than allowed');
        assert.ok(Math.min(...room) <= 0, 'left out without need');
      }
      assert.ok(shares.every(([, count]) => count >= 1));
      assert.deepEqual(
        [...given],
        tenants.filter((tenant) => given.has(tenant)),
      );
    }),
  );
});

test('a stopped tenant whose pause is over is tried once, also while others of the same user are at work', () => {
  const stopped = tenantOf(1, 1, NOW - 1);
  const neighbour = tenantOf(2, 1, null);
  const limits = { maxInProgress: 10, maxPerUser: 4 };
  assert.deepEqual(fairShare([stopped], [neighbour, neighbour], limits, NOW), [[stopped, 1]]);
  assert.deepEqual(fairShare([stopped], [stopped, neighbour], limits, NOW), []);
});
