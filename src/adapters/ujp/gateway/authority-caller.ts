import { ServiceStopping } from '../../../application/errors/service-unavailable.ts';
import { AuthorityCallError } from '../../../application/ports/authority.ts';
import type { Pace } from '../../../application/ports/pace.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import type { Signer, Signers } from '../../../application/ports/signer.ts';
import type { AuthorityEnvironment, Tenant } from '../../../domain/accounts/tenant.ts';
import { signedText } from '../../../domain/documents/signed-text.ts';
import type { Semaphore } from '../../threads/semaphore.ts';
import { reportsWrongTime } from '../answers/classify-errors.ts';
import type { JsonObject } from '../answers/json-object.ts';
import type { WatchAnswer } from '../shapes/watch-answers.ts';
import { type AuthorityClock, createAuthorityClock } from './authority-clock.ts';
import { type Exchange, type HttpRequest, hostAndPath } from './authority-http.ts';
import { type AuthorityService, catalogueService } from './authority-service.ts';
import { type InstallationUrls, joinUrl, urlsOf } from './authority-urls.ts';
import { callerHeaders, signerOf, signWith } from './caller-identity.ts';

const MAX_RATE_LIMIT_RETRIES = 3;

const SERIAL_HEADER = 'X-SERIAL-NUMBER';

const SERVER_TIME = catalogueService('server-time');

export type CallerNeeds = {
  readonly urls: InstallationUrls;
  readonly signers: Signers;
  /** Limits the signatures that are computed at the same time, of all callers of the process together. */
  readonly signatures: Semaphore;
  readonly pace: Pace;
  readonly clock: Clock;
  readonly exchange: Exchange;
  /** For one whole call each, from connecting to the last byte. */
  readonly timeouts: { readonly queryMs: number; readonly sendMs: number };
  /** Sees every answer before it is read. */
  readonly watch?: WatchAnswer;
  /** Hears of every request when it begins; what it returns hears how it ended. */
  readonly observe?: ObserveCall;
  /** Hears of every request that could not be signed, by a command or by a key of our own. */
  readonly onSignatureFailed?: (signer: 'command' | 'key') => void;
};

/** Null for an answer that could be used. */
export type ObserveCall = (
  environment: AuthorityEnvironment,
  service: { readonly path: string },
) => (failure: unknown) => void;

