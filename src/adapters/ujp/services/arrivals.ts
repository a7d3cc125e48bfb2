import type { Arrival, Authority } from '../../../application/ports/authority.ts';
import { AuthorityCallError } from '../../../application/ports/authority.ts';
import { isEuid } from '../../../domain/documents/euid.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { listMember } from '../answers/list-member.ts';
import { unlessNothingFound } from '../answers/nothing-found.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { documentsService } from '../gateway/authority-service.ts';
import { arrivalFacts } from './arrival-facts.ts';

const IDS = documentsService('purchase-invoice/ids');
const PAYLOADS = documentsService('purchase-invoice/payload/list', true);
const PDF = documentsService('purchase-invoice/pdf', true);
const NOTHING_FOUND = ['E1018', 'E4008'];
const NONE: JsonObject = { success: true, euids: [] };
const PDF_START = '%PDF-';

/** Documents that the authority holds for the tenant as buyer. */
export function arrivals(caller: AuthorityCaller): Pick<Authority, 'arrivals' | 'arrived' | 'arrivedPdf'> {
  return {
    arrivals: async (tenant, from, to) => {
      const asked = caller.postSigned(tenant, IDS, { dateFrom: from, dateTo: to });
      const answer = await unlessNothingFound(asked, NOTHING_FOUND, NONE);
      return [...new Set(listMember(answer, 'euids', IDS).filter(isEuid))];
    },
    arrived: async (tenant, euids) => {
      if (euids.length === 0) return [];
      const answer = await caller.postSigned(tenant, PAYLOADS, { euids });
      return requestedArrivals(euids, listMember(answer, 'invoices', PAYLOADS));
    },
    arrivedPdf: async (tenant, euid) => {
      try {
        return readPdf(await caller.postSigned(tenant, PDF, { euid }));
      } catch (error) {
        if (error instanceof AuthorityCallError && error.kind === 'refused') return null;
        throw error;
      }
    },
  };
}

/** Only documents that were requested, each once. An unreadable one is skipped, as if the answer did not hold it. */
function requestedArrivals(euids: readonly string[], rows: readonly unknown[]): readonly Arrival[] {
  const found = new Map<string, Arrival>();
  for (const row of rows.filter(isJsonObject)) {
    const { euid, payload } = row;
    if (typeof euid !== 'string' || typeof payload !== 'string' || payload === '') continue;
    if (euids.includes(euid) && !found.has(euid)) found.set(euid, { euid, payload, facts: arrivalFacts(payload) });
  }
  return [...found.values()];
}

function readPdf({ pdfBase64 }: JsonObject): Uint8Array | null {
  if (typeof pdfBase64 !== 'string') return null;
  const bytes = Buffer.from(pdfBase64, 'base64');
  return bytes.subarray(0, PDF_START.length).toString('latin1') === PDF_START ? bytes : null;
}
