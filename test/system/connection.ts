import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

export type Answer = { readonly status: number; readonly body: string; readonly connection: Socket };

export type Upload = {
  /** Sends the rest and returns the answer. */
  readonly complete: () => Promise<Answer>;
  /** The answer, which may come before the rest was sent. */
  readonly answered: Promise<Answer>;
};

/** A submission of which the service has taken the head and the first half, and waits for the second. */
export async function beginUpload(
  t: TestContext,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  { keepAlive }: { readonly keepAlive: boolean },
): Promise<Upload> {
  const agent = new Agent({ keepAlive });
  t.after(() => agent.destroy());
  const half = Math.floor(body.length / 2);
  const upload = request(url, {
    agent,
    method: 'POST',
    headers: { ...headers, 'Content-Length': String(body.length), Expect: '100-continue' },
  });
  const answered = answerOf(upload);
  // Awaited only when the upload is complete; a connection that breaks before is seen there.
  answered.catch(() => undefined);
  upload.flushHeaders();
  await once(upload, 'continue');
  upload.write(body.subarray(0, half));
  return {
    answered,
    complete() {
      upload.end(body.subarray(half));
      return answered;
    },
  };
}

async function answerOf(sent: ClientRequest): Promise<Answer> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response), connection: response.socket };
}

export type RawConnection = {
  readonly send: (bytes: string) => void;
  /** Everything received so far. */
  readonly received: () => string;
  /** Resolves with how it ended: null when in order, else the error. */
  readonly ended: Promise<NodeJS.ErrnoException | null>;
};

export async function openConnection(t: TestContext, address: string): Promise<RawConnection> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  let received = '';
  let failure: NodeJS.ErrnoException | null = null;
  socket.setEncoding('latin1').on('data', (bytes) => {
    received += bytes;
  });
  socket.on('error', (error) => {
    failure = error;
  });
  const ended = new Promise<NodeJS.ErrnoException | null>((resolve) => socket.on('close', () => resolve(failure)));
  return {
    send: (bytes) => void socket.write(bytes),
    received: () => received,
    ended,
  };
}
