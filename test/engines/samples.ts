import { randomUUID } from 'node:crypto';
import { systemHasher } from '../../src/adapters/platform/platform.ts';
import type { Sql } from '../../src/adapters/sql/engine.ts';
import { saveRecords } from '../../src/adapters/sql/stores/idempotency-store.ts';
import { recordCommand } from '../../src/application/audit/record-command.ts';
import type { AuditEntry } from '../../src/application/ports/storage/audit-store.ts';
import type { IdempotencyRecord, IdempotencyRecordKey } from '../../src/application/ports/storage/idempotency-store.ts';
import type { InboundFilter, NewInbound } from '../../src/application/ports/storage/inbound-store.ts';
import type { StoredDocument } from '../../src/application/ports/storage/lists.ts';
import type { NewSubmission } from '../../src/application/ports/storage/outbound/store-submission.ts';
import type { MoveRecord, NewOutbound, OutboundFilter } from '../../src/application/ports/storage/outbound-store.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { StoredFile } from '../../src/application/ports/stored-file.ts';
import { type ApiKey, INTEGRATION_SCOPE } from '../../src/domain/accounts/api-key.ts';
import { type Edb, parseEdb } from '../../src/domain/accounts/edb.ts';
import { defaultSettings, type Tenant } from '../../src/domain/accounts/tenant.ts';
import { type OutboundEvent, type OutboundStatus, transition } from '../../src/domain/documents/outbound-status.ts';

/** A morning in 2026, from which the tests count. */
export const MORNING = Date.UTC(2026, 10, 16, 8);

export const ANY_OUTBOUND: OutboundFilter = { created: { from: null, to: null }, statuses: null, partnerEdb: null };
export const ANY_INBOUND: InboundFilter = {
  received: { from: null, to: null },
  senderEdb: null,
  onlyNotImported: false,
};

let tenants = 0;

/** The tax number of a taxpayer that no other test of the file uses. */
export function newEdb(): Edb {
  tenants += 1;
  return edb(String(4_000_000_000_000 + tenants));
}

export function edb(digits: string): Edb {
  const parsed = parseEdb(digits);
  if (parsed === null) throw new Error(`${digits} is no EDB.`);
  return parsed;
}

export function fileOf(content: string | Uint8Array): StoredFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { bytes, sha256: plain(systemHasher.sha256(bytes)) };
}

/** Engines hand bytes out in containers of their own; here they are compared as plain bytes. */
export function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

let documents = 0;

export function newOutbound(changes: Partial<NewOutbound> = {}): NewOutbound {
  documents += 1;
  return {
    facts: {
      kind: 'Invoice',
      documentNumber: `2026-${documents}`,
      typeCode: '380',
      amount: '118.00',
      currency: 'MKD',
      issueDate: '2026-11-16',
      supplier: { name: 'Alfa', taxNumber: '4030026000018', country: 'MK' },
      recipient: { name: 'Beta', taxNumber: '4080026000023', country: 'MK' },
    },
    partnerEdb: '4080026000023',
    ubl: fileOf(`<Invoice>${documents}</Invoice>`),
    pdf: null,
    software: 'ledger',
    // No worker of the tests' service shall touch it.
    holdMs: 100 * 365 * 86_400_000,
    ...changes,
  };
}

export function newInbound(changes: Partial<NewInbound> = {}): NewInbound {
  documents += 1;
  return {
    deduplicationKey: `euid:${documents}`,
    original: fileOf(`<Invoice>${documents}</Invoice>`),
    ubl: null,
    pdf: null,
    fileName: null,
    senderName: 'Beta',
    senderEdb: '4080026000023',
    senderCountry: 'MK',
    documentNumber: `B-${documents}`,
    amount: '59.00',
    currency: 'EUR',
    authorityStatus: null,
    ...changes,
  };
}

export function record(at: number, changes: Partial<MoveRecord> = {}): MoveRecord {
  return { at, failureCode: null, failureMessage: null, ...changes };
}

/** The events that bring a new document to a status. */
export const WAY_TO: Readonly<Record<OutboundStatus, readonly OutboundEvent[]>> = {
  10: [],
  20: ['prepare'],
  30: ['prepare', 'send'],
  40: ['prepare', 'send', 'accept'],
  50: ['prepare', 'send', 'reject'],
  55: ['give-up'],
  60: ['cancel'],
};

/** Adds a document and moves it, within the given transaction, to a status. */
export async function addOutboundIn(
  { outbound }: Pick<Storage, 'outbound'>,
  tenant: Edb,
  status: OutboundStatus,
  document: NewOutbound,
  now: number,
  changes: Partial<MoveRecord> = {},
): Promise<StoredDocument> {
  const stored = await outbound.add(tenant, document, now);
  let from: OutboundStatus = 10;
  for (const event of WAY_TO[status]) {
    if (!(await outbound.move(tenant, stored.docUid, from, event, record(now, changes)))) throw new Error('Not moved.');
    from = transition(from, event) ?? from;
  }
  return stored;
}

export function newTenant(changes: Partial<Tenant> = {}): Tenant {
  const settings = { name: 'Gama', environment: 'test', outboundEnabled: true, eujpId: null } as const;
  return { edb: newEdb(), ...settings, ...defaultSettings('demo'), stopped: null, ...changes };
}

/** Arrivals are collected only for tenants that have a certificate. */
export async function addWithCertificate(storage: Storage, tenant: Tenant): Promise<Tenant> {
  const facts = { certificate: 'PEM', serialNumber: '1', validTo: MORNING + 1_000_000_000, changedAt: MORNING };
  await storage.transaction(async (tx) => {
    await tx.tenants.add(tenant, MORNING);
    await tx.credentials.save({ tenant: tenant.edb, ...facts, sealedKey: Buffer.from('sealed'), sealedBy: 'key' });
  });
  return tenant;
}

let keys = 0;

export function newKey(tenant: Edb, changes: Partial<ApiKey> = {}): ApiKey {
  keys += 1;
  return {
    keyId: `key-${keys}`,
    tenant,
    software: 'ledger',
    scopes: [INTEGRATION_SCOPE],
    expiresAt: null,
    revokedAt: null,
    allowedAddresses: [],
    callsPerMinute: 600,
    createdAt: MORNING,
    lastUsedAt: null,
    ...changes,
  };
}

export function newAuditEntry(changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    at: MORNING,
    tenant: null,
    keyId: null,
    softwareId: 'ledger/4.2',
    method: 'GET',
    path: '/api/integration/v1/ping',
    docUid: null,
    httpStatus: 200,
    code: null,
    address: '127.0.0.1',
    durationMs: 1.25,
    requestId: randomUUID(),
    operator: null,
    calls: 1,
    ...changes,
  };
}

export function newSubmission(tenant: Edb, changes: Partial<NewSubmission> = {}): NewSubmission {
  const key = { tenant, software: 'ledger', idempotencyKey: systemHasher.sha256(randomUUID()) };
  const auditEntry = newAuditEntry({ tenant });
  return {
    key,
    environment: 'test',
    document: newOutbound(),
    now: MORNING,
    keptForMs: 3_600_000,
    auditEntry,
    ...changes,
  };
}

/** Returns whether it was stored: a key under which there is a record that has not expired at `now` is taken. */
export async function saveIdempotencyRecord(
  sql: Sql,
  record: IdempotencyRecordKey & IdempotencyRecord & { readonly expiresAt: number },
  now: number,
): Promise<boolean> {
  return (await saveRecords(sql, [record], now)).length === 0;
}

/** For use cases of the operator. */
export const recordTest = recordCommand({ operator: 'tester', clock: { now: () => MORNING }, newId: randomUUID });
