import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemHasher } from '../../../src/adapters/platform/platform.ts';
import { manageTenants } from '../../../src/application/accounts/manage-tenants.ts';
import { EnvironmentChanged } from '../../../src/application/errors/tenant-changed.ts';
import { collectInbound } from '../../../src/application/inbound/collect-inbound.ts';
import { type Authority, AuthorityCallError } from '../../../src/application/ports/authority.ts';
import type { Tenant } from '../../../src/domain/accounts/tenant.ts';
import { nextDocUid } from '../../../src/domain/documents/doc-uid.ts';
import { ANY_INBOUND, addWithCertificate, fileOf, MORNING, newTenant, recordTest } from '../../engines/samples.ts';
import { onEveryEngine } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

const DAY_MS = 86_400_000;
const EUID = nextDocUid(MORNING, null, new Uint8Array(10));
const NOTHING = { senderName: null, senderEdb: null, senderCountry: null };
const NO_FACTS = { ...NOTHING, documentNumber: null, amount: null, currency: null };

onEveryEngine('collecting before and after a change of the environment', (database) => {
  const added = () => addWithCertificate(database().storage, newTenant({ environment: 'test' }));

  function goTo({ edb }: Tenant, environment: Tenant['environment']): Promise<Tenant> {
    const tenants = manageTenants({ storage: database().storage, clock: clockAt(), record: recordTest });
    return tenants.set(edb, { environment });
  }

  /** The test installation lists a document; what becomes of the request for it is up to the test. */
  function collecting(arrived: Authority['arrived'], now = MORNING) {
    const authority: Pick<Authority, 'arrivals' | 'arrived' | 'arrivedInAnyShape' | 'arrivedPdf'> = {
      async arrivals({ environment }) {
        const listed = environment === 'test' ? [{ euid: EUID, status: null, facts: NO_FACTS }] : [];
        return { listed, unreadableRows: [] };
      },
      arrived,
      arrivedInAnyShape: () => assert.fail('it is given in the expected shape'),
      arrivedPdf: async () => null,
    };
    const { storage } = database();
    return collectInbound({ storage, hasher: systemHasher, report: () => undefined, authority, clock: clockAt(now) });
  }

  const given = (euid: string) => ({ euid, original: fileOf(euid).bytes, facts: NO_FACTS, unreadable: null });

  function refused(): Promise<never> {
    return Promise.reject(new AuthorityCallError('no right', { kind: 'error' }));
  }

  async function stored({ edb }: Tenant): Promise<number> {
    return (await database().storage.inbound.list(edb, ANY_INBOUND, { page: 1, pageSize: 1 })).totalCount;
  }

  test('what one installation did not give is not asked of the other, and is asked for again when the tenant is back', async () => {
    const tenant = await added();
    await collecting(refused)(tenant, 0);
    const problems = () => database().storage.arrivalProblems.list(tenant.edb);
    assert.equal((await problems()).length, 1);
    const moved = await goTo(tenant, 'production');
    assert.deepEqual(await problems(), []);
    await collecting(() => assert.fail('the other installation is asked'), MORNING + DAY_MS)(moved, 0);
    assert.deepEqual([await problems(), await stored(tenant)], [[], 0]);
    const back = await goTo(tenant, 'test');
    await collecting(async () => [given(EUID)])(back, 0);
    assert.equal(await stored(tenant), 1);
  });

  test('a document that was stored although it could not be read stays among the problems', async () => {
    const tenant = await added();
    await collecting(async () => [{ ...given(EUID), unreadable: 'no JSON' }])(tenant, 0);
    await goTo(tenant, 'production');
    assert.equal((await database().storage.arrivalProblems.list(tenant.edb)).length, 1);
  });

  test('a collection under way when the environment is changed stores nothing after that, neither document nor problem', async () => {
    for (const answer of [async () => [given(EUID)], refused]) {
      const tenant = await added();
      const collect = collecting(async () => {
        await goTo(tenant, 'production');
        return answer();
      });
      await assert.rejects(collect(tenant, 0), EnvironmentChanged);
      assert.deepEqual([await database().storage.arrivalProblems.list(tenant.edb), await stored(tenant)], [[], 0]);
    }
  });
});
