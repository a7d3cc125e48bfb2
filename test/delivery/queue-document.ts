import type { openReader } from '../../src/app/document-reader.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { listedTaxNumber } from '../../src/domain/accounts/tax-number.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';

type Needs = { readonly storage: Storage; readonly reader: Pick<ReturnType<typeof openReader>, 'read'> };

/** Puts a document in status 10, due at once, without the interface. */
export async function queueDocument(
  { storage, reader }: Needs,
  tenant: Edb,
  xml: string,
  now: number,
): Promise<DocUid> {
  const reading = await reader.read(tenant, new Uint8Array(Buffer.from(xml)));
  if (reading.outcome === 'refused') throw new Error(reading.detail);
  const { facts, file: ubl, pdf } = reading;
  const document = { facts, partnerEdb: listedTaxNumber(facts.recipient), ubl, pdf, software: 'test', holdMs: 0 };
  return (await storage.transaction((tx) => tx.outbound.add(tenant, document, now))).docUid;
}
