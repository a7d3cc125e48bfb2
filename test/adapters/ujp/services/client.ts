import { createSemaphore, type Semaphore } from '../../../../src/adapters/threads/semaphore.ts';
import {
  type AuthorityCaller,
  type CallerNeeds,
  createAuthorityCaller,
} from '../../../../src/adapters/ujp/gateway/authority-caller.ts';
import { exchangeOverHttp } from '../../../../src/adapters/ujp/gateway/authority-http.ts';
import type { AuthorityUrls } from '../../../../src/adapters/ujp/gateway/authority-urls.ts';
import { createPemSigner } from '../../../../src/adapters/ujp/gateway/pem-signer.ts';
import { type AuthorityClient, createAuthorityClient } from '../../../../src/adapters/ujp/services/authority-client.ts';
import { AuthorityCallError, type PreparedDocument } from '../../../../src/application/ports/authority.ts';
import type { Clock } from '../../../../src/application/ports/platform.ts';
import type { Signer, Signers } from '../../../../src/application/ports/signer.ts';
import type { Tenant } from '../../../../src/domain/accounts/tenant.ts';
import { edb } from '../../../engines/samples.ts';
import { type Authority, alfa, beta, startAuthority } from '../../../simulator/authority-client.ts';
import { type Json, type SampleOrder, sampleDocument } from '../../../simulator/sample-document.ts';
import { steadyTimers } from '../../../support/steady-time.ts';

export const PORTAL = 'https://portal.example';

export const ALFA_TENANT: Tenant = {
  edb: edb(alfa.edb),
  name: 'Alfa',
  environment: 'test',
  outboundEnabled: true,
  eujpId: alfa.eujpId,
  reverseChargeRate: 18,
  foreignCurrency: true,
  language: 'en',
  stopped: null,
};
export const BETA_TENANT: Tenant = { ...ALFA_TENANT, edb: edb(beta.edb), name: 'Beta', eujpId: beta.eujpId };

/** Opened once, as by the service: to read a key takes longer than to sign with it. */
const OPENED = new Map<string, Promise<Signer>>(
  [alfa, beta].map(({ edb: owner, certificatePem, privateKeyPem }) => [
    owner,
    createPemSigner(certificatePem, privateKeyPem),
  ]),
);

/** Only Alfa and Beta have certificates. */
export const SIGNERS: Signers = { find: async (tenant) => OPENED.get(tenant) ?? null };

export type ClientOptions = {
  readonly urls: { readonly test: AuthorityUrls | null; readonly production: AuthorityUrls | null };
  readonly signers: Signers;
  readonly signatures: Semaphore;
  readonly clock: Clock;
  readonly timeouts: { readonly queryMs: number; readonly sendMs: number };
  readonly onSignatureFailed: (signer: 'command' | 'key') => void;
};

/** `turns` records the tenants whose pace was used. */
export type TestClient = {
  readonly client: AuthorityClient;
  /** For what the client asks only in rare cases. */
  readonly caller: AuthorityCaller;
  readonly turns: Tenant[];
};

/** The start time of the clock in the simulator's tests. */
const NOW = Date.parse('2026-11-15T09:00:00Z');

export function clientWith(options: Pick<ClientOptions, 'urls'> & Partial<ClientOptions>): TestClient {
  const turns: Tenant[] = [];
  const needs: CallerNeeds = {
    exchange: (request) => exchangeOverHttp(steadyTimers, request),
    signers: SIGNERS,
    signatures: createSemaphore(3),
    clock: { now: () => NOW },
    timeouts: { queryMs: 300_000, sendMs: 300_000 },
    ...options,
    pace: {
      async turn(tenant) {
        turns.push(tenant);
        return () => undefined;
      },
    },
  };
  return { client: createAuthorityClient(needs), caller: createAuthorityCaller(needs), turns };
}

export function clientAt(url: string, options: Partial<ClientOptions> = {}): TestClient {
  return clientWith({ urls: { test: { query: url, receiver: url, portal: PORTAL }, production: null }, ...options });
}

export function clientOf(
  { simulator }: Pick<Authority, 'simulator'>,
  options: Partial<ClientOptions> = {},
): TestClient {
  const { url: query, receiverUrl: receiver, portalUrl: portal } = simulator;
  return clientWith({ urls: { test: { query, receiver, portal }, production: null }, ...options });
}

/** A simulator without pacing that knows Alfa and Beta, and a client of it. */
export async function startWithClient(
  t: Parameters<typeof startAuthority>[0],
  settings: Parameters<typeof startAuthority>[1] = {},
  options: Partial<ClientOptions> = {},
): Promise<TestClient & { readonly authority: Authority }> {
  const authority = await startAuthority(t, settings);
  return { authority, ...clientOf(authority, options) };
}

export function prepared(order: SampleOrder = {}, siblings: Json = {}): PreparedDocument {
  const document = sampleDocument(order);
  const { docType, docNumber, docDate, docId } = document['header'] as Record<string, string>;
  const text = JSON.stringify({ document, ...siblings });
  return { docTypeCode: `${docType}`, docNumber: `${docNumber}`, docDate: `${docDate}`, docId: `${docId}`, text };
}

/** The call error of a call that must fail. */
export async function callErrorOf(call: Promise<unknown>): Promise<AuthorityCallError> {
  const [outcome] = await Promise.allSettled([call]);
  if (outcome.status === 'fulfilled') throw new Error('The call did not fail.');
  if (outcome.reason instanceof AuthorityCallError) return outcome.reason;
  throw outcome.reason;
}

export async function callErrorKindOf(call: Promise<unknown>): Promise<string> {
  const { kind, isUncertain } = await callErrorOf(call);
  return `${kind}, ${isUncertain ? 'uncertain' : 'certain'}`;
}
