import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { OutboundDocument } from '../../domain/documents/outbound-document.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { skopjeDay } from '../../domain/values/skopje-day.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import { OperatorError } from '../errors/operator-error.ts';
import { AuthorityCallError } from '../ports/authority.ts';
import type { AuthorityProbe } from '../ports/authority-probe.ts';
import type { DocumentReader } from '../ports/document-reader.ts';
import type { Clock, Random } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { probeInvoice } from './probe-invoice.ts';

type Needs = {
  readonly storage: Storage;
  readonly probe: Pick<AuthorityProbe, 'isVatRegistered'>;
  readonly reader: Pick<DocumentReader, 'read'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly record: RecordCommand;
  readonly pause: (ms: number) => Promise<unknown>;
};

export type SentProbe = {
  readonly docUid: DocUid;
  readonly number: string;
  readonly status: number;
  readonly euid: string | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  /** Whether it came to its end while it was watched. */
  readonly isFinished: boolean;
};

/** Sends one document from the tenant to itself and follows it; `onStatus` hears of each status. */
export type SendProbeDocument = (tenant: Tenant, onStatus: (status: number) => void) => Promise<SentProbe>;

const LOOK_EVERY_MS = 500;
/** Longer than a document takes when nothing is wrong, the demo's hold-back and the first pauses between attempts included. */
const WATCH_MS = 5 * 60_000;
const SOFTWARE = 'authority probe';
const FINAL: readonly number[] = [
  OUTBOUND_STATUS.accepted,
  OUTBOUND_STATUS.rejected,
  OUTBOUND_STATUS.failed,
  OUTBOUND_STATUS.cancelled,
];

/** It is stored and queued like any document; the running service delivers it. */
export function sendProbeDocument(needs: Needs): SendProbeDocument {
  const { storage, clock, pause } = needs;
  return async (tenant, onStatus) => {
    const { docUid, number } = await submit(needs, tenant);
    const until = clock.now() + WATCH_MS;
    let last = 0;
    for (;;) {
      const document = await storage.outbound.find(tenant.edb, docUid);
      if (document === null) throw new OperatorError('refused', `The document ${docUid} is gone.`);
      if (document.status !== last) onStatus(document.status);
      last = document.status;
      const isFinished = FINAL.includes(last);
      if (isFinished || clock.now() >= until) return sentProbe(document, number, isFinished);
      await pause(LOOK_EVERY_MS);
    }
  };
}

async function submit(needs: Needs, tenant: Tenant) {
  const { storage, reader, clock, random, record } = needs;
  if (!tenant.outboundEnabled) throw new OperatorError('refused', `Outbound is switched off for ${tenant.edb}.`);
  const isVatRegistered = await vatRegistered(needs, tenant);
  const now = clock.now();
  const date = skopjeDay(now);
  const number = probeNumber(date, random);
  const text = probeInvoice({ tenant, number, date, isVatRegistered });
  const reading = await reader.read(tenant.edb, new TextEncoder().encode(text));
  if (reading.outcome === 'refused') throw new Error(`The document of the probe is refused: ${reading.detail}`);
  const { facts, file, pdf } = reading;
  const document = { facts, partnerEdb: tenant.edb, ubl: file, pdf, software: SOFTWARE, holdMs: 0 };
  const { docUid } = await storage.transaction(async (tx) => {
    await refuseIfChanged(tx, tenant);
    const added = await tx.outbound.add(tenant.edb, document, now);
    const target = `--send ${tenant.edb} ${number}`;
    await record(tx, { command: 'authority probe', target, tenant: tenant.edb, docUid: added.docUid });
    return added;
  });
  return { docUid, number };
}

/** The operator has agreed to a document in that environment; since then every service was asked, one request a second. */
async function refuseIfChanged({ tenants }: Storage, { edb, environment }: Tenant): Promise<void> {
  const present = await tenants.find(edb);
  if (present?.environment === environment && present.outboundEnabled) return;
  throw new OperatorError('refused', `Nothing was sent: ${edb} was changed meanwhile.`);
}

/** The day, and enough chance that no two probes ever share a number; all of it in the 20 characters of a number. */
function probeNumber(date: string, random: Random): string {
  const chance = Buffer.from(random.bytes(4)).toString('hex').toUpperCase();
  return `PROBE-${date.replaceAll('-', '').slice(2)}${chance}`;
}

async function vatRegistered({ probe }: Needs, tenant: Tenant): Promise<boolean> {
  try {
    return await probe.isVatRegistered(tenant);
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    throw new OperatorError('refused', `Nothing was sent: the register could not be asked. ${error.message}`);
  }
}

function sentProbe(document: OutboundDocument, number: string, isFinished: boolean): SentProbe {
  const { docUid, status, failureCode, failureMessage } = document;
  return { docUid, number, status, euid: document.ujp?.euid ?? null, failureCode, failureMessage, isFinished };
}
