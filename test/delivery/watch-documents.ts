import assert from 'node:assert/strict';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { until } from '../support/process.ts';
import { ALFA, type Workers } from './two-workers.ts';

/** Alfa's documents, as the database has them; the workers may be started later. */
export function watchDocuments(workers: () => Workers) {
  const documentOf = async (docUid: DocUid) =>
    (await workers().storage.outbound.find(ALFA, docUid)) ?? assert.fail('no such document');
  return {
    documentOf,
    stopOf: async () => (await workers().storage.tenants.find(ALFA))?.stopped ?? null,
    /** Its history: `10 20 30 20:AUTHORITY-ERROR`. */
    steps: async (docUid: DocUid) =>
      (await workers().storage.outbound.history(ALFA, docUid))
        .map(({ status, failureCode }) => [status, failureCode ?? []].flat().join(':'))
        .join(' '),
    async reach(docUid: DocUid, status: number): Promise<void> {
      await until(`${docUid} in ${status}`, async () => (await documentOf(docUid)).status === status);
    },
  };
}

export const isSending = (path: string) => path.endsWith('/sales-invoices/send');
