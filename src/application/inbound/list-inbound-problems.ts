import type { Edb } from '../../domain/accounts/edb.ts';
import type { ArrivalProblem } from '../../domain/documents/arrival-problem.ts';
import type { Storage } from '../ports/storage/storage.ts';

export type InboundProblem = ArrivalProblem & { readonly tenant: Edb };

/** What stands in the way of inbound documents: of one tenant or, without a tenant, of all. */
export type ListInboundProblems = (tenant: Edb | null) => Promise<readonly InboundProblem[]>;

export function listInboundProblems({ storage }: { readonly storage: Storage }): ListInboundProblems {
  return async (tenant) => {
    const tenants = tenant === null ? (await storage.tenants.list()).map(({ edb }) => edb) : [tenant];
    const problems: InboundProblem[] = [];
    for (const edb of tenants) {
      for (const problem of await storage.arrivalProblems.list(edb)) problems.push({ tenant: edb, ...problem });
    }
    return problems;
  };
}
