import assert from 'node:assert/strict';
import type { OutboundDetails } from '../../src/application/outbound/inspect-outbound.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { TenantSettings } from '../../src/domain/accounts/tenant.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { type Client, clientFor, json } from '../contract/support/client.ts';
import { AUTHORITY_ANSWER, HISTORY, OUTBOUND_DOCUMENT, readFields, TRANSITION } from '../contract/support/fields.ts';
import { edb } from '../engines/samples.ts';
import { createCertificate } from '../support/certificate.ts';
import { until } from '../support/process.ts';
import { startTestService, type TestService, WITH_BACKGROUND } from '../support/service.ts';
import { runningClock, type TestClock } from '../support/test-clock.ts';
import { ALFA, BETA, type SampleOptions, sampleInvoice } from '../support/ubl-samples.ts';
import { assertGapFree } from './gap-free.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const PLENTY = 1_000_000;
export const NEWS_MS = 3 * SECOND;

/** As much of a history as a test looks at: `10 20 30 20:AUTHORITY-BUSY 30 40`. */
export type Steps = string;

export type Document = ReturnType<typeof readDocument>;

/** A tenant with a client that is never turned away. */
export type Taxpayer = Client & {
  readonly edb: Edb;
  /** Submits an invoice of its own to Beta. */
  readonly send: (number: string, options?: SampleOptions) => Promise<DocUid>;
  readonly document: (docUid: string) => Promise<Document>;
  readonly steps: (docUid: string) => Promise<Steps>;
  readonly story: (docUid: DocUid) => Promise<OutboundDetails>;
};

export type RegisteredDocument = {
  readonly euid: string;
  readonly seller: string;
  readonly buyer: string | null;
  readonly docType: string;
  readonly docNumber: string;
  readonly docDate: string;
  readonly status: string;
};

/** The running service, the authority's simulatorAdmin, and a clock that leaps over pauses. */
export type Delivering = {
  readonly service: TestService;
  readonly clock: TestClock;
  readonly alfa: Taxpayer;
  readonly beta: Taxpayer;
  /** A taxpayer that the authority knows, with an account of its own. */
  readonly join: (name: string, settings?: Partial<TenantSettings>) => Promise<Taxpayer>;
  /** A certificate that the authority takes from the taxpayer's user. */
  readonly issue: (taxpayer: Edb, eujpId: string) => Promise<IssuedCertificate>;
  readonly pull: (lever: string, order: unknown) => Promise<unknown>;
  /** What the authority has, in the order in which it was registered; the query picks, for example `docNumber=1`. */
  readonly registered: (query?: Readonly<Record<string, string>>) => Promise<readonly RegisteredDocument[]>;
  /** Waits without moving the clock. */
  readonly reach: (taxpayer: Taxpayer, docUid: DocUid, ...statuses: readonly number[]) => Promise<Document>;
  /** Whether every document has come to an end. */
  readonly isNothingUnderWay: () => Promise<boolean>;
  /** Whatever has failed at all counts as having failed so often, without the hours that it takes. */
  readonly age: (taxpayer: Taxpayer, failures: number) => Promise<void>;
  /** Lets pauses pass, from one thing to do to the next, until it is so. */
  readonly passUntil: (what: string, look: () => Promise<boolean>, deadlineMs?: number) => Promise<void>;
};

export type IssuedCertificate = { readonly certificatePem: string; readonly privateKeyPem: string };

let taxpayers = 0;

