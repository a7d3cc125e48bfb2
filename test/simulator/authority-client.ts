import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/simulator.ts';
import { createCertificate, type TestCertificate } from '../support/certificate.ts';
import { ALFA, altered, BETA, type Json, type SampleOrder, sampleDocument } from './sample-document.ts';

export type Signer = TestCertificate & { readonly eujpId: string; readonly edb: string };

export type Answer = { readonly status: number; readonly contentType: string | null; readonly body: Json };

/** What a test changes about a request that is otherwise in order. */
export type Twist = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly without?: string;
  /** Instead of the current time of the simulator's clock. */
  readonly timestamp?: unknown;
  readonly envelope?: Json;
  readonly jwsHeader?: Json;
  readonly jws?: (jws: string) => unknown;
  readonly body?: string;
};

export type MovableClock = { readonly now: () => Date; readonly advance: (ms: number) => void };

type Changes = Readonly<Record<string, unknown>>;

/** Sends a document that is in order but for the changes, and expects it to be refused, or to be taken. */
export function sendAltered(authority: () => Authority) {
  return {
    codeWith: (changes: Changes, order: SampleOrder = {}) =>
      authority().refused(altered(sampleDocument(order), changes)),
    async accepted(changes: Changes, order: SampleOrder = {}): Promise<void> {
      const { status, body } = await authority().send(altered(sampleDocument(order), changes));
      assert.equal(status, 200, JSON.stringify(body));
    },
  };
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;

export const alfa: Signer = { ...createCertificate({ serial: '0a1b2c' }), eujpId: 'demo-alfa', edb: ALFA.tin };
export const beta: Signer = { ...createCertificate({ serial: '0d4e5f' }), eujpId: 'demo-beta', edb: BETA.tin };

/** Stands still until a test moves it. */
export function movableClock(start = '2026-11-15T09:00:00Z'): MovableClock {
  let moment = Date.parse(start);
  return {
    now: () => new Date(moment),
    advance: (ms) => {
      moment += ms;
    },
  };
}

export type Authority = {
  readonly simulator: Simulator;
  readonly clock: MovableClock;
  /** A document on its way to the receiver, by default Alfa's. */
  readonly send: (document: Json, twist?: Twist & SendTwist) => Promise<Answer>;
  /** A signed call of the query API. */
  readonly ask: (service: string, payload: Json, signer?: Signer, twist?: Twist) => Promise<Json>;
  /** The same, whatever comes back. */
  readonly post: (service: string, payload: Json, signer?: Signer, twist?: Twist) => Promise<Response>;
  /** A registered document's EUID. */
  readonly registered: (order?: SampleOrder, twist?: Twist & SendTwist) => Promise<string>;
  /** The code of the refusal that the document must meet, and the only one. */
  readonly refused: (document: Json, twist?: Twist & SendTwist) => Promise<unknown>;
  /** The codes of everything that is found wrong with the document. */
  readonly faultsOf: (document: Json) => Promise<readonly unknown[]>;
  readonly admin: (path: string, order?: unknown) => Promise<Json>;
  readonly listed: (query?: string) => Promise<readonly Json[]>;
};

export type SendTwist = { readonly signer?: Signer; readonly siblings?: Json };

/** A simulator that knows the certificates of Alfa and Beta. */
export async function startAuthority(
  t: Pick<TestContext, 'after'> | null,
  options: Partial<SimulatorOptions> = {},
): Promise<Authority> {
  const clock = movableClock();
  const certificates = [alfa, beta].map(({ eujpId, edb, certificatePem }) => ({ eujpId, edb, certificatePem }));
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0, now: clock.now, certificates, ...options });
  t?.after(simulator.close);
  return connect(simulator, clock);
}

export function connect(simulator: Simulator, clock: MovableClock): Authority {
  const send = async (document: Json, twist: Twist & SendTwist = {}) => {
    const signer = twist.signer ?? alfa;
    const docType = String((document['header'] as Json | undefined)?.['docType']);
    const headers = { 'X-DOC-TYPE-CODE': docType };
    const payload = { requestTimestamp: timestampOf(clock, twist), document, ...twist.siblings };
    const url = `${simulator.receiverUrl}/api/v1/sales-invoices/send`;
    return readAnswer(await fetch(url, signedRequest(payload, signer, clock, twist, headers)));
  };
  const post = (service: string, members: Json, signer = alfa, twist: Twist = {}) => {
    const payload = { requestTimestamp: timestampOf(clock, twist), ...members };
    return fetch(`${simulator.url}/api/v1/documents/${service}`, signedRequest(payload, signer, clock, twist, {}));
  };
  const admin = async (path: string, order?: unknown): Promise<Json> => {
    const init =
      order === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) };
    const response = await fetch(`${simulator.adminUrl}/${path}`, init);
    return { ...((await response.json()) as Json), httpStatus: response.status };
  };
  return {
    simulator,
    clock,
    send,
    post,
    ask: async (...call) => (await post(...call)).json() as Promise<Json>,
    registered: async (order = {}, twist = {}) => {
      const { status, body } = await send(sampleDocument(order), twist);
      assert.equal(status, 200, JSON.stringify(body));
      return String(body['euid']);
    },
    refused: async (document, twist) => {
      const { body } = await send(document, twist);
      assert.equal(body['euid'], undefined, 'registered instead of refused');
      assert.equal(body['errors'], undefined, JSON.stringify(body));
      return body['code'];
    },
    faultsOf: async (document) => {
      const { body } = await send(document);
      const errors = (body['errors'] ?? [body]) as readonly Json[];
      assert.equal(errors[0]?.['code'], body['code']);
      return errors.map(({ code }) => code);
    },
    admin,
    listed: async (query = '') => (await admin(`documents${query}`))['documents'] as readonly Json[],
  };
}

/** The clock of Skopje in winter. */
export function skopje(moment: Date): string {
  return new Date(moment.getTime() + 60 * MINUTE).toISOString().slice(0, 19);
}

export function compactJws(payload: unknown, signer: Signer, header: Json = { alg: 'RS256' }): string {
  const signed = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), signer.privateKey).toString('base64url')}`;
}

/** The errorStatus of a refusal by the query API. */
export function errorOf(answer: Json): unknown {
  assert.equal(answer['success'], false, JSON.stringify(answer));
  return (answer['errorStatus'] as Json)['errorCode'];
}

function timestampOf(clock: MovableClock, twist: Twist): unknown {
  return 'timestamp' in twist ? twist.timestamp : skopje(clock.now());
}

function signedRequest(
  payload: Json,
  signer: Signer,
  clock: MovableClock,
  twist: Twist,
  more: Readonly<Record<string, string>>,
): RequestInit {
  const jws = compactJws(payload, signer, twist.jwsHeader);
  const envelope = { requestTimestamp: skopje(clock.now()), jws: twist.jws?.(jws) ?? jws, ...twist.envelope };
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'X-EUJP-ID': signer.eujpId,
    'X-EDB': signer.edb,
    'X-SERIAL-NUMBER': signer.serial,
    ...more,
    ...twist.headers,
  };
  if (twist.without !== undefined) delete headers[twist.without];
  return { method: 'POST', headers, body: twist.body ?? JSON.stringify(envelope) };
}

async function readAnswer(response: Response): Promise<Answer> {
  const contentType = response.headers.get('content-type');
  const text = await response.text();
  const isJson = contentType === 'application/json';
  return { status: response.status, contentType, body: isJson ? (JSON.parse(text) as Json) : { text } };
}
