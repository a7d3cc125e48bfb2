import { refusal } from '../refusal.ts';
import { skopjeInstants } from '../skopje-time.ts';
import type { Envelope } from './envelope.ts';
import type { RootCodes } from './root-codes.ts';

const WINDOW_MS = 5 * 60_000;

/** The signed timestamp, and the one of the envelope if it says another. */
export function checkTimestamps({ payload, requestTimestamp }: Envelope, now: Date, codes: RootCodes): void {
  const signed = payload['requestTimestamp'];
  checkTimestamp(signed, now, codes);
  if (requestTimestamp !== undefined && requestTimestamp !== signed) checkTimestamp(requestTimestamp, now, codes);
}

/** Refuses a request that was not made just now. */
export function checkTimestamp(value: unknown, now: Date, codes: RootCodes): void {
  const parameter = 'requestTimestamp';
  if (value === undefined || value === null) throw refusal(codes.noTimestamp, 'requestTimestamp is missing', parameter);
  const instants = typeof value === 'string' ? skopjeInstants(value) : [];
  if (instants.length === 0) {
    const message = `requestTimestamp '${String(value)}' is no local date and time YYYY-MM-DDTHH:mm:ss`;
    throw refusal(codes.unreadableTimestamp, message, parameter);
  }
  if (instants.every((instant) => Math.abs(instant.getTime() - now.getTime()) > WINDOW_MS)) {
    throw refusal(codes.timestampTooFar, 'requestTimestamp is more than 5 minutes from server time', parameter);
  }
}
