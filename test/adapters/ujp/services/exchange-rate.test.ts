import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthorityCaller } from '../../../../src/adapters/ujp/gateway/authority-caller.ts';
import { exchangeRate } from '../../../../src/adapters/ujp/services/exchange-rate.ts';
import { ALFA_TENANT } from './client.ts';

async function rateOf(name: string, middleRate: number): Promise<number | undefined> {
  const answer = { success: true, currencyExcange: { name, date: '2026-11-10', middleRate } };
  const caller = { post: async () => answer } as unknown as AuthorityCaller;
  return (await exchangeRate(caller)(ALFA_TENANT, name, '2026-11-10'))?.rate;
}

test('a rate is that of one unit, whether the authority serves it for one or for a hundred', async () => {
  for (const [currency, served, rate] of [
    ['EUR', 61.695, 61.695],
    ['JPY', 34.7258, 0.347258],
    ['JPY', 0.347258, 0.347258],
    ['HUF', 15.6, 0.156],
    ['HUF', 0.156, 0.156],
    ['KRW', 3.8, 0.038],
    ['RSD', 52.5, 0.525],
    ['CZK', 2.5161, 2.5161],
  ] as const) {
    assert.equal(await rateOf(currency, served), rate, `${currency} ${served}`);
  }
});
