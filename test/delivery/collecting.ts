import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { systemHasher } from '../../src/adapters/platform/platform.ts';
import { createPemSigner } from '../../src/adapters/ujp/gateway/pem-signer.ts';
import type { CollectionEvent } from '../../src/application/inbound/arrival-problems.ts';
import { collectInbound } from '../../src/application/inbound/collect-inbound.ts';
import { clientAt } from '../adapters/ujp/services/client.ts';
import { ANY_INBOUND, addWithCertificate, edb, newTenant } from '../engines/samples.ts';
import { beta, startAuthority } from '../simulator/authority-client.ts';
import { BETA, type SampleOrder } from '../simulator/sample-document.ts';
import type { TestDatabase } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { type Passing, type Rewrite, startRewriting } from './rewriting-forwarder.ts';

const NOW = '2026-11-15T09:00:00Z';
/** All buyers sign with one key, which is opened once, as by the service. */
const SIGNER = createPemSigner(beta.certificatePem, beta.privateKeyPem);
const FIRST_PAGE = { page: 1, pageSize: 100 };

export type Json = Readonly<Record<string, unknown>>;

let buyers = 0;

/** A buyer, the simulator with documents for it, something in between that changes answers, and the use case that collects. */
export async function startCollecting(t: TestContext, { storage }: TestDatabase) {
  const authority = await startAuthority(t);
  buyers += 1;
  const number = String(4_080_027_000_000 + buyers);
  const user = { eujpId: `buyer-${buyers}`, edb: number };
  const party = { ...BETA, tin: number, vatNumber: null, name: `КУПУВАЧ ${buyers}` };
  const { name, street, zip, city } = party;
  const address = { street, number: party.number, zip, city };
  await authority.admin('companies', { taxNumber: number, name, address, vatNumber: null, users: [user.eujpId] });
  await authority.admin('certificates', { ...user, certificatePem: beta.certificatePem });
  const clock = clockAt(NOW);
  let rewrite: Rewrite = () => undefined;
  const url = await startRewriting(t, authority.simulator.url, (answer) => rewrite(answer));
  const { client } = clientAt(url, { clock, signers: { find: () => SIGNER } });
  const tenant = await addWithCertificate(storage, newTenant({ edb: edb(number), eujpId: user.eujpId }));
  const events: CollectionEvent[] = [];
  const report = (event: CollectionEvent) => void events.push(event);
  const collect = collectInbound({ storage, authority: client, hasher: systemHasher, clock, report });
  let lastWindow = 0;
  return {
    authority,
    client,
    user,
    tenant,
    storage,
    /** Registers a document for the buyer; returns its EUID. */
    sent: (order: SampleOrder = {}) => authority.registered({ ...order, buyer: party }),
    async collect() {
      ({ lastWindow } = await collect(tenant, lastWindow));
    },
    /** Lets time pass, here and there. */
    pass(ms: number) {
      clock.advance(ms);
      authority.clock.advance(ms);
    },
    rewriting(change: Rewrite) {
      rewrite = change;
    },
    problems: () => storage.arrivalProblems.list(tenant.edb),
    /** What the operator heard of since the last call. */
    news: () => events.splice(0).flatMap(({ isNews, outcome, subject }) => (isNews ? [`${outcome} ${subject}`] : [])),
    async stored() {
      const { items } = await storage.inbound.list(tenant.edb, ANY_INBOUND, FIRST_PAGE);
      return Promise.all(
        items.toReversed().map(async ({ docUid }) => ({
          ...((await storage.inbound.find(tenant.edb, docUid)) ?? assert.fail()),
          original: Buffer.from((await storage.inbound.file(tenant.edb, docUid, 'original'))?.bytes ?? []).toString(),
        })),
      );
    },
  };
}

/** Changes the rows that a service answers, each by itself; a row may become several or none. */
export function rows(service: string, change: (row: Json) => readonly unknown[]): Rewrite {
  return ({ path, body }: Passing) => {
    if (path !== `documents/purchase-invoice/${service}`) return undefined;
    const answer = JSON.parse(body.toString()) as Json;
    const { invoices } = answer;
    if (!Array.isArray(invoices)) return undefined;
    return { body: Buffer.from(JSON.stringify({ ...answer, invoices: invoices.flatMap(change) })) };
  };
}

/** The error of a service instead of its answer, where the request is about one of these documents. */
export function refusing(service: string, euids: readonly string[], errorCode: string): Rewrite {
  return ({ path, request }: Passing) => {
    const [, payload = ''] = /"jws":"[\w-]+\.([\w-]+)/u.exec(request) ?? [];
    const asked = Buffer.from(payload, 'base64url').toString();
    if (path !== `documents/purchase-invoice/${service}` || !euids.some((euid) => asked.includes(euid)))
      return undefined;
    const errorStatus = { errorCode, errorMessage: 'no' };
    return { body: Buffer.from(JSON.stringify({ success: false, errorStatus })) };
  };
}
