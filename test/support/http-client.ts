import { once } from 'node:events';
import { connect } from 'node:net';

export type RawResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
};

/** A connection that sends exactly the bytes it is given: for what no HTTP client would send. */
export type RawConnection = {
  /** Resolves when the bytes have left this process, or the connection has gone. */
  readonly send: (bytes: string | Uint8Array) => Promise<void>;
  /** The next response; null when the server closed the connection without another one. */
  readonly response: (options?: { readonly toHead?: boolean }) => Promise<RawResponse | null>;
  /** Resolves when the first byte of an answer has come. */
  readonly begun: () => Promise<void>;
  /** Tells the server that nothing more will come. */
  readonly finish: () => void;
  /** Breaks the connection off in the middle of whatever was being sent. */
  readonly abort: () => void;
};

type Parsed = { readonly response: RawResponse; readonly rest: Buffer };

export async function openConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  let received: Buffer = Buffer.alloc(0);
  let over: { readonly error: Error | null } | null = null;
  let wake = Promise.withResolvers<void>();
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake.resolve();
  });
  const end = (error: Error | null) => {
    over ??= { error };
    wake.resolve();
  };
  socket.on('error', end);
  socket.on('end', () => end(null));
  socket.on('close', () => end(null));

  return {
    send: (bytes) =>
      new Promise((resolve) => {
        if (socket.destroyed) resolve();
        else socket.write(bytes, () => resolve());
      }),
    async response({ toHead = false } = {}) {
      for (;;) {
        const parsed = parseResponse(received, toHead);
        received = parsed?.rest ?? received;
        if (parsed !== null) return parsed.response;
        if (over !== null) return nothingMore(over.error, received);
        await wake.promise;
        wake = Promise.withResolvers();
      }
    },
    async begun() {
      if (received.length === 0) await wake.promise;
    },
    finish: () => void socket.end(),
    abort() {
      // A reset of a socket that is closing already would fail and leave its handle behind.
      if (over === null && !socket.writableEnded) socket.resetAndDestroy();
      else socket.destroy();
    },
  };
}

/** Sends the bytes over a connection of their own and gives the one response to them. */
export async function sendBytes(url: string, ...pieces: readonly (string | Uint8Array)[]): Promise<RawResponse> {
  const connection = await openConnection(url);
  try {
    for (const piece of pieces) await connection.send(piece);
    const response = await connection.response();
    if (response === null) throw new Error('The server closed the connection without an answer.');
    return response;
  } finally {
    connection.abort();
  }
}

/** The head of a request, written out. */
export function requestHead(method: string, target: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ Host: 'test', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function nothingMore(error: Error | null, received: Buffer): null {
  if (error !== null) throw error;
  if (received.length > 0) throw new Error(`The answer ends in the middle: ${received.toString('latin1')}`);
  return null;
}

/** The first complete response in what was received; null while it is not complete. */
function parseResponse(received: Buffer, toHead: boolean): Parsed | null {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const [statusLine = '', ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/u.exec(statusLine)?.[1]);
  const headers = new Headers(lines.map((line) => splitAt(line, line.indexOf(':'))));
  const bodiless = toHead || status < 200 || status === 204 || status === 304;
  const body = bodyIn(received.subarray(headEnd + 4), bodiless ? new Headers({ 'content-length': '0' }) : headers);
  if (body === null) return null;
  const { bytes, rest } = body;
  return { response: { status, headers, bytes, text: bytes.toString('utf8') }, rest };
}

function splitAt(line: string, index: number): [string, string] {
  return [line.slice(0, index), line.slice(index + 1).trim()];
}

type Body = { readonly bytes: Buffer; readonly rest: Buffer };

function bodyIn(received: Buffer, headers: Headers): Body | null {
  if (headers.get('transfer-encoding') === 'chunked') return chunkedBodyIn(received);
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (Number.isNaN(length)) throw new Error('A response says nothing about the length of its body.');
  return received.length < length ? null : { bytes: received.subarray(0, length), rest: received.subarray(length) };
}

function chunkedBodyIn(received: Buffer): Body | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = received.indexOf('\r\n', at);
    const length = Number.parseInt(received.subarray(at, lineEnd).toString('latin1'), 16);
    const end = lineEnd + 2 + length + 2;
    if (lineEnd === -1 || received.length < end) return null;
    if (length === 0) return { bytes: Buffer.concat(chunks), rest: received.subarray(end) };
    chunks.push(received.subarray(lineEnd + 2, end - 2));
    at = end;
  }
}
