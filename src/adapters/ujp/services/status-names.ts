import type { ReadCachedCodeList } from '../../../application/code-lists/cached-code-list.ts';
import { isDatabaseFailure } from '../../../application/errors/commit-unknown.ts';
import { type Authority, AuthorityCallError, type Registration } from '../../../application/ports/authority.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { createSharedAnswers } from '../preparation/shared-answers.ts';

/** The answer to a send holds no status name: it is taken from the code list of document statuses. */
export function withStatusNames<Client extends Pick<Authority, 'send'>>(
  client: Client,
  lists: ReadCachedCodeList,
  clock: Clock,
): Client {
  const names = createSharedAnswers<ReadonlyMap<string, string>>(clock, { keptMs: 60_000, most: 10 });

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
      const served = await names(tenant, 'statuses', async () => {
        const { entries } = await lists(tenant, 'document-statuses');
        return new Map(entries.map((entry) => [entry.code, entry.name]));
      });
      return served.get(code) ?? null;
    } catch (error) {
      // The document is registered: that its name cannot be read must not turn the send into a failure, nor must a stop of the process.
      if (error instanceof AuthorityCallError || isDatabaseFailure(error)) return null;
      throw error;
    }
  }
}
