import assert from 'node:assert/strict';
import dns from 'node:dns';
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
    ['localhost', 'localhost'],
  ] as const) {
    const skip = host === '::1' && !hasIpv6 ? 'this machine has no IPv6' : false;
    await t.test(host, { skip }, async (one) => {
      const lookups = one.mock.method(dns, 'lookup');
      const service = await startTestService({ variables: { HOST: host, DEMO_PUBLIC: 'yes' } });
      lookups.mock.restore();
      try {
        assert.deepEqual(
          lookups.mock.calls.flatMap(({ arguments: [name] }) => (name === 'localhost' ? name : [])),
          [],
        );
        assert.equal(new URL(service.url).hostname, named);
        assert.equal((await fetch(`${service.url}/errors`)).status, 200);
      } finally {
        await service.stop();
      }
    });
  }
});
