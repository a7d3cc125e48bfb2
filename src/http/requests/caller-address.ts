import type { IncomingMessage } from 'node:http';
import type { Timers } from '../../application/ports/platform.ts';
import { familyOf, plainAddress } from '../../domain/values/address-range.ts';

export type CallerAddress = {
  readonly address: string | undefined;
  /** False where a trusted proxy said something that is no address: then the caller's own is not known. */
  readonly isKnown: boolean;
};

type Needs = {
  readonly timers: Timers;
  readonly isTrustedProxy: (address: string) => boolean;
  /** Called every few seconds at most, with how often it happened since. */
  readonly onUnreadable: (count: number) => void;
};

const REPORT_EVERY_MS = 10_000;
/** Some proxies name the caller's port as well. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{1,5})?$/u;

/**
 * The address of whoever makes a request: of the connection, or, behind trusted proxies, the last one in X-Forwarded-For that is not such a
 * proxy itself. What stands there instead of an address is never used as one: it would be kept, shown and compared.
 */
export function createCallerAddress({
  timers,
  isTrustedProxy,
  onUnreadable,
}: Needs): (request: IncomingMessage) => CallerAddress {
  let count = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;

  function report(): void {
    count += 1;
    const now = timers.elapsedMs();
    if (now - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = now;
    onUnreadable(count);
    count = 0;
  }

  return ({ socket, headers }) => {
    const connected = socket.remoteAddress;
    if (connected === undefined || !isTrustedProxy(connected)) return { address: connected, isKnown: true };
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    let address = connected;
    for (const text of forwarded.reverse()) {
      if (text.trim() === '') continue;
      const named = readAddress(text.trim());
      if (named === null) {
        report();
        return { address: connected, isKnown: false };
      }
      address = named;
      if (!isTrustedProxy(named)) break;
    }
    return { address, isKnown: true };
  };
}

/** Null when the text is no address, with or without a port. */
export function readAddress(text: string): string | null {
  const match = WITH_PORT.exec(text);
  const address = plainAddress(match?.[1] ?? match?.[2] ?? text);
  return familyOf(address) === null ? null : address;
}
