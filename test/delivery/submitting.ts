import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import type { StatusChange } from '../../src/domain/documents/outbound-document.ts';
import { docUidOf } from '../support/doc-uid.ts';
import { as, type TestService } from '../support/service.ts';

export const ALFA_EDB = readEdb('4030026000018');

const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');

/** Submits an invoice of Alfa's to Beta under the number; returns its docUid. */
export async function submitInvoice({ api }: TestService, key: string, number: string): Promise<DocUid> {
  const answer = await fetch(`${api}/outbound`, {
    method: 'POST',
    headers: as(key, { 'X-Idempotency-Key': number }),
    body: INVOICE.replace('2026-7001', number),
  });
  assert.equal(answer.status, 201, await answer.clone().text());
  return docUidOf(((await answer.json()) as { docUid: string }).docUid);
}

/** A key of Alfa's without a traffic limit. */
export async function unlimitedKey({ operator }: TestService): Promise<string> {
  const { secret } = await operator.keys.issue({ tenant: ALFA_EDB, software: 'test', callsPerMinute: 100_000_000 });
  return secret;
}

/** The stored histories, straight from the database. */
export async function historyOf({ foundation }: TestService, docUid: DocUid): Promise<readonly StatusChange[]> {
  return foundation.storage.outbound.history(ALFA_EDB, docUid);
}

type Registered = { readonly docNumber: string };

/** How often the authority has a document of each number. */
export async function registeredTimes({ foundation }: TestService): Promise<ReadonlyMap<string, number>> {
  const answer = await fetch(`${portalOf(foundation)}/admin/documents`);
  const { documents } = (await answer.json()) as { readonly documents: readonly Registered[] };
  const byNumber = Map.groupBy(documents, ({ docNumber }) => docNumber);
  return new Map([...byNumber].map(([number, rows]) => [number, rows.length]));
}

/** Pulls a lever of the simulated authority. */
export async function pull({ foundation }: TestService, lever: string, order: unknown): Promise<void> {
  const answer = await fetch(`${portalOf(foundation)}/admin/${lever}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  assert.ok(answer.ok, await answer.text());
}

function portalOf({ config }: TestService['foundation']): string {
  return config.authorityUrls.test?.portal ?? '';
}
