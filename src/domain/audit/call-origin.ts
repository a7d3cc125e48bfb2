import { callerText } from './caller-text.ts';

/** Which call something came from, so that its traces can be found in the logs of everybody who took part. */
export type CallOrigin = {
  /** The `X-Request-Id` of the answer. */
  readonly requestId: string | null;
  /** As the caller sent it. */
  readonly traceparent: string | null;
};

/** Without anything that has a meaning in a log, a header or a shell. */
const REQUEST_ID = /^[0-9A-Za-z][0-9A-Za-z._:-]*$/u;
const SHORTEST = 8;
const LONGEST = 128;

/** Version 00 of the W3C's Trace Context, which later versions must begin like; zeros mean that there is none. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/u;

/** The caller's identifier of its request; null for one that must not be carried on, as one that has a key in it. */
export function readRequestId(text: string | undefined): string | null {
  if (text === undefined || text.length < SHORTEST || text.length > LONGEST) return null;
  return REQUEST_ID.test(text) && callerText(text) === text ? text : null;
}

export function readTraceparent(text: string | undefined): string | null {
  return text !== undefined && TRACEPARENT.test(text) ? text : null;
}

/** The part of an origin that log lines have. */
export function originFacts({ requestId, traceparent }: CallOrigin): Readonly<Record<string, string>> {
  const traceId = traceparent === null ? null : (TRACEPARENT.exec(traceparent)?.[1] ?? null);
  return { ...(requestId === null ? {} : { requestId }), ...(traceId === null ? {} : { traceId }) };
}