export async function startDelivering(variables: Readonly<Record<string, string>> = {}): Promise<Delivering> {
  const clock = runningClock();
  const standard = {
    ...WITH_BACKGROUND,
    DELIVERY_HOLD_SECONDS: '0',
    COLLECT_SECONDS: '86400',
    FOLLOW_SECONDS: '86400',
  };
  const service = await startTestService({ clock, variables: { ...standard, ...variables } });
  const { operator } = service;
  const admin = `${service.foundation.config.authorityUrls.test?.portal}/admin`;
  const pull = (lever: string, order: unknown) => callSimulatorAdmin(`${admin}/${lever}`, order);
  const issue = (taxpayer: Edb, eujpId: string) =>
    pull('certificates/issue', { eujpId, edb: taxpayer }) as Promise<IssuedCertificate>;

  // Making keys is slow: all of them sign with one certificate, as an accountant's clients do.
  const { certificatePem, privateKeyPem } = createCertificate();
  async function join(name: string, settings: Partial<TenantSettings> = {}): Promise<Taxpayer> {
    taxpayers += 1;
    const number = edb(String(4_070_000_000_000 + taxpayers));
    const eujpId = `user-${taxpayers}`;
    await pull('companies', { taxNumber: number, name, users: [eujpId] });
    const tenant = { edb: number, name, environment: 'test', outboundEnabled: true, eujpId, ...settings } as const;
    await operator.tenants.add(tenant);
    await pull('certificates', { eujpId, edb: number, certificatePem });
    await operator.credentials.set(number, certificatePem, privateKeyPem);
    // What is refused right after a change may still have been signed with the certificate from before.
    clock.advance(NEWS_MS);
    return taxpayerOf(service, number);
  }

  return {
    service,
    clock,
    alfa: await taxpayerOf(service, edb(ALFA.taxNumber ?? '')),
    beta: await taxpayerOf(service, edb(BETA.taxNumber ?? '')),
    join,
    issue,
    pull,
    async registered(query = {}) {
      const answer = await fetch(`${admin}/documents?${new URLSearchParams(query)}`);
      return ((await answer.json()) as { readonly documents: readonly RegisteredDocument[] }).documents;
    },
    async reach(taxpayer, docUid, ...statuses) {
      const { storage } = service.foundation;
      await until(`${docUid} in status ${statuses.join(' or ')}`, async () => {
        const found = await storage.outbound.find(taxpayer.edb, docUid);
        return found !== null && statuses.includes(found.status);
      });
      return taxpayer.document(docUid);
    },
    async isNothingUnderWay() {
      const underWay = 'select 1 from outbound where status in (10, 20, 30) and doc_uid is not null limit 1';
      return (await service.foundation.engine.get(underWay, [])) === null;
    },
    age: ({ edb: tenant }, failures) =>
      service.foundation.engine.transaction(async (sql) => {
        await sql.run('update outbound set failures = $2 where tenant = $1 and failures between 1 and $2', [
          tenant,
          failures,
        ]);
      }),
    passUntil: (what, look, deadlineMs) =>
      until(
        what,
        async () => {
          if (await look()) return true;
          await leap(service, clock);
          return false;
        },
        deadlineMs,
      ).then(() => undefined),
  };
}

/** A tenant of the service, however it came there. */
export async function taxpayerOf(service: TestService, number: Edb): Promise<Taxpayer> {
  const { secret } = await service.operator.keys.issue({ tenant: number, software: 'test', callsPerMinute: PLENTY });
  const client = clientFor(service, secret);
  return {
    ...client,
    edb: number,
    send: (docNumber, options = {}) =>
      client.submitted(sampleInvoice({ number: docNumber, supplier: { taxNumber: number }, ...options })),
    document: async (docUid) => readDocument(json(await client.get(`/outbound/${docUid}`))),
    async steps(docUid) {
      const { transitions } = readFields(HISTORY, json(await client.get(`/outbound/${docUid}/history`)));
      const rows = transitions.map((row) => readFields(TRANSITION, row));
      assertGapFree(rows);
      return rows.map(({ status, failureCode }) => [status, failureCode ?? []].flat().join(':')).join(' ');
    },
    story: (docUid) => service.operator.inspectOutbound(number, docUid),
  };
}

export function readDocument(value: unknown) {
  const document = readFields(OUTBOUND_DOCUMENT, value);
  return { ...document, ujp: document.ujp === null ? null : readFields(AUTHORITY_ANSWER, document.ujp) };
}

async function callSimulatorAdmin(url: string, order: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(order) });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text);
}

type Waiting = { readonly first: number | null; readonly last: number | null; readonly held: number };

/** One row however many wait: it is asked for again and again. Whoever is at a void would be too late as well. */
const WAITING = `
  select min(ready_at) as first, max(ready_at) as last,
    count(lease) + (select count(lease) from outbound_void) as held from (
    select lease, case when stopped_until > due_at then stopped_until else due_at end as ready_at
    from outbound join tenant on tenant.edb = outbound.tenant where doc_uid is not null and due_at is not null
  ) as waiting`;

/** To when the last of those that wait is due, unless a worker is at something or about to be. */
async function leap({ foundation }: TestService, clock: TestClock): Promise<void> {
  const { first = null, last = null, held = 0 } = (await foundation.engine.get<Waiting>(WAITING, [])) ?? {};
  const now = clock.now();
  if (first === null || last === null || held > 0 || first <= now) return;
  clock.advance(last - now);
}
