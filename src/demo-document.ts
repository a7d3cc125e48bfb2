import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { systemChance } from './adapters/system/platform.ts';
import type { Foundation } from './app.ts';
import type { DocumentReader } from './application/document-reader.ts';
import { nextDocUid } from './domain/doc-uid.ts';
import type { Edb } from './domain/edb.ts';
import { formatInstant } from './domain/instant.ts';
import { OUTBOUND_STATUS } from './domain/outbound-status.ts';
import { partyTaxNumber } from './domain/tax-number.ts';

const CREDIT_NOTE = fileURLToPath(new URL('../docs/examples/credit-note.xml', import.meta.url));

/** One document that the authority has accepted, so that a newcomer sees what such a document looks like. */
export async function seedAcceptedDocument(
  { storage, clock, config }: Foundation,
  reader: DocumentReader,
  tenant: Edb,
): Promise<void> {
  const filter = { created: { from: null, to: null }, statuses: [OUTBOUND_STATUS.accepted], partnerEdb: null };
  const { totalCount } = await storage.outbound.list(tenant, filter, { page: 1, pageSize: 1 });
  if (totalCount > 0) return;
  const reading = await reader.read(new Uint8Array(await readFile(CREDIT_NOTE)));
  if (reading.outcome === 'refused') throw new Error(`The demo document is refused: ${reading.detail}`);
  const { facts, file, pdf } = reading;
  await storage.transaction(async (tx) => {
    const now = clock.now();
    const document = {
      facts,
      partnerEdb: partyTaxNumber(facts.recipient),
      ubl: file,
      pdf,
      software: 'demo',
      holdMs: 0,
    };
    const { docUid, at } = await tx.outbound.add(tenant, document, now);
    const record = { at, failureCode: null, failureMessage: null };
    await tx.outbound.move(tenant, docUid, OUTBOUND_STATUS.received, 'prepare', record);
    await tx.outbound.move(tenant, docUid, OUTBOUND_STATUS.processing, 'send', record);
    const euid = nextDocUid(now, null, systemChance.bytes(10));
    await tx.outbound.move(tenant, docUid, OUTBOUND_STATUS.sent, 'accept', {
      ...record,
      ujp: {
        accepted: true,
        euid,
        qrLink: `${config.authorityUrls.test?.portal ?? ''}/euid/${euid}`,
        registeredAt: formatInstant(at),
        statusCode: '01',
        statusName: 'Испратена (Нова)',
        message: 'Фактура успешно зачувана',
        errors: [],
      },
    });
  });
}
