import { type Authority, AuthorityFault, type Registration } from '../../application/authority.ts';
import type { ReadCachedCodeList } from '../../application/cached-code-list.ts';
import type { Clock } from '../../application/ports.ts';
import type { Tenant } from '../../domain/tenant.ts';
import { remembered } from './remembered.ts';

/** The answer to a send names no status; what the first one is called stands in the list of statuses. */
export function withStatusNames<Client extends Pick<Authority, 'send'>>(
  client: Client,
  lists: ReadCachedCodeList,
  clock: Clock,
): Client {
  const names = remembered<ReadonlyMap<string, string>>(clock, { keptMs: 60_000, most: 10 });

  return {
    ...client,
    async send(tenant, document, requestTimestamp): Promise<Registration> {
      const registration = await client.send(tenant, document, requestTimestamp);
      const { code, name } = registration.status;
      return name === null ? { ...registration, status: { code, name: await nameOf(tenant, code) } } : registration;
    },
  };

  async function nameOf(tenant: Tenant, code: string): Promise<string | null> {
    try {
      const served = await names(tenant.environment, async () => {
        const { entries } = await lists(tenant, 'document-statuses');
        return new Map(entries.map((entry) => [entry.code, entry.name]));
      });
      return served.get(code) ?? null;
    } catch (error) {
      // The document is registered; a name that cannot be had must not put that in doubt.
      if (error instanceof AuthorityFault) return null;
      throw error;
    }
  }
}
