import { AuthorityCallError, type Pace, type Signer, type Signers } from '../../../application/ports/authority.ts';
import type { Clock } from '../../../application/ports/platform.ts';
import type { AuthorityEnvironment, Tenant } from '../../../domain/accounts/tenant.ts';
import { signedText } from '../../../domain/documents/signed-text.ts';
import { reportsWrongTime } from '../answers/classify-errors.ts';
import type { JsonObject } from '../answers/json-object.ts';
import { type AuthorityClock, createAuthorityClock } from './authority-clock.ts';
import { exchangeOverHttp, type HttpOrder, placeOf } from './authority-http.ts';
import { type AuthorityService, catalogueService } from './authority-service.ts';
import { below, type InstallationUrls, urlsOf } from './authority-urls.ts';
import { callerHeaders, signedWith, signerOf } from './caller-identity.ts';

/** How often a question that was turned away is asked again, each time in its turn. */
const MAX_REPETITIONS = 3;

const SERVER_TIME = catalogueService('server-time');

export type CallerNeeds = {
  readonly urls: InstallationUrls;
  readonly signers: Signers;
  readonly pace: Pace;
  readonly clock: Clock;
  /** For one whole call each, from connecting to the last byte. */
  readonly timeouts: { readonly queryMs: number; readonly sendMs: number };
};

/** Something to sign and submit, once. */
export type SignedCall = {
  readonly text: string;
  readonly requestTimestamp: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type AuthorityCaller = AuthorityClock & {
  /** A question without a body. */
  readonly get: <Result>(tenant: Tenant, service: AuthorityService<Result>) => Promise<Result>;
  /** A question that is not signed. */
  readonly post: <Result>(tenant: Tenant, service: AuthorityService<Result>, members: JsonObject) => Promise<Result>;
  /** A question that is signed. */
  readonly ask: <Result>(tenant: Tenant, service: AuthorityService<Result>, members: JsonObject) => Promise<Result>;
  /** Whatever comes of it, it is not repeated: the authority may have carried it out. */
  readonly submit: <Result>(
    tenant: Tenant,
    service: AuthorityService<Result>,
    submission: SignedCall,
  ) => Promise<Result>;
};

type Request = Pick<HttpOrder, 'method' | 'headers' | 'body'>;

/** Calls the authority in a tenant's name: in its turn, by the authority's clock, signed where it must be. */
export function createAuthorityCaller({ urls, signers, pace, clock, timeouts }: CallerNeeds): AuthorityCaller {
  const times = createAuthorityClock({
    clock,
    ask: (environment) => call(environment, SERVER_TIME, { method: 'GET', headers: {}, body: null }),
  });

  async function call<Result>(
    environment: AuthorityEnvironment,
    service: AuthorityService<Result>,
    request: Request,
  ): Promise<Result> {
    const url = new URL(below(urlsOf(urls, environment)[service.api], `api/v1/${service.path}`));
    const timeoutMs = service.api === 'receiver' ? timeouts.sendMs : timeouts.queryMs;
    const { maxAnswerBytes } = service;
    try {
      const answer = await exchangeOverHttp({ ...request, url, timeoutMs, maxAnswerBytes });
      return service.read({ ...answer, service, place: placeOf(url) });
    } catch (error) {
      if (error instanceof AuthorityCallError && reportsWrongTime(error.errors)) times.forget(environment);
      throw error;
    }
  }

  async function question<Result>(
    tenant: Tenant,
    service: AuthorityService<Result>,
    compose: () => Promise<Request>,
  ): Promise<Result> {
    for (let repetitions = 0; ; repetitions += 1) {
      await pace.turn(tenant);
      try {
        return await call(tenant.environment, service, await compose());
      } catch (error) {
        if (repetitions === MAX_REPETITIONS || !isTurnedAway(error)) throw error;
      }
    }
  }

  /** All that is needed to ask at all is looked at before a turn is taken. */
  function identify(tenant: Tenant): Request['headers'] {
    urlsOf(urls, tenant.environment);
    return callerHeaders(tenant);
  }

  return {
    ...times,
    async get(tenant, service) {
      const headers = identify(tenant);
      return question(tenant, service, async () => ({ method: 'GET', headers, body: null }));
    },
    async post(tenant, service, members) {
      const headers = identify(tenant);
      return question(tenant, service, async () => {
        const requestTimestamp = await times.requestTimestamp(tenant.environment);
        return posted(headers, { requestTimestamp, ...members });
      });
    },
    async ask(tenant, service, members) {
      const headers = identify(tenant);
      const signer = await signerOf(signers, tenant);
      return question(tenant, service, async () => {
        const requestTimestamp = await times.requestTimestamp(tenant.environment);
        return signed(tenant, signer, headers, { text: JSON.stringify(members), requestTimestamp, headers: {} });
      });
    },
    async submit(tenant, service, submission) {
      const headers = identify(tenant);
      const signer = await signerOf(signers, tenant);
      const request = await signed(tenant, signer, headers, submission);
      await pace.turn(tenant);
      return call(tenant.environment, service, request);
    },
  };
}

async function signed(
  tenant: Tenant,
  signer: Signer,
  headers: Request['headers'],
  { text, requestTimestamp, headers: more }: SignedCall,
): Promise<Request> {
  const jws = await signedWith(signer, tenant, signedText(text, requestTimestamp));
  return posted({ ...headers, 'X-SERIAL-NUMBER': signer.serialNumber, ...more }, { requestTimestamp, jws });
}

function posted(headers: Request['headers'], body: JsonObject): Request {
  return { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Certainly not carried out, and asked again in its turn it may be answered. */
function isTurnedAway(error: unknown): boolean {
  return error instanceof AuthorityCallError && error.kind === 'busy' && !error.isUncertain;
}
