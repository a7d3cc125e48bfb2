/** A document as it is to be sent; a text is sent as UTF-8. */
export type DocumentBytes = string | Uint8Array<ArrayBuffer>;

export type RetryLimits = {
  /** Tries of one call, the first included. */
  readonly maxTries: number;
  /** From the first try to the last; at most 50 minutes. */
  readonly maxTotalMs: number;
  /** The longest pause before the second try; it doubles with each further one. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
};

export type ClientOptions = {
  /** The service without the path of an interface, for example `https://invoices.example.mk`. */
  readonly url: string;
  /** As issued by the operator, for one taxpayer and one piece of software. */
  readonly apiKey: string;
  /** Name and version of the calling software, for example `ledger/4.2`. */
  readonly software: string;
  /** Of details and messages: `mk` or `en`. Without it they are as the service has been set. */
  readonly language?: string;
  /** For one try, without what a waiting call asks the service to wait. */
  readonly timeoutMs?: number;
  readonly retries?: Partial<RetryLimits>;
  /** Larger answers are refused. */
  readonly maxAnswerBytes?: number;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** From 0 inclusive to 1 exclusive; spreads the pauses of many clients. */
  readonly random?: () => number;
  /** Milliseconds that only go forward. */
  readonly now?: () => number;
  /** Ends early, by throwing its reason, when the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
};

export type Settings = Required<Omit<ClientOptions, 'language' | 'retries' | 'apiKey' | 'software'>> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly retries: RetryLimits;
};

const RETRIES: RetryLimits = { maxTries: 10, maxTotalMs: 300_000, firstPauseMs: 250, longestPauseMs: 20_000 };
/** The service remembers an idempotency key for one hour. A try beyond it could make a second document. */
export const LONGEST_TOTAL_MS = 50 * 60_000;
const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export function readSettings(options: ClientOptions): Settings {
  const retries = { ...RETRIES, ...options.retries };
  if (!(retries.maxTotalMs <= LONGEST_TOTAL_MS)) {
    throw new RangeError('maxTotalMs is at most 50 minutes: the service remembers an idempotency key for one hour.');
  }
  if (!(retries.maxTries >= 1)) throw new RangeError('maxTries is at least 1.');
  return {
    url: readUrl(options.url),
    headers: {
      'X-Api-Key': headerValue('apiKey', options.apiKey),
      'X-Software-Id': headerValue('software', options.software),
      ...(options.language === undefined ? {} : { 'Accept-Language': headerValue('language', options.language) }),
    },
    retries,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    maxAnswerBytes: options.maxAnswerBytes ?? MAX_ANSWER_BYTES,
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    random: options.random ?? Math.random,
    now: options.now ?? (() => performance.now()),
    pause: options.pause ?? pause,
  };
}

/** Checked here, since the errors of `fetch` would repeat the value, a key among them. */
export function headerValue(name: string, value: string): string {
  if (!/^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/u.test(value)) {
    throw new TypeError(`${name} is blank or has characters beyond plain ASCII, which a header cannot have.`);
  }
  return value;
}

/** The later of the same name counts, in letters of any size: `fetch` would send both, as one with a comma. */
export function withHeaders(
  headers: Readonly<Record<string, string>>,
  later: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const named = [...Object.entries(headers), ...Object.entries(later)].map(
    (header) => [header[0].toLowerCase(), header] as const,
  );
  return Object.fromEntries(new Map(named).values());
}

function readUrl(text: string): string {
  const { protocol, origin, pathname, search, hash, username } = new URL(text);
  if (!['http:', 'https:'].includes(protocol) || `${search}${hash}${username}` !== '') {
    throw new TypeError('url is the http(s) address of the service, without a query.');
  }
  return `${origin}${pathname.replace(/\/+$/u, '')}`;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
