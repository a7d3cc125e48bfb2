import { readFile } from './downloaded-file.ts';
import { CALLS, type Calls } from './generated/calls.ts';
import { readJson } from './read-answer.ts';
import type { Reading, Request, Send } from './send.ts';
import { type DocumentBytes, headerValue, withHeaders } from './settings.ts';

export type CallName = keyof Calls;

export type WithSignal = { readonly signal?: AbortSignal | undefined };

export type CallParameters<Name extends CallName> = WithSignal &
  (Record<string, never> extends Calls[Name]['path'] ? unknown : { readonly path: Calls[Name]['path'] }) & {
    readonly query?: Calls[Name]['query'];
    readonly headers?: Readonly<Record<string, string>>;
  } & (Calls[Name]['takesDocument'] extends true ? { readonly document: DocumentBytes } : unknown);

/** Any call that the interface descriptions have, by its operation id; the way to those that have no method of their own. */
export type Call = <Name extends CallName>(
  name: Name,
  parameters: CallParameters<Name>,
) => Promise<Calls[Name]['answer']>;

type Given = WithSignal & {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly document?: DocumentBytes;
};

/** What a call of the library adds to what a caller gives. */
export type Manners<Result> = Partial<Pick<Request, 'isRepeatable' | 'waitMs' | 'awaitsFile' | 'idempotencyKey'>> & {
  readonly read?: Reading<Result>;
};

export type MakeCall = <Name extends CallName, Result = Calls[Name]['answer']>(
  name: Name,
  parameters: CallParameters<Name>,
  manners?: Manners<Result>,
) => Promise<Result>;

export function createCalls(send: Send): MakeCall {
  return async (name, parameters, { read, ...manners } = {}) => {
    const { method, path, answer } = CALLS[name];
    const given = parameters as Given;
    const { idempotencyKey } = manners;
    checkHeaders(given.headers ?? {});
    const headers = withHeaders(given.headers ?? {}, {
      ...(given.document === undefined ? {} : { 'Content-Type': 'application/xml' }),
      ...(idempotencyKey === undefined ? {} : { 'X-Idempotency-Key': headerValue('idempotencyKey', idempotencyKey) }),
    });
    const request: Request = {
      method,
      path: `${fillPath(path, given.path ?? {})}${queryOf(given.query ?? {})}`,
      headers,
      docUid: given.path?.['docUid'] ?? null,
      isRepeatable: method === 'GET',
      signal: given.signal,
      ...(given.document === undefined ? {} : { body: given.document }),
      ...manners,
    };
    const standard: Reading<unknown> = answer === 'json' ? readJson : readFile;
    return send(request, read ?? (standard as never));
  };
}

/** `fetch` decides on them, and refuses those that it is given. */
const OF_FETCH = /^(?:content-length|expect|keep-alive|transfer-encoding|upgrade)$/iu;

/** By HTTP: a value may be blank or in Latin-1. The errors of `fetch` would repeat it, a password among them, and count as lost answers. */
function checkHeaders(headers: Readonly<Record<string, unknown>>): void {
  // A `Headers`, a `Map` or a list of pairs has no members: a key that is given in one would not be sent, and the client's own would.
  if (Symbol.iterator in headers) {
    throw new TypeError(
      'headers must be an object with a text for each name, as Object.fromEntries(headers) makes one.',
    );
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/u.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a header.`);
    if (OF_FETCH.test(name)) throw new TypeError(`${name} cannot be set: fetch decides on it.`);
    if (typeof value !== 'string') throw new TypeError(`${name} is no text.`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/u.test(value)) {
      throw new TypeError(`${name} has characters that a header cannot have.`);
    }
  }
}

/** A segment of dots would lead to another call, whatever its signs are encoded as. */
function fillPath(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
    const value = parameters[name];
    if (typeof value !== 'string' || /^\.{0,2}$/u.test(value)) throw new TypeError(`${name} is no identifier.`);
    return encodeURIComponent(value);
  });
}

function queryOf(parameters: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(name, String(one));
    }
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
