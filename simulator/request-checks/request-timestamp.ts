import { authorityError } from '../authority-error.ts';
import { skopjeInstants } from '../skopje-time.ts';
import type { Envelope } from './envelope.ts';
import type { ErrorCodes } from './error-codes.ts';

const WINDOW_MS = 5 * 60_000;

/** Checks the signed timestamp, and that of the envelope, which may be left out (the authority's published reference, §1.3). */
export function checkTimestamps({ payload, requestTimestamp }: Envelope, now: Date, codes: ErrorCodes): void {
  const signed = payload['requestTimestamp'];
  checkTimestamp(signed, now, codes);
  if (requestTimestamp !== undefined && requestTimestamp !== null && requestTimestamp !== signed)
    checkTimestamp(requestTimestamp, now, codes);
}

/** Local time of Skopje without offset and fraction, within five minutes of the authority's clock (§1.3). */
export function checkTimestamp(value: unknown, now: Date, codes: ErrorCodes): void {
  const parameter = 'requestTimestamp';
  if (value === undefined || value === null)
    throw authorityError(codes.noTimestamp, 'requestTimestamp is missing', parameter);
  const instants = typeof value === 'string' ? skopjeInstants(value) : [];
  if (instants.length === 0) {
    const message = `requestTimestamp '${String(value)}' is no local date and time YYYY-MM-DDTHH:mm:ss`;
    throw authorityError(codes.unreadableTimestamp, message, parameter);
  }
  if (instants.every((instant) => Math.abs(instant.getTime() - now.getTime()) > WINDOW_MS)) {
    throw authorityError(codes.timestampTooFar, 'requestTimestamp is more than 5 minutes from server time', parameter);
  }
}
