import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLinkSigning } from '../../../src/adapters/credentials/link-signing.ts';
import { systemRandom } from '../../../src/adapters/platform/platform.ts';
import { viewLinks } from '../../../src/application/views/view-links.ts';
import type { ApiKey } from '../../../src/domain/accounts/api-key.ts';
import type { Tenant } from '../../../src/domain/accounts/tenant.ts';
import { newEdb, newKey, newTenant } from '../../engines/samples.ts';
import { docUidOf } from '../../support/doc-uid.ts';
import { clockAt } from '../../support/test-clock.ts';

const edb = newEdb();
const tenant = newTenant({ edb });
const key = newKey(edb);
const clock = clockAt();
const subject = { direction: 'outbound', docUid: docUidOf('01234567-89ab-7def-8123-456789abcdef') } as const;
const signing = createLinkSigning([], systemRandom);
const found = { detail: async () => ({}) as never };

function linksWith(stored: { readonly key: ApiKey | null; readonly tenant: Tenant | null }) {
  const asked: string[] = [];
  async function noted<Found>(name: string, value: Found): Promise<Found> {
    asked.push(name);
    return value;
  }
  const links = viewLinks({
    readOutbound: found,
    readInbound: found,
    keys: { find: (keyId) => noted(keyId, stored.key) },
    tenants: { find: (one) => noted(one, stored.tenant) },
    signing,
    clock,
  });
  return { links, asked };
}

suite('a view link', async () => {
  const { token } = await linksWith({ key, tenant }).links.make(key, subject, 1);

  test('opens while its key and its tenant are there', async () => {
    assert.equal(await linksWith({ key, tenant }).links.open(token, subject), tenant);
  });

  test('dies with its key and with its tenant', async () => {
    const gone = [
      { key: null, tenant },
      { key, tenant: null },
      { key: { ...key, revokedAt: clock.now() }, tenant },
      { key: { ...key, expiresAt: clock.now() }, tenant },
      { key: { ...key, scopes: [] }, tenant },
      { key: { ...key, tenant: newEdb() }, tenant },
    ];
    for (const stored of gone) assert.equal(await linksWith(stored).links.open(token, subject), null);
  });

  test('an invented one is refused before anything is looked up', async () => {
    const { links, asked } = linksWith({ key, tenant });
    const { token: elsewhere } = await viewLinks({
      readOutbound: found,
      readInbound: found,
      keys: { find: async () => key },
      tenants: { find: async () => tenant },
      signing: createLinkSigning([], systemRandom),
      clock,
    }).make(key, subject, 1);
    for (const one of [elsewhere, `${token}x`, token.slice(1), '', 'x'.repeat(100_000)]) {
      assert.equal(await links.open(one, subject), null);
    }
    assert.deepEqual(asked, []);
  });
});
