/** What clients may take of the service by their connections alone, before any key is known. */
export type ConnectionLimits = {
  readonly maxConnections: number;
  /** Trusted proxies are exempt: behind one, all clients have its address. */
  readonly maxConnectionsPerAddress: number;
  /** From the first moment of a connection, or the first byte of a later request, to the end of the headers. */
  readonly headersTimeoutSeconds: number;
  /** From the first byte of a request to its last. */
  readonly requestTimeoutSeconds: number;
  /** How long a connection may stay open between two requests. */
  readonly idleTimeoutSeconds: number;
};

type Reader = {
  readonly integer: (name: string, defaultValue: number, lowest: number, highest: number) => number;
  readonly error: (text: string) => void;
};

const HIGHEST_COUNT = 1_000_000;
const HOUR_SECONDS = 3_600;
const HEADERS_SECONDS = 15;

export function readConnectionLimits({ integer, error }: Reader): ConnectionLimits {
  const requestTimeoutSeconds = integer('REQUEST_TIMEOUT_SECONDS', 60, 1, HOUR_SECONDS);
  const defaultSeconds = Math.min(HEADERS_SECONDS, requestTimeoutSeconds);
  const headersTimeoutSeconds = integer('HEADERS_TIMEOUT_SECONDS', defaultSeconds, 1, HOUR_SECONDS);
  // Node would exchange the two without a word.
  if (headersTimeoutSeconds > requestTimeoutSeconds) {
    error('HEADERS_TIMEOUT_SECONDS: must not be more than REQUEST_TIMEOUT_SECONDS, which includes the headers');
  }
  return Object.freeze({
    maxConnections: integer('MAX_CONNECTIONS', 2_048, 1, HIGHEST_COUNT),
    maxConnectionsPerAddress: integer('MAX_CONNECTIONS_PER_ADDRESS', 256, 1, HIGHEST_COUNT),
    headersTimeoutSeconds,
    requestTimeoutSeconds,
    // Longer than the minute after which most load balancers close idle connections themselves: the one that sends requests should.
    idleTimeoutSeconds: integer('IDLE_TIMEOUT_SECONDS', 72, 1, HOUR_SECONDS),
  });
}
