import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createCodeListSource } from '../../../../src/adapters/ujp/code-lists/code-list-source.ts';
import type { AuthorityCaller } from '../../../../src/adapters/ujp/gateway/authority-caller.ts';
import type { AuthorityClient } from '../../../../src/adapters/ujp/services/authority-client.ts';
import { registeredOn } from '../../../../src/adapters/ujp/services/registered-documents.ts';
import { findByDocId } from '../../../../src/adapters/ujp/services/registered-payloads.ts';
import {
  SERVICE_SHAPES,
  type ServiceName,
  serviceNameOf,
  shapeOf,
} from '../../../../src/adapters/ujp/shapes/service-shapes.ts';
import type { Shape } from '../../../../src/adapters/ujp/shapes/shape.ts';
import { CODE_LIST_TYPES } from '../../../../src/domain/values/code-list.ts';
import { type Authority, beta, startAuthority } from '../../../simulator/authority-client.ts';
import { type Change, type ChangingForwarder, startChangingForwarder } from '../../../support/changing-forwarder.ts';
import { ALFA_TENANT, BETA_TENANT, clientWith, PORTAL, prepared } from '../services/client.ts';

const TODAY = '2026-11-15';
const NUMBER = 'SHAPE-1';
const ORDER = { docNumber: NUMBER, docId: 'shape-1' };

let authority: Authority;
let forwarder: ChangingForwarder;
let client: AuthorityClient;
let caller: AuthorityCaller;
let euid: string;
const asked = new Set<ServiceName>();

before(async () => {
  authority = await startAuthority(null);
  forwarder = await startChangingForwarder(Number(new URL(authority.simulator.url).port));
  const root = (url: string) => url.replace(/:\d+/u, `:${forwarder.port}`);
  const { url, receiverUrl } = authority.simulator;
  const urls = { query: root(url), receiver: root(receiverUrl), portal: PORTAL };
  ({ client, caller } = clientWith({ urls: { test: urls, production: null } }));
  euid = await authority.registered(ORDER);
  const decision = { euid, isAccepted: false, rejectReasonCode: 'O-2', comment: 'Погрешна количина' };
  assert.equal((await authority.ask('purchase-invoice/accept-reject', decision, beta))['success'], true);
});
after(async () => {
  forwarder.close();
  await authority.simulator.close();
});

/** Every reader of answers, on what the simulator has. */
async function readAll(): Promise<Readonly<Record<string, unknown>>> {
  const source = createCodeListSource(client);
  const lists = Object.fromEntries(
    await Promise.all(CODE_LIST_TYPES.map(async (type) => [type, await source.read(ALFA_TENANT, type)] as const)),
  );
  const sent = prepared(ORDER);
  return {
    ...lists,
    serverTime: await client.serverTime('test'),
    company: await client.company(ALFA_TENANT, ALFA_TENANT.edb),
    rate: await client.exchangeRate(ALFA_TENANT, 'EUR', TODAY),
    indicators: await client.allowedIndicators(ALFA_TENANT, '100'),
    byNumber: await client.findByNumber(ALFA_TENANT, NUMBER, sent.docDate),
    registered: { ...(await client.findRegistered(ALFA_TENANT, sent)), answer: null },
    // Asked for only on a day with more documents than fit into an answer.
    registeredOn: await registeredOn(caller, ALFA_TENANT, sent.docDate),
    byDocId: await findByDocId(caller, ALFA_TENANT, [{ euid, docNumber: null, docDate: null }], sent),
    changes: await client.statusChanges(ALFA_TENANT, TODAY),
    arrivals: await client.arrivals(BETA_TENANT, '2026-11-01', TODAY),
    arrived: await client.arrived(BETA_TENANT, [euid]),
    pdf: await client.arrivedPdf(BETA_TENANT, euid),
    // The simulator makes it anew each time.
    container: (await client.container(ALFA_TENANT, euid)).subarray(0, 2),
  };
}

/** The value with the members of its shape alone. */
function knownPart(shape: Shape, value: unknown): unknown {
  if (shape.kind === 'list' && Array.isArray(value)) return value.map((item) => knownPart(shape.of, item));
  if (shape.kind !== 'object' || typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const known = Object.entries(shape.members).filter(([name]) => Object.hasOwn(members, name));
  return Object.fromEntries(known.map(([name, member]) => [name, knownPart(member.shape, members[name])]));
}

const onlyKnownMembers: Change = (path, answer) => {
  const name = serviceNameOf(path);
  if (name === null) return answer;
  asked.add(name);
  const shape: Shape | 'zip' = shapeOf(name);
  if (shape === 'zip') return answer;
  const value: unknown = JSON.parse(Buffer.from(answer.body as Uint8Array).toString('utf8'));
  return { ...answer, body: JSON.stringify(knownPart(shape, value)) };
};

describe('the shapes of answers', () => {
  test('hold everything that is read of an answer: readers find the same when all else is left out', async () => {
    const asItComes = await readAll();
    assert.equal((asItComes['registered'] as { readonly euid: unknown }).euid, euid);
    forwarder.change = onlyKnownMembers;
    const known = await readAll();
    for (const [name, found] of Object.entries(asItComes)) {
      assert.ok(found !== null && JSON.stringify(found) !== '[]', `${name} is empty`);
      assert.deepEqual(known[name], found, name);
    }
  });

  test('hold everything that is read of the answer to a document', async () => {
    forwarder.change = onlyKnownMembers;
    const document = prepared({ docNumber: 'SHAPE-2' });
    const requestTimestamp = await client.requestTimestamp(ALFA_TENANT);
    const registration = await client.send(ALFA_TENANT, document, requestTimestamp);
    assert.ok(registration.registeredAt !== null && registration.message !== null);
    assert.match(registration.qrLink ?? '', /\/euid\//u);
  });

  test('are those of the services that are called, and of no other', () => {
    assert.deepEqual([...asked].toSorted(), Object.keys(SERVICE_SHAPES).toSorted());
  });
});
