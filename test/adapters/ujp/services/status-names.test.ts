import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withStatusNames } from '../../../../src/adapters/ujp/services/status-names.ts';
import { ServiceStopping } from '../../../../src/application/errors/service-unavailable.ts';
import { type Authority, AuthorityCallError } from '../../../../src/application/ports/authority.ts';
import { clockAt } from '../../../support/test-clock.ts';

const REGISTRATION = { euid: '01a1e35e-c000-7aaa-8bbb-000000000021', status: { code: '01', name: null } };

for (const failure of [new AuthorityCallError('no answer', { kind: 'timeout' }), new ServiceStopping()]) {
  test(`a document is registered although the name of its status cannot be read: ${failure.message}`, async () => {
    const client = { send: async () => REGISTRATION } as unknown as Pick<Authority, 'send'>;
    const { send } = withStatusNames(client, () => Promise.reject(failure), clockAt());
    assert.deepEqual(await send({ environment: 'test' } as never, {} as never, ''), REGISTRATION);
  });
}
