import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import { PROBLEM_TYPE, type ProblemBody } from './answers/problem-response.ts';
import { namesLoopback } from './requests/names-loopback.ts';

type Needs = {
  /** Why the service cannot take calls; null when it can. */
  readonly notReadyBecause: () => Promise<string | null>;
  /** Whether a name or an address is that of this machine alone. */
  readonly isLoopback: (host: string) => boolean;
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
};

type Answer = { readonly status: number; readonly contentType: string; readonly body: string };

const JSON_TYPE = 'application/json; charset=utf-8';

/** Health and metrics, on a port of their own that is not exposed to clients. */
export function createOpsServer(needs: Needs): Server {
  return createServer((request, response) => {
    answer(request, needs)
      .catch((error: unknown) => notReady(error instanceof Error ? error.message : 'unknown'))
      .then(({ status, contentType, body }) => {
        response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
        response.end(body);
      });
  });
}

async function answer({ url = '', headers }: IncomingMessage, needs: Needs): Promise<Answer> {
  const { isLoopback, notReadyBecause, metrics } = needs;
  if (!namesLoopback(headers.host, isLoopback)) return problemAnswer(421, 'Call this port as 127.0.0.1 or localhost.');
  switch (url.split('?', 1)[0]) {
    case '/health/live':
      return { status: 200, contentType: JSON_TYPE, body: '{"status":"live"}' };
    case '/health/ready': {
      const reason = await notReadyBecause();
      return reason === null ? { status: 200, contentType: JSON_TYPE, body: '{"status":"ready"}' } : notReady(reason);
    }
    case '/metrics': {
      const { contentType, text } = await metrics();
      return { status: 200, contentType, body: text };
    }
    default:
      return problemAnswer(404, 'Try /health/live, /health/ready or /metrics.');
  }
}

function notReady(reason: string): Answer {
  return problemAnswer(503, `Not ready: ${reason}`);
}

function problemAnswer(status: number, detail: string): Answer {
  const title = STATUS_CODES[status] ?? 'Error';
  const body: ProblemBody = { type: 'about:blank', title, status, detail, code: null, eventId: null };
  return { status, contentType: PROBLEM_TYPE, body: JSON.stringify(body) };
}
