import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { databaseFailureText, isDatabaseFailure } from '../application/errors/commit-unknown.ts';
import { PROBLEM_TYPE, type ProblemBody } from './answers/problem-response.ts';
import { createServer, STATUS_CODES } from './connections/node-http.ts';
import { namesLoopback } from './requests/names-loopback.ts';

export type OpsAnswers = {
  /** Why the process cannot do its work; null when it can. */
  readonly notReadyBecause: () => Promise<string | null>;
  /** Null while there is nothing to measure yet. */
  readonly metrics: (() => Promise<{ readonly contentType: string; readonly text: string }>) | null;
  /** Answers what is for the operators' console, and returns whether it is. */
  readonly console: (request: IncomingMessage, response: ServerResponse) => boolean;
};

type Needs = {
  /** Whether a name or an address is that of this machine alone. */
  readonly isLoopback: (host: string) => boolean;
  /** Whether the port is reached from this machine alone. */
  readonly isLoopbackOnly: boolean;
  /** Of this moment: a process that starts has others than one that serves. */
  readonly answers: () => OpsAnswers;
};

type Answer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** OPTIONS is answered as GET is: it is how HAProxy checks health unless told otherwise, and it goes by the status. */
const METHODS = ['GET', 'HEAD', 'OPTIONS'];
const PATHS = ['/health/live', '/health/ready', '/metrics'];
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Health, metrics and the operators' console, on a port of their own that is not exposed to clients. Whoever reaches it reads the first two: they name no document, and of
 * taxpayers only the EDB beside the expiry of certificates. On loopback, web pages are kept from reading them through a browser on this machine; elsewhere probes call it by any name.
 */
export function createOpsServer(needs: Needs): Server {
  return createServer((request, response) => {
    // It has its own rules of who may reach it, and how.
    if (needs.answers().console(request, response)) return;
    answer(request, needs)
      .catch((error: unknown) => notReady(reasonOf(error)))
      .then(({ status, contentType, body, headers }) => {
        response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store', ...headers });
        response.end(body);
      });
  });
}

async function answer({ url = '', headers, method = '' }: IncomingMessage, needs: Needs): Promise<Answer> {
  const { isLoopback, isLoopbackOnly } = needs;
  // A browser always names a host. In HTTP/1.0 there need not be one: health checks of HAProxy have none unless told to.
  if (isLoopbackOnly && headers.host !== undefined && !namesLoopback(headers.host, isLoopback))
    return problemAnswer(421, 'Call this port as 127.0.0.1 or localhost.');
  const { notReadyBecause, metrics } = needs.answers();
  const path = url.split('?', 1)[0] ?? '';
  if (PATHS.includes(path) && !METHODS.includes(method)) {
    const allow = METHODS.join(', ');
    return { ...problemAnswer(405, `The methods of this resource are: ${allow}`), headers: { allow } };
  }
  switch (path) {
    case '/health/live':
      return { status: 200, contentType: JSON_TYPE, body: '{"status":"live"}' };
    case '/health/ready': {
      const reason = await notReadyBecause();
      return reason === null ? { status: 200, contentType: JSON_TYPE, body: '{"status":"ready"}' } : notReady(reason);
    }
    case '/metrics': {
      if (metrics === null) return notReady((await notReadyBecause()) ?? '');
      const { contentType, text } = await metrics();
      return { status: 200, contentType, body: text };
    }
    default:
      return problemAnswer(404, 'Try /health/live, /health/ready or /metrics.');
  }
}

function reasonOf(error: unknown): string {
  if (isDatabaseFailure(error)) return databaseFailureText(error);
  return error instanceof Error ? error.message : 'unknown';
}

function notReady(reason: string): Answer {
  return problemAnswer(503, `Not ready: ${reason}`);
}

function problemAnswer(status: number, detail: string): Answer {
  const title = STATUS_CODES[status] ?? 'Error';
  const body: ProblemBody = { type: 'about:blank', title, status, detail, code: null, eventId: null };
  return { status, contentType: PROBLEM_TYPE, body: JSON.stringify(body) };
}
