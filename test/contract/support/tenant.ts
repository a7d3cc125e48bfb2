import type { KeyRequest } from '../../../src/application/accounts/manage-keys.ts';
import { readEdb } from '../../../src/application/accounts/manage-tenants.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import type { Tenant } from '../../../src/domain/accounts/tenant.ts';
import type { TestService } from '../../support/service.ts';
import { type Client, clientFor } from './client.ts';

export type IssuedClient = Client & { readonly keyId: string; readonly secret: string };

/** A tenant that only one test knows, with a client of its own. */
export type TestTenant = Client & {
  readonly edb: Edb;
  /** A client with another key of the tenant. */
  readonly withKey: (order?: Partial<KeyRequest>) => Promise<IssuedClient>;
};

const PLENTY = 100_000;

let tenants = 0;

export async function newTenant(service: TestService, settings: Partial<Tenant> = {}): Promise<TestTenant> {
  tenants += 1;
  const edb = readEdb(String(4_900_000_000_000 + tenants));
  await service.operator.tenants.add({
    edb,
    name: `Tenant ${tenants}`,
    environment: 'test',
    outboundEnabled: true,
    eujpId: 'test',
    ...settings,
  });
  const withKey: TestTenant['withKey'] = async (order = {}) => {
    const issued = await service.operator.keys.issue({
      tenant: edb,
      software: 'test',
      callsPerMinute: PLENTY,
      mayBeUseless: true,
      ...order,
    });
    return { ...clientFor(service, issued.secret), keyId: issued.key.keyId, secret: issued.secret };
  };
  return { ...(await withKey()), edb, withKey };
}
