import { type FailedCall, LostAnswerError, ProblemError, UnexpectedAnswerError } from './errors.ts';
import type { Problem } from './generated/answers.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What an error about this answer says of its call. */
  readonly call: FailedCall;
};

const MS = 1_000;

/** The whole body, which may be refused for its size at any moment: nothing is known of who sends it. */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null) return new Uint8Array();
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let filled = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  return bytes;
}

/** A body that is no JSON object was cut or is not the service's, so the answer counts as lost. */
export function readJson({ bytes, call }: Answer): unknown {
  let answer: unknown;
  try {
    answer = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new LostAnswerError(call, cause);
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw new LostAnswerError(call, 'no JSON object');
  }
  return answer;
}

/** Throws what the answer says unless it is a success. */
export function checkStatus({ status, headers, bytes, call }: Answer): void {
  if (status >= 200 && status < 300) return;
  if (status < 400) throw new UnexpectedAnswerError(`HTTP ${status} leads elsewhere, and a key stays here.`, call);
  throw new ProblemError(status, readProblem(bytes), readRetryAfter(headers.get('Retry-After')), call);
}

function readProblem(bytes: Uint8Array): Partial<Problem> {
  try {
    const members = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown> | null;
    const text = (name: string) => (typeof members?.[name] === 'string' ? members[name] : null);
    return {
      type: text('type'),
      title: text('title'),
      detail: text('detail'),
      code: text('code'),
      eventId: text('eventId'),
    };
  } catch {
    // A proxy's page.
    return {};
  }
}

/** Seconds, or a date by which this machine's clock is compared. */
export function readRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/u.test(value.trim())) return Number(value) * MS;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
