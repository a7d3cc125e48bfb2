import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { documentScan } from '../app/document-reader.ts';
import type { Foundation } from '../app/foundation.ts';
import type { Edb } from '../domain/accounts/edb.ts';
import { listedTaxNumber } from '../domain/accounts/tax-number.ts';

const CREDIT_NOTE = fileURLToPath(new URL('../../docs/examples/credit-note.xml', import.meta.url));
const ALL = { created: { from: null, to: null }, statuses: null, partnerEdb: null };

/** Submits a first document, so that a new user soon sees an accepted one. */
export async function seedDocument({ storage, clock }: Foundation, tenant: Edb): Promise<void> {
  const { totalCount } = await storage.outbound.list(tenant, ALL, { page: 1, pageSize: 1 });
  if (totalCount > 0) return;
  const reading = documentScan.read(new Uint8Array(await readFile(CREDIT_NOTE)));
  if (reading === null) throw new Error('The demo document is none of the usual ones');
  const { facts, file, pdf } = reading;
  const partnerEdb = listedTaxNumber(facts.recipient);
  const document = { facts, partnerEdb, ubl: file, pdf, software: 'demo', holdMs: 0 };
  await storage.transaction((tx) => tx.outbound.add(tenant, document, clock.now()));
}
