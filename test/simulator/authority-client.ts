import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/simulator.ts';
import { createCertificate, type TestCertificate } from '../support/certificate.ts';
import { ALFA, altered, BETA, type Json, type SampleOrder, sampleDocument } from './sample-document.ts';

export type Signer = TestCertificate & { readonly eujpId: string; readonly edb: string };

export type Answer = { readonly status: number; readonly contentType: string | null; readonly body: Json };

/** What a test changes in a request that is otherwise correct. */
export type RequestChanges = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly without?: string;
  /** Instead of the current time of the simulator's clock. */
  readonly timestamp?: unknown;
  readonly envelope?: Json;
  readonly jwsHeader?: Json;
  readonly jws?: (jws: string) => unknown;
  readonly body?: string;
};

export type TestClock = { readonly now: () => Date; readonly advance: (ms: number) => void };

type Changes = Readonly<Record<string, unknown>>;

/** Sends a document that is correct but for the changes: `codeWith` expects a refusal, `accepted` a registration. */
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

/** Does not advance by itself. */
export function testClock(start = '2026-11-15T09:00:00Z'): TestClock {
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
  readonly clock: TestClock;
  /** Sends a document to the receiver, by default as Alfa. */
  readonly send: (document: Json, changes?: RequestChanges & SendChanges) => Promise<Answer>;
  /** A signed call of the query API; returns the JSON of the answer. */
  readonly ask: (service: string, payload: Json, signer?: Signer, changes?: RequestChanges) => Promise<Json>;
  /** The same call; returns the whole response. */
  readonly post: (service: string, payload: Json, signer?: Signer, changes?: RequestChanges) => Promise<Response>;
  /** Registers a sample document; returns its EUID. */
  readonly registered: (order?: SampleOrder, changes?: RequestChanges & SendChanges) => Promise<string>;
  /** Sends a document that must be refused with exactly one error; returns its code. */
  readonly refused: (document: Json, changes?: RequestChanges & SendChanges) => Promise<unknown>;
  /** Sends a document that must be refused; returns the codes of all errors. */
  readonly errorCodesOf: (document: Json) => Promise<readonly unknown[]>;
  readonly admin: (path: string, input?: unknown) => Promise<Json>;
  readonly listed: (query?: string) => Promise<readonly Json[]>;
};

export type SendChanges = { readonly signer?: Signer; readonly siblings?: Json };

/** Starts a simulator with certificates for Alfa and Beta. */
export async function startAuthority(
  t: Pick<TestContext, 'after'> | null,
  options: Partial<SimulatorOptions> = {},
): Promise<Authority> {
  const clock = testClock();
  const certificates = [alfa, beta].map(({ eujpId, edb, certificatePem }) => ({ eujpId, edb, certificatePem }));
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0, now: clock.now, certificates, ...options });
  t?.after(simulator.close);
  return connect(simulator, clock);
}

export function connect(simulator: Simulator, clock: TestClock): Authority {
  const send = async (document: Json, changes: RequestChanges & SendChanges = {}) => {
    const signer = changes.signer ?? alfa;
    const docType = String((document['header'] as Json | undefined)?.['docType']);
    const headers = { 'X-DOC-TYPE-CODE': docType };
    const payload = { requestTimestamp: timestampOf(clock, changes), document, ...changes.siblings };
    const url = `${simulator.receiverUrl}/api/v1/sales-invoices/send`;
    return readAnswer(await fetch(url, signedRequest(payload, signer, clock, changes, headers)));
  };
  const post = (service: string, members: Json, signer = alfa, changes: RequestChanges = {}) => {
    const payload = { requestTimestamp: timestampOf(clock, changes), ...members };
    return fetch(`${simulator.url}/api/v1/documents/${service}`, signedRequest(payload, signer, clock, changes, {}));
  };
  const admin = async (path: string, input?: unknown): Promise<Json> => {
    const init =
      input === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) };
    const response = await fetch(`${simulator.adminUrl}/${path}`, init);
    return { ...((await response.json()) as Json), httpStatus: response.status };
  };
  return {
    simulator,
    clock,
    send,
    post,
    ask: async (...call) => (await post(...call)).json() as Promise<Json>,
    registered: async (order = {}, changes = {}) => {
      const { status, body } = await send(sampleDocument(order), changes);
      assert.equal(status, 200, JSON.stringify(body));
      return String(body['euid']);
    },
    refused: async (document, changes) => {
      const { body } = await send(document, changes);
      assert.equal(body['euid'], undefined, 'registered instead of refused');
      assert.equal(body['errors'], undefined, JSON.stringify(body));
      return body['code'];
    },
    errorCodesOf: async (document) => {
      const { body } = await send(document);
      const errors = (body['errors'] ?? [body]) as readonly Json[];
      assert.equal(errors[0]?.['code'], body['code']);
      return errors.map(({ code }) => code);
    },
    admin,
    listed: async (query = '') => (await admin(`documents${query}`))['documents'] as readonly Json[],
  };
}

/** Local time of Skopje in winter. */
export function skopje(moment: Date): string {
  return new Date(moment.getTime() + 60 * MINUTE).toISOString().slice(0, 19);
}

export function compactJws(payload: unknown, signer: Signer, header: Json = { alg: 'RS256' }): string {
  return compactJwsOf(JSON.stringify(payload), signer, header);
}

/** Of a payload that is a text or bytes already. */
export function compactJwsOf(payload: string | Uint8Array, signer: Signer, header: Json = { alg: 'RS256' }): string {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : Buffer.from(payload);
  const parts = [Buffer.from(JSON.stringify(header)), bytes];
  const signed = parts.map((part) => part.toString('base64url')).join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), signer.privateKey).toString('base64url')}`;
}

/** The error code in an answer of the query API. */
export function errorOf(answer: Json): unknown {
  assert.equal(answer['success'], false, JSON.stringify(answer));
  return (answer['errorStatus'] as Json)['errorCode'];
}

function timestampOf(clock: TestClock, changes: RequestChanges): unknown {
  return 'timestamp' in changes ? changes.timestamp : skopje(clock.now());
}

function signedRequest(
  payload: Json,
  signer: Signer,
  clock: TestClock,
  changes: RequestChanges,
  more: Readonly<Record<string, string>>,
): RequestInit {
  const jws = compactJws(payload, signer, changes.jwsHeader);
  const envelope = { requestTimestamp: skopje(clock.now()), jws: changes.jws?.(jws) ?? jws, ...changes.envelope };
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'X-EUJP-ID': signer.eujpId,
    'X-EDB': signer.edb,
    'X-SERIAL-NUMBER': signer.serial,
    ...more,
    ...changes.headers,
  };
  if (changes.without !== undefined) delete headers[changes.without];
  return { method: 'POST', headers, body: changes.body ?? JSON.stringify(envelope) };
}

async function readAnswer(response: Response): Promise<Answer> {
  const contentType = response.headers.get('content-type');
  const text = await response.text();
  const isJson = contentType === 'application/json';
  return { status: response.status, contentType, body: isJson ? (JSON.parse(text) as Json) : { text } };
}
