import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../../application/errors/problem.ts';
import type { Timers } from '../../application/ports/platform.ts';
import { httpProblem } from '../answers/problem-response.ts';
import { freePiece } from '../connections/free-piece.ts';
import type { MemoryBudget } from '../memory-budget.ts';
import type { CheckKeyAgain } from './authentication.ts';
import type { BodiesUnderWay } from './bodies-under-way.ts';
import { createGrowingBuffer } from './growing-buffer.ts';
import { tenantOf } from './request-context.ts';

/** The largest allowed body, and the problem for larger ones. */
export type BodyLimit = { readonly maxBytes: number; readonly exceeded: (maxBytes: number) => Problem };

export type Body = { readonly bytes: Uint8Array<ArrayBuffer>; readonly release: () => void };

/** Reads the body of a call whose key is known, and must still be usable when the body has come. The caller releases the budget when it no longer needs the bytes. */
export type ReadBody = (request: FastifyRequest, reply: FastifyReply, limit: BodyLimit) => Promise<Body>;

type Needs = {
  readonly budget: MemoryBudget;
  readonly bodiesUnderWay: BodiesUnderWay;
  readonly timers: Timers;
  readonly checkKeyAgain: CheckKeyAgain;
};

/**
 * After this many bytes of a body, reading pauses so that other requests are served. Without pauses Node reads a large upload
 * over a fast network two megabytes at a time and blocks this thread until its end. With them a body arrives at up to about
 * 60 MB a second, which is more than most clients can send.
 */
const BYTES_BETWEEN_PAUSES = 65_536;
const PAUSE_MS = 1;

/**
 * Reads a request body into one buffer. A body that is too large is refused as early as possible: by its declared length
 * before it is read, otherwise while it arrives. The budget is charged for the memory that the body takes, which grows with what
 * has arrived: a client that only announces a body takes nothing from others.
 */
export function createReadBody({ budget, bodiesUnderWay, timers, checkKeyAgain }: Needs): ReadBody {
  return async (request, reply, limit) => {
    const declared = declaredLength(request.raw);
    if (declared !== null && declared > limit.maxBytes) throw limit.exceeded(limit.maxBytes);
    const share = budget.shareOf(tenantOf(request));
    if (declared !== null) share.check(declared);
    // A client that sent `Expect: 100-continue` uploads only now, after everything that can be refused early was checked.
    if (request.headers.expect !== undefined && knowsContinue(request.raw)) reply.raw.writeContinue();
    try {
      const bytes = await collect(request.raw, { limit, declared, hold: share.hold, bodiesUnderWay, timers });
      await checkKeyAgain(request);
      return { bytes, release: share.release };
    } catch (error) {
      share.release();
      throw error;
    }
  };
}

type Collecting = Pick<Needs, 'bodiesUnderWay' | 'timers'> & {
  readonly limit: BodyLimit;
  readonly declared: number | null;
  readonly hold: (bytes: number) => void;
};

function collect(request: IncomingMessage, { limit, declared, hold, bodiesUnderWay, timers }: Collecting) {
  return new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    const body = createGrowingBuffer(declared ?? limit.maxBytes, hold);
    if (request.readableEnded) return resolve(body.bytes());
    let pauseAt = BYTES_BETWEEN_PAUSES;
    const done = bodiesUnderWay.add(request, fail);

    function onData(chunk: Buffer): void {
      try {
        if (body.length() + chunk.length > limit.maxBytes) throw limit.exceeded(limit.maxBytes);
        body.add(chunk);
        freePiece(chunk);
      } catch (error) {
        fail(error);
        return;
      }
      if (body.length() < pauseAt) return;
      pauseAt = body.length() + BYTES_BETWEEN_PAUSES;
      request.pause();
      timers.after(PAUSE_MS, () => request.resume());
    }
    function onEnd(): void {
      detach();
      resolve(body.bytes());
    }
    function onBreak(): void {
      fail(httpProblem(400, 'The request body ended before it was complete.'));
    }
    function fail(error: unknown): void {
      detach();
      reject(error);
    }
    function detach(): void {
      done();
      request.off('data', onData).off('end', onEnd).off('close', onBreak);
    }

    // The error of a connection that broke, which `close` follows; it may also come after the body was refused.
    request.on('error', ignore);
    request.on('data', onData).on('end', onEnd).on('close', onBreak);
    if (request.destroyed) onBreak();
  });
}

/** A function of its own: a listener that stays with the request must not keep the body. */
function ignore(): void {
  // The end of the connection says the rest.
}

/** A client of HTTP/1.0 would take it for the answer. */
function knowsContinue({ httpVersion }: IncomingMessage): boolean {
  return httpVersion !== '1.0';
}

/** Null when the client does not say it. */
export function declaredLength(request: IncomingMessage): number | null {
  const header = request.headers['content-length'];
  return header === undefined ? null : Number(header);
}
