import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Platform } from '../../../src/application/ports/platform.ts';
import type { Config } from '../../../src/config.ts';
import { randomUuid } from '../../../src/domain/values/random-values.ts';
import type { Api } from '../../../src/http/api.ts';
import { createCallsUnderWay } from '../../../src/http/connections/calls-under-way.ts';
import { createBodiesUnderWay } from '../../../src/http/requests/bodies-under-way.ts';
import { createServer } from '../../../src/http/server.ts';

export type Call = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
};

export type Reply = {
  /** The time of the replica that answered. */
  readonly clockAt: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** What answers the calls at the moment. */
export type Served = { readonly api: Api; readonly platform: Platform; readonly log: Logger };

/** The real HTTP layer of one replica. It takes long to build, so it outlives its process and serves the next one. */
export type Front = {
  readonly call: (call: Call) => Promise<Omit<Reply, 'clockAt'>>;
  readonly serve: (served: Served | null) => void;
};

export async function createFront(shape: Api, config: Config): Promise<Front> {
  let served: Served | null = null;
  /** Time goes on for what a process had begun; its timers do not run any more. */
  let last: Api = shape;
  function current(): Served {
    if (served === null) throw new Error('The process is down.');
    return served;
  }
  const app = await createServer({
    api: {
      ...delegating(shape, () => current().api),
      clock: delegating(shape.clock, () => last.clock),
      timers: delegating(shape.timers, () => last.timers),
      pacing: () => last.pacing(),
      recordCall: (...call) => served?.api.recordCall(...call),
    },
    onUnexpected: (error, facts) => served?.log.error({ ...facts, err: error }, 'unexpected error'),
    onUnavailable: (error) => served?.log.warn({ err: error }, 'the database cannot be used'),
    isStopping: () => false,
    isDemo: true,
    bodiesUnderWay: createBodiesUnderWay(),
    callsUnderWay: createCallsUnderWay(),
    connections: config.connections,
    log: {
      info: nothing,
      warn: (facts: object, text: string) => served?.log.warn(facts, text),
      error: (facts: object, text: string) => served?.log.error(facts, text),
    } as unknown as Logger,
    links: {
      publicUrl: () => URL_OF_SERVICE,
      demoUrl: () => URL_OF_SERVICE,
      errorsUrl: () => `${URL_OF_SERVICE}/errors`,
    },
    isTrustedProxy: () => false,
    newId: () => (served === null ? 'nobody' : randomUuid(served.platform.random)),
    observe: () => undefined,
  });
  return {
    call: (call) => callServer(app, call),
    serve(next) {
      served = next;
      last = next?.api ?? last;
    },
  };
}

const URL_OF_SERVICE = 'http://dostava.test';
const nothing = (..._facts: unknown[]): void => undefined;

/** The same functions, each of which calls the one that is in its place at that moment. */
function delegating<Part>(shape: Part, current: () => Part): Part {
  if (typeof shape === 'function') {
    return ((...given: unknown[]) => (current() as (...values: unknown[]) => unknown)(...given)) as Part;
  }
  if (typeof shape !== 'object' || shape === null) return shape;
  const parts = Object.entries(shape).map(([name, part]) => {
    const currentPart = () => (current() as Record<string, unknown>)[name];
    return [name, delegating(part as unknown, currentPart)];
  });
  return Object.fromEntries(parts) as Part;
}

const HEAD_END = '\r\n\r\n';

/** Hands a call to the server without a connection: Node's own request and response, over a stream in memory. */
function callServer(app: FastifyInstance, { method, path, headers, body }: Call): Promise<Omit<Reply, 'clockAt'>> {
  const chunks: Buffer[] = [];
  const socket = memorySocket(chunks);
  const request = new IncomingMessage(socket);
  const sent = {
    host: 'dostava.test',
    ...headers,
    ...(body === null ? {} : { 'content-length': String(body.length) }),
  };
  Object.assign(request, { method, url: path, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  Object.assign(request.headers, sent);
  request.rawHeaders = Object.entries(sent).flat();
  // A message that has arrived whole is what Node's parser would have made of it.
  request.complete = true;
  if (body !== null) request.push(Buffer.from(body));
  request.push(null);
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  return new Promise((resolve, reject) => {
    response.once('finish', () => {
      response.detachSocket(socket);
      response.emit('close');
      resolve(readReply(Buffer.concat(chunks)));
    });
    socket.once('error', reject);
    app.routing(request, response);
  });
}

function memorySocket(chunks: Buffer[]): Socket {
  const stream = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const ofSocket = { remoteAddress: '127.0.0.1', setTimeout: () => stream, resetAndDestroy: () => stream.destroy() };
  return Object.assign(stream, ofSocket) as unknown as Socket;
}

function readReply(bytes: Buffer): Omit<Reply, 'clockAt'> {
  const end = bytes.indexOf(HEAD_END);
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(first.split(' ')[1]), headers, body: bytes.subarray(end + HEAD_END.length) };
}
