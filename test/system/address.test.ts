import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { startTestService } from '../support/service.ts';

const hasIpv6 = Object.values(networkInterfaces()).some(
  (all) => all?.some(({ address }) => address === '::1') === true,
);

test('the service names the address where it listens', async (t) => {
  for (const [host, named] of [
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['::1', '[::1]'],
  ] as const) {
    const skip = host === '::1' && !hasIpv6 ? 'this machine has no IPv6' : false;
    await t.test(host, { skip }, async () => {
      const service = await startTestService({ variables: { HOST: host, DEMO_PUBLIC: 'yes' } });
      try {
        assert.equal(new URL(service.url).hostname, named);
        assert.equal((await fetch(`${service.url}/errors`)).status, 200);
      } finally {
        await service.stop();
      }
    });
  }
});
