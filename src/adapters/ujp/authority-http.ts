import { AuthorityUnavailable } from '../../application/code-list-source.ts';
import { readComplaints } from './complaints.ts';

/** Far above the longest list known, far below what could hurt us. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

const MAX_REASONS_LENGTH = 500;

/** Asks the authority for JSON within a bounded time and size. Every way to fail is an AuthorityUnavailable. */
export async function getJson(url: string, headers: Record<string, string>, timeoutMs: number): Promise<unknown> {
  const { response, bytes } = await exchange(url, headers, timeoutMs);
  const answer = parseAnswer(url, response, bytes);
  if (!response.ok) throw refusal(url, `HTTP ${response.status}`, answer);
  return answer;
}

/** For an answer that is JSON but not what was asked for: says so in the authority's own words where it gives any. */
export function refusal(url: string, what: string, answer: unknown): AuthorityUnavailable {
  const reasons = readComplaints(answer).map(({ code, message }) => `; ${code} ${message}`);
  return new AuthorityUnavailable(`${url} answered ${what}${reasons.join('').slice(0, MAX_REASONS_LENGTH)}`);
}

async function exchange(
  url: string,
  headers: Record<string, string>,
  timeoutMs: number,
): Promise<{ readonly response: Response; readonly bytes: Uint8Array }> {
  try {
    // No redirect is followed: it would carry the caller's identity to a place nobody configured.
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    return { response, bytes: await readBounded(url, response) };
  } catch (cause) {
    if (cause instanceof AuthorityUnavailable) throw cause;
    throw new AuthorityUnavailable(`${url} ${describeFailure(cause, timeoutMs)}`, { cause });
  }
}

async function readBounded(url: string, response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new AuthorityUnavailable(`${url} answered more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The authority writes UTF-8 whatever its headers declare. */
function parseAnswer(url: string, response: Response, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    const label = response.headers.get('content-type') ?? 'no content type';
    throw new AuthorityUnavailable(`${url} answered HTTP ${response.status} (${label}), not JSON in UTF-8`, { cause });
  }
}

function describeFailure(cause: unknown, timeoutMs: number): string {
  if (!(cause instanceof Error)) return 'could not be read';
  if (cause.name === 'TimeoutError') return `did not answer within ${timeoutMs} ms`;
  return `could not be read: ${cause.cause instanceof Error ? cause.cause.message : cause.message}`;
}
