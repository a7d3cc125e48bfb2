import type { Tenant } from '../../../domain/accounts/tenant.ts';
import { AnswerTooLarge } from '../answers/answer-too-large.ts';
import { isJsonObject } from '../answers/json-object.ts';
import { unreadableMember } from '../answers/list-member.ts';
import type { AuthorityCaller } from '../gateway/authority-caller.ts';
import { documentsService } from '../gateway/authority-service.ts';

const PAYLOAD = documentsService('sales-invoice/payload', true);
const PAYLOADS = documentsService('sales-invoice/payload/list', true);

/** The text that was signed for a registered document, as the authority keeps it. */
export async function registeredPayload(caller: AuthorityCaller, tenant: Tenant, euid: string): Promise<string> {
  const { payload } = await caller.postSigned(tenant, PAYLOAD, { euid });
  if (typeof payload !== 'string') throw unreadableMember('payload', PAYLOAD);
  return payload;
}

/** The `docId` of a registered document. Throws where it cannot be read. */
export async function registeredDocId(caller: AuthorityCaller, tenant: Tenant, euid: string): Promise<string> {
  return docIdIn(await registeredPayload(caller, tenant, euid));
}

/** Which of several registered documents has this `docId`; one request for all of them where their payloads fit into an answer. */
export async function findByDocId(
  caller: AuthorityCaller,
  tenant: Tenant,
  euids: readonly string[],
  docId: string,
): Promise<string | null> {
  const payloads = await payloadsOf(caller, tenant, euids);
  if (payloads === null) {
    const half = Math.ceil(euids.length / 2);
    return (
      (await findByDocId(caller, tenant, euids.slice(0, half), docId)) ??
      (await findByDocId(caller, tenant, euids.slice(half), docId))
    );
  }
  for (const euid of euids) {
    const payload = payloads.get(euid.toLowerCase());
    // What the answer leaves out may be the one that is looked for.
    const found = payload === undefined ? await registeredDocId(caller, tenant, euid) : docIdIn(payload);
    if (found === docId) return euid;
  }
  return null;
}

/** By EUID in lower case; null where they are too many for one answer. */
async function payloadsOf(
  caller: AuthorityCaller,
  tenant: Tenant,
  euids: readonly string[],
): Promise<ReadonlyMap<string, string> | null> {
  try {
    const { invoices } = await caller.postSigned(tenant, PAYLOADS, { euids });
    const rows = Array.isArray(invoices) ? invoices.filter(isJsonObject) : [];
    return new Map(
      rows.flatMap(({ euid, payload }) =>
        typeof euid === 'string' && typeof payload === 'string' ? [[euid.toLowerCase(), payload] as const] : [],
      ),
    );
  } catch (error) {
    if (error instanceof AnswerTooLarge && euids.length > 1) return null;
    throw error;
  }
}

function docIdIn(payload: string): string {
  const document = documentIn(payload);
  const header = isJsonObject(document) ? document['header'] : null;
  const docId = isJsonObject(header) ? header['docId'] : null;
  if (typeof docId !== 'string') throw unreadableMember('payload', PAYLOAD);
  return docId;
}

/** The document in a signed text; null when the text is not JSON with a document. */
export function documentIn(text: string): unknown {
  try {
    const signed: unknown = JSON.parse(text);
    return isJsonObject(signed) ? signed['document'] : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
