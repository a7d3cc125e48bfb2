import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuthorityCallError } from '../../../../src/application/ports/authority.ts';
import type { Signer } from '../../../../src/application/ports/signer.ts';
import { ALFA_TENANT, callErrorKindOf, clientAt, prepared, SIGNERS } from '../services/client.ts';

test('every signature that fails is told, with what should have made it, and nothing is sent', async () => {
  const failed: string[] = [];
  const own = await SIGNERS.find(ALFA_TENANT.edb);
  assert.ok(own !== null);
  const send = (more: Partial<Signer>) => {
    const signers = { find: async () => ({ ...own, ...more }) };
    const options = { signers, onSignatureFailed: (signer: string) => failed.push(signer) };
    const { client } = clientAt('http://127.0.0.1:1', options);
    return callErrorKindOf(client.send(ALFA_TENANT, prepared(), '2026-11-15T10:00:00'));
  };
  const refuse = async () => {
    throw new AuthorityCallError('no token', { kind: 'signing' });
  };
  assert.equal(await send({ sign: refuse, isExternal: true }), 'signing, certain');
  const break_ = async () => {
    throw new Error('no key');
  };
  assert.equal(await send({ sign: break_ }), 'signing, certain');
  assert.equal(await send({}), 'unreachable, certain');
  assert.deepEqual(failed, ['command', 'key']);
});
