import type { Tenant } from '../../domain/accounts/tenant.ts';
import { type CodeListEntry, type CodeListType, entriesInForce } from '../../domain/values/code-list.ts';
import { skopjeDay } from '../../domain/values/skopje-day.ts';
import type { Clock } from '../ports/platform.ts';
import type { ReadCachedCodeList } from './cached-code-list.ts';

type Needs = { readonly lists: ReadCachedCodeList; readonly clock: Clock };

export type ReadCodeList = (tenant: Tenant, type: CodeListType) => Promise<readonly CodeListEntry[]>;

/** The entries of a list that are valid today. */
export function readCodeList({ lists, clock }: Needs): ReadCodeList {
  return async (tenant, type) => entriesInForce((await lists(tenant, type)).entries, skopjeDay(clock.now()));
}
