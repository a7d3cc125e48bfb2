import type { Edb } from '../../domain/accounts/edb.ts';
import { listedTaxNumber } from '../../domain/accounts/tax-number.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { InvoiceFacts } from '../../domain/documents/invoice-facts.ts';
import { toHex } from '../../domain/values/hex.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import { isPdf } from '../files/document-shape.ts';
import type { DocumentReader } from '../ports/document-reader.ts';
import type { Clock, Hasher } from '../ports/platform.ts';
import type { NewInbound } from '../ports/storage/inbound-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = {
  readonly storage: Storage;
  readonly reader: Pick<DocumentReader, 'recognise'>;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly record: RecordCommand;
};

export type ImportedFile = {
  readonly docUid: DocUid;
  readonly shape: 'ubl' | 'pdf' | 'other';
  readonly isNew: boolean;
};

export type ImportInbound = (tenant: Edb, fileName: string | null, bytes: Uint8Array) => Promise<ImportedFile>;

/** Stores a file as a document received for the tenant. Its type is recognised from the bytes; the same file twice is one document. */
export function importInbound({ storage, reader, hasher, clock, record }: Needs): ImportInbound {
  return async (tenant, fileName, bytes) => {
    const facts = await reader.recognise(tenant, bytes);
    const shape = facts !== null ? 'ubl' : isPdf(bytes) ? 'pdf' : 'other';
    const original = { bytes, sha256: hasher.sha256(bytes) };
    const arrival: NewInbound = {
      deduplicationKey: `sha256:${toHex(original.sha256)}`,
      original,
      ubl: shape === 'ubl' ? original : null,
      pdf: shape === 'pdf' ? original : null,
      fileName,
      authorityStatus: null,
      ...senderFacts(facts),
    };
    const { stored, isNew } = await storage.transaction(async (tx) => {
      const added = await tx.inbound.add(tenant, arrival, clock.now());
      const { docUid } = added.stored;
      if (added.isNew) await record(tx, { command: 'inbound import', target: docUid, tenant, docUid });
      return added;
    });
    return { docUid: stored.docUid, shape, isNew };
  };
}

function senderFacts(facts: InvoiceFacts | null) {
  if (facts === null) {
    return {
      senderName: null,
      senderEdb: null,
      senderCountry: null,
      documentNumber: null,
      amount: null,
      currency: null,
    };
  }
  return {
    senderName: facts.supplier.name,
    senderEdb: listedTaxNumber(facts.supplier),
    senderCountry: facts.supplier.country,
    documentNumber: facts.documentNumber,
    amount: facts.amount,
    currency: facts.currency,
  };
}
