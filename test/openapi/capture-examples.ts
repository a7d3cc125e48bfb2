import { DEMO_URL } from '../../src/http/answers/demonstrations.ts';
import { INVOICE, makeExampleCalls } from './example-calls.ts';

/** When the example invoice was submitted; everything else follows from there. */
const SUBMITTED = Date.parse('2026-11-02T08:15:00.000Z');
const SECOND_MS = 1_000;
/** After the hold-back of the demo environment. */
const FIRST_ATTEMPT_SECONDS = 20;
const AFTER_SECONDS: Readonly<Record<string, number>> = { registeredAt: 22, ackedAt: 3_600, expiresAt: 604_800 };

/** Where the simulated authority of the demo environment listens by default. */
const SIMULATOR_URL = 'http://127.0.0.1:8090';

const LOOPBACK = /http:\/\/127\.0\.0\.1:\d+/gu;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;
/** The token of a link to a view. */
const LINK = /link=[\w.-]+/gu;
const STEADY_LINK = `link=mw8z0000.4030026000018.key-0123456789abcdef.${'x'.repeat(43)}`;
const CURSOR = /^[0-9a-f]{38}$/u;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/u;

/** What examples.json holds: the answers of the demo environment with identifiers and times that are the same in every run. */
export async function captureExamples() {
  const { url, answers, errors } = await makeExampleCalls();
  const steady = steadyValues(url);
  return {
    answers: Object.fromEntries(
      [...answers].map(([operationId, byStatus]) => [
        operationId,
        Object.fromEntries([...byStatus].map(([status, body]) => [status, steady(body)])),
      ]),
    ),
    bodies: { submitOutbound: INVOICE, validateDocument: INVOICE },
    errors: Object.fromEntries(
      [...errors].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([code, body]) => [code, steady(body)]),
    ),
  };
}

function steadyValues(url: string) {
  const identifiers = new Map<string, string>();
  const identifier = (given: string) => {
    const next = `01920fb2-1c00-7000-8000-${String(identifiers.size + 1).padStart(12, '0')}`;
    const known = identifiers.get(given) ?? next;
    identifiers.set(given, known);
    return known;
  };
  const cursors = new Map<string, string>();
  const cursor = (given: string) => {
    const known = cursors.get(given) ?? `1${String(cursors.size + 1).padStart(37, '0')}`;
    cursors.set(given, known);
    return known;
  };
  const steady = (value: unknown, name: string, place: number): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => steady(item, name, index));
    if (value !== null && typeof value === 'object') {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, steady(inner, key, place)]));
    }
    if (typeof value !== 'string') return value;
    if (DATE_TIME.test(value)) return steadyTime(name, place);
    if (CURSOR.test(value)) return cursor(value);
    return value
      .replaceAll(UUID, identifier)
      .replaceAll(LINK, STEADY_LINK)
      .replaceAll(LOOPBACK, (root) => (root === url ? DEMO_URL : SIMULATOR_URL));
  };
  return (body: unknown) => steady(body, '', 0);
}

function steadyTime(name: string, place: number): string {
  const attempt = name === 'at' && place > 0 ? FIRST_ATTEMPT_SECONDS + place - 1 : 0;
  return new Date(SUBMITTED + (AFTER_SECONDS[name] ?? attempt) * SECOND_MS).toISOString();
}
