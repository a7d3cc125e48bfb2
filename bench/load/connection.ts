import { connect } from 'node:net';

export type Answer = {
  readonly status: number;
  readonly bytes: number;
  /** Nothing more is answered on the connection. */
  readonly closes: boolean;
};

/** One connection to a server, for one request after another. */
export type Connection = {
  /** Status 0 where the connection broke before the answer was complete. */
  readonly send: (head: string, body: Uint8Array | null) => Promise<Answer>;
  readonly isOpen: () => boolean;
  readonly close: () => void;
};

const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';
const STATUS_AT = 'HTTP/1.1 '.length;
const BROKEN: Answer = { status: 0, bytes: 0, closes: true };

/**
 * No more of HTTP than counting needs. Node's own client takes as much processor time as a server that does nothing: it would measure
 * itself.
 */
export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let reader = createAnswerReader();
  let pending: ((answer: Answer) => void) | null = null;
  let isOpen = true;

  function settle(answer: Answer): void {
    const resolve = pending;
    pending = null;
    reader = createAnswerReader();
    if (answer.closes) {
      isOpen = false;
      socket.destroy();
    }
    resolve?.(answer);
  }

  socket.on('data', (chunk) => {
    const answer = reader(chunk);
    if (answer !== null) settle(answer);
  });
  // What follows an error is the close.
  socket.on('error', () => undefined);
  socket.on('close', () => settle(BROKEN));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('close', () => reject(new Error(`There is no connection to ${url}.`)));
  });
  return {
    isOpen: () => isOpen,
    close: () => socket.destroy(),
    send(head, body) {
      if (!isOpen) return Promise.resolve(BROKEN);
      return new Promise((resolve) => {
        pending = resolve;
        socket.cork();
        socket.write(head, 'latin1');
        if (body !== null) socket.write(body);
        socket.uncork();
      });
    },
  };
}

/** Takes the bytes of one answer as they come, and returns it when it is complete. */
export function createAnswerReader(): (chunk: Buffer) => Answer | null {
  let held: Buffer = Buffer.alloc(0);
  let status = 0;
  /** Bytes of the body, or of the current chunk with its line end, that have not come; null in the head. */
  let missing: number | null = null;
  /** An answer without chunks consists of one. */
  let isLast = false;
  let closes = false;
  let bytes = 0;

  function readHead(): boolean {
    const end = held.indexOf(HEAD_END);
    if (end < 0) return false;
    const head = held.toString('latin1', 0, end);
    status = Number(head.slice(STATUS_AT, STATUS_AT + 3));
    closes = /^connection: *close/imu.test(head);
    isLast = !/^transfer-encoding: *chunked/imu.test(head);
    missing = Number(/^content-length: *(\d+)/imu.exec(head)?.[1] ?? 0);
    held = held.subarray(end + HEAD_END.length);
    return true;
  }

  function skip(): boolean {
    const taken = Math.min(missing ?? 0, held.length);
    held = held.subarray(taken);
    missing = (missing ?? 0) - taken;
    bytes += taken;
    return missing === 0;
  }

  /** Whether it has come. No trailers are expected: an empty line follows the last one. */
  function readChunkSize(): boolean {
    const end = held.indexOf(LINE_END);
    if (end < 0) return false;
    const size = Number.parseInt(held.toString('latin1', 0, end), 16);
    held = held.subarray(end + LINE_END.length);
    missing = size + LINE_END.length;
    isLast = size === 0;
    return true;
  }

  function isComplete(): boolean {
    while (skip()) {
      if (isLast) return true;
      if (!readChunkSize()) return false;
    }
    return false;
  }

  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    if (missing === null && !readHead()) return null;
    return isComplete() ? { status, bytes, closes } : null;
  };
}