/** A text to be signed and sent once, with the headers that only its service needs. */
export type SignedMessage = {
  readonly text: string;
  readonly requestTimestamp: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Calls the authority for one tenant. Queries change nothing there and are repeated when they were rate-limited. */
export type AuthorityCaller = AuthorityClock & {
  readonly get: <Result>(tenant: Tenant, service: AuthorityService<Result>) => Promise<Result>;
  readonly post: <Result>(tenant: Tenant, service: AuthorityService<Result>, members: JsonObject) => Promise<Result>;
  /** Without a signature, but with the certificate's serial number. */
  readonly postWithSerial: <Result>(
    tenant: Tenant,
    service: AuthorityService<Result>,
    members: JsonObject,
  ) => Promise<Result>;
  readonly postSigned: <Result>(
    tenant: Tenant,
    service: AuthorityService<Result>,
    members: JsonObject,
  ) => Promise<Result>;
  /** Never repeated, whatever the outcome: the authority may have registered the document. Not sent where `lastCheck` throws. */
  readonly sendOnce: <Result>(
    tenant: Tenant,
    service: AuthorityService<Result>,
    message: SignedMessage,
    lastCheck?: () => Promise<void>,
  ) => Promise<Result>;
};

type RequestParts = Pick<HttpRequest, 'method' | 'headers' | 'body'>;

/** Paces, timestamps, signs and sends requests to the authority. */
export function createAuthorityCaller(needs: CallerNeeds): AuthorityCaller {
  const { urls, signers, pace, clock, exchange, timeouts, watch = ignore, observe = () => ignore } = needs;
  const authorityClock = createAuthorityClock({
    clock,
    // Without caller headers and without pacing: the authority answers this service to anyone.
    fetchServerTime: (environment) => call(environment, SERVER_TIME, { method: 'GET', headers: {}, body: null }),
  });

  async function call<Result>(
    environment: AuthorityEnvironment,
    service: AuthorityService<Result>,
    request: RequestParts,
  ): Promise<Result> {
    const url = new URL(joinUrl(urlsOf(urls, environment)[service.api], `api/v1/${service.path}`));
    const timeoutMs = service.api === 'receiver' ? timeouts.sendMs : timeouts.queryMs;
    const ended = observe(environment, service);
    try {
      const answer = await exchange({ ...request, url, timeoutMs, maxAnswerBytes: service.maxAnswerBytes });
      watch(service, answer);
      const result = service.read({ ...answer, service, place: hostAndPath(url) });
      ended(null);
      return result;
    } catch (error) {
      ended(error);
      if (error instanceof AuthorityCallError && reportsWrongTime(error.errors)) authorityClock.forget(environment);
      throw error;
    }
  }

  /** The request is built anew for every try: a signed request holds its timestamp and is valid once. */
  async function query<Result>(
    tenant: Tenant,
    service: AuthorityService<Result>,
    buildRequest: () => Promise<RequestParts>,
  ): Promise<Result> {
    for (let retries = 0; ; retries += 1) {
      const leave = await pace.turn(tenant);
      try {
        return await call(tenant.environment, service, await buildRequest().finally(leave));
      } catch (error) {
        if (retries === MAX_RATE_LIMIT_RETRIES || !isRateLimited(error)) throw error;
      }
    }
  }

  async function unsignedRequest(tenant: Tenant, headers: RequestParts['headers'], members: JsonObject) {
    const requestTimestamp = await authorityClock.requestTimestamp(tenant.environment);
    return postRequest(headers, { requestTimestamp, ...members });
  }

  return {
    ...authorityClock,
    async get(tenant, service) {
      const headers = requireCallerHeaders(urls, tenant);
      return query(tenant, service, async () => ({ method: 'GET', headers, body: null }));
    },
    async post(tenant, service, members) {
      const headers = requireCallerHeaders(urls, tenant);
      return query(tenant, service, () => unsignedRequest(tenant, headers, members));
    },
    async postWithSerial(tenant, service, members) {
      const signer = await signerOf(signers, tenant);
      const headers = { ...requireCallerHeaders(urls, tenant), [SERIAL_HEADER]: signer.serialNumber };
      return query(tenant, service, () => unsignedRequest(tenant, headers, members));
    },
    async postSigned(tenant, service, members) {
      const headers = requireCallerHeaders(urls, tenant);
      const signer = await signerOf(signers, tenant);
      return query(tenant, service, async () => {
        const requestTimestamp = await authorityClock.requestTimestamp(tenant.environment);
        const message = { text: JSON.stringify(members), requestTimestamp, headers: {} };
        return sign(needs, tenant, signer, { headers, message });
      });
    },
    async sendOnce(tenant, service, message, lastCheck = async () => undefined) {
      const headers = requireCallerHeaders(urls, tenant);
      const signer = await signerOf(signers, tenant);
      const request = await sign(needs, tenant, signer, { headers, message });
      const leave = await pace.turn(tenant, { mustComplete: true });
      await lastCheck().finally(leave);
      return call(tenant.environment, service, request);
    },
  };
}

function ignore(): void {
  // Nobody watches.
}

/** Checks URLs and identity first, so that a tenant that cannot call at all uses nothing of its pace. */
function requireCallerHeaders(urls: CallerNeeds['urls'], tenant: Tenant): RequestParts['headers'] {
  urlsOf(urls, tenant.environment);
  return callerHeaders(tenant);
}

/** A token that hangs must not keep others from signing with the threads of this process. */
async function sign(
  { signatures, onSignatureFailed }: CallerNeeds,
  tenant: Tenant,
  signer: Signer,
  { headers, message }: { readonly headers: RequestParts['headers']; readonly message: SignedMessage },
): Promise<RequestParts> {
  const work = () => signedRequest(tenant, signer, headers, message);
  const isExternal = signer.isExternal === true;
  try {
    return await (isExternal ? work() : signatures.run(tenant.edb, work));
  } catch (error) {
    if (!(error instanceof ServiceStopping)) onSignatureFailed?.(isExternal ? 'command' : 'key');
    throw error;
  }
}

async function signedRequest(
  tenant: Tenant,
  signer: Signer,
  headers: RequestParts['headers'],
  { text, requestTimestamp, headers: serviceHeaders }: SignedMessage,
): Promise<RequestParts> {
  const jws = await signWith(signer, tenant, signedText(text, requestTimestamp));
  return postRequest(
    { ...headers, [SERIAL_HEADER]: signer.serialNumber, ...serviceHeaders },
    { requestTimestamp, jws },
  );
}

function postRequest(headers: RequestParts['headers'], body: JsonObject): RequestParts {
  return { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** The authority certainly did not process the request (E4007, HTTP 429), so it can be repeated. */
function isRateLimited(error: unknown): boolean {
  return error instanceof AuthorityCallError && error.kind === 'busy' && !error.isUncertain;
}
