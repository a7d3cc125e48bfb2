import type { Tenant } from '../../domain/accounts/tenant.ts';
import { isSameEuid } from '../../domain/documents/euid.ts';
import { authorityCodeOf } from '../../domain/documents/outbound-document.ts';
import { DoubtfulEuid } from '../errors/authority-answers.ts';
import { type Authority, AuthorityCallError, type Registration } from '../ports/authority.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import type { DeliveryNeeds } from './delivery.ts';
import { findOwnRegistration } from './lost-answers/find-own-registration.ts';
import { hasEuidOfAnother } from './settlement/mistaken-owner.ts';

/** After so many failures in a row it is no document that is just registered and not known by its EUID yet. */
const FIRST_OF_DOUBT = 2;
/** It has been missing for hours: until then a second look-up would say what the first did, for every document of an outage. */
const LATER_OF_DOUBT = 7;

/** Fetches the signed container of a registered document: nothing else is served as the authority's file. */
export async function fetchContainer(needs: DeliveryNeeds, claimed: ClaimedDelivery, euid: string): Promise<void> {
  const { storage, authority, hasher } = needs;
  const { tenant, document } = claimed;
  // The other installation does not know it.
  const environment =
    (await storage.tenants.formerEnvironment(tenant.edb, 'outbound', document.docUid)) ?? tenant.environment;
  try {
    const bytes = await authority.container({ ...tenant, environment }, euid, document.docUid);
    await claimed.storeContainer(await storage.storeLargeFile(tenant.edb, { bytes, sha256: hasher.sha256(bytes) }));
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    const isElsewhere = environment !== tenant.environment;
    const own =
      error instanceof DoubtfulEuid && !isElsewhere ? await ownRegistration(needs, claimed, error, euid) : null;
    await claimed.containerFailed(own);
  }
}

/** As what the document is registered, where that is not the EUID that it has here; null where that is not known for certain, or on record already. */
async function ownRegistration(
  { storage, authority }: DeliveryNeeds,
  { tenant, document }: ClaimedDelivery,
  error: DoubtfulEuid,
  euid: string,
): Promise<Registration | null> {
  const { docUid, failures } = document;
  if (!isWorthLookUp(error, failures)) return null;
  if (await hasEuidOfAnother(storage, tenant.edb, { docUid, ujp: { euid } })) return null;
  const sent = await storage.deliveries.payload(tenant.edb, docUid);
  if (sent === null) return null;
  try {
    const found = await findOwnRegistration({ storage, authority }, tenant, sent, { docUid, isVoid: false }, euid);
    return found === null || found.isPresumed === true || isSameEuid(found.euid, euid) ? null : found;
  } catch (error) {
    // The container is asked for again, and so is this.
    if (error instanceof AuthorityCallError) return null;
    throw error;
  }
}

/** A container of another document is; that none is known by the EUID says little until it has been so for a while. */
function isWorthLookUp({ errors }: DoubtfulEuid, failures: number): boolean {
  return errors.length === 0 || failures === FIRST_OF_DOUBT || failures >= LATER_OF_DOUBT;
}

/** What became of a request for a container, for the log and the metrics. */
export type ContainerEvent = {
  readonly tenant: Tenant;
  readonly euid: string;
  /** `fetched`, or what tells the reasons of failures apart: an error code of the authority, or a kind of call error. */
  readonly outcome: string;
  readonly reason: string | null;
  /** Whether the outcome is another one than that of the tenant's last request: only then the operator has to hear of it. */
  readonly isNews: boolean;
};

const FETCHED = 'fetched';

/** Reports every request for a container. What the last outcome was is known to this process alone. */
export function reportContainers(
  container: Authority['container'],
  report: (event: ContainerEvent) => void,
): Authority['container'] {
  const last = new Map<string, string>();

  function tell(tenant: Tenant, euid: string, outcome: string, reason: string | null): void {
    const isNews = (last.get(tenant.edb) ?? FETCHED) !== outcome;
    if (outcome === FETCHED) last.delete(tenant.edb);
    else last.set(tenant.edb, outcome);
    report({ tenant, euid, outcome, reason, isNews });
  }

  return async (tenant, euid, docUid) => {
    try {
      const bytes = await container(tenant, euid, docUid);
      tell(tenant, euid, FETCHED, null);
      return bytes;
    } catch (error) {
      if (error instanceof AuthorityCallError) tell(tenant, euid, outcomeOf(error), error.message);
      throw error;
    }
  };
}

/** The outcome is a label of a metric: a text of any form would make a time series of its own. */
function outcomeOf({ errors, kind }: AuthorityCallError): string {
  return authorityCodeOf(errors) ?? kind;
}
