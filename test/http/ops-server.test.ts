import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import { createOpsServer } from '../../src/http/ops-server.ts';

test('readiness says why the database cannot be used, in its own words', async () => {
  const server = createOpsServer({
    isLoopback: () => true,
    isLoopbackOnly: true,
    answers: () => ({
      async notReadyBecause() {
        const cause = new Error('cannot execute INSERT in a read-only transaction');
        throw new ServiceUnavailable('The database cannot serve at this moment.', { cause });
      },
      metrics: null,
      console: () => false,
    }),
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/health/ready`);
  const { detail } = (await answer.json()) as { readonly detail: string };
  server.close();
  assert.equal(answer.status, 503);
  assert.equal(
    detail,
    'Not ready: The database cannot serve at this moment. cannot execute INSERT in a read-only transaction',
  );
});
