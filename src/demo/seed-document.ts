import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Foundation } from '../app/foundation.ts';
import type { DocumentReader } from '../application/ports/document-reader.ts';
import type { Edb } from '../domain/accounts/edb.ts';
import { partyTaxNumber } from '../domain/accounts/tax-number.ts';

const CREDIT_NOTE = fileURLToPath(new URL('../../docs/examples/credit-note.xml', import.meta.url));
const ANY = { created: { from: null, to: null }, statuses: null, partnerEdb: null };

/** A first document on its way to the authority, so that a newcomer soon sees what an accepted one looks like. */
export async function seedDocument({ storage, clock }: Foundation, reader: DocumentReader, tenant: Edb): Promise<void> {
  const { totalCount } = await storage.outbound.list(tenant, ANY, { page: 1, pageSize: 1 });
  if (totalCount > 0) return;
  const reading = await reader.read(new Uint8Array(await readFile(CREDIT_NOTE)));
  if (reading.outcome === 'refused') throw new Error(`The demo document is refused: ${reading.detail}`);
  const { facts, file, pdf } = reading;
  const partnerEdb = partyTaxNumber(facts.recipient);
  const document = { facts, partnerEdb, ubl: file, pdf, software: 'demo', holdMs: 0 };
  await storage.transaction((tx) => tx.outbound.add(tenant, document, clock.now()));
}
