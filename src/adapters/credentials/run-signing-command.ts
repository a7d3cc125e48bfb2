import { type ChildProcess, spawn } from 'node:child_process';
import type { Timers } from '../../application/ports/platform.ts';
import { oneLineText } from '../../domain/values/one-line-text.ts';

export type Command = { readonly program: string; readonly arguments: readonly string[] };

export type CommandRun = Command & {
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Aborted when a stop of the service waits no longer. */
  readonly cutOff: AbortSignal;
};

/** Why a command did not sign. Failures of one kind count as the same cause, whatever else their sentences say. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly kind: string;

  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The signature of an RSA key of 16,384 bits in base64, with room to spare. */
const MAX_ANSWER_BYTES = 4_096;
/** As much of its last words as a log line takes. */
const MAX_WORDS_BYTES = 2_048;
const MAX_WORDS_LENGTH = 300;
/** What a command wrote before it ended is here long before. */
const LAST_WORDS_MS = 1_000;
const BASE64_LINE = /^[A-Za-z0-9+/]{4,}={0,2}\r?\n?$/u;

/** Starts the command, writes one line to it and reads one line of base64 from it. No shell is involved. */
export function runSigningCommand(timers: Timers, run: CommandRun, line: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const child = spawn(run.program, run.arguments, {
      env: run.environment,
      cwd: '/',
      stdio: ['pipe', 'pipe', 'pipe'],
      // A process group of its own: what the command has started ends with it.
      detached: true,
    });
    // Before anything else: without a listener the event would end the service, and without open files there are no streams.
    child.once('error', ({ message }) => fail('start', `it could not be started (${message})`));
    const cut = () => fail('stop', 'the service stops');
    run.cutOff.addEventListener('abort', cut, { once: true });
    const timer = timers.after(run.timeoutMs, () => fail('timeout', `it took more than ${run.timeoutMs} ms`));
    const answer = collect(child.stdout, MAX_ANSWER_BYTES, () => fail('output', 'it wrote more than a signature'));
    const words = collect(child.stderr, MAX_WORDS_BYTES, () => undefined);

    function endWaiting(): void {
      timer.cancel();
      run.cutOff.removeEventListener('abort', cut);
    }

    function fail(kind: string, message: string): void {
      endWaiting();
      endGroup(child);
      closePipes(child);
      reject(new CommandFailure(kind, message));
    }

    // What it has left running may keep the pipes open for as long as it likes.
    child.once('exit', () => {
      const waiting = timers.after(LAST_WORDS_MS, () => {
        endGroup(child);
        closePipes(child);
      });
      child.once('close', waiting.cancel);
    });
    child.once('close', (code, signal) => {
      endWaiting();
      if (code !== 0) return fail(`exit ${code ?? signal}`, `it ended with ${code ?? signal}${said(words())}`);
      const text = answer().toString('latin1');
      if (!BASE64_LINE.test(text)) return fail('answer', `it did not answer with one line of base64${said(words())}`);
      resolve(Buffer.from(text, 'base64'));
    });
    // A command that ends without reading is judged by its end, not by the broken pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${line}\n`);
  });
}

/** A process that has left the group, an agent for example, would keep them, and with them our descriptors. */
function closePipes({ stdin, stdout, stderr }: ChildProcess): void {
  for (const pipe of [stdin, stdout, stderr]) pipe?.destroy();
}

/** What a stream brings, up to a limit; the rest is read and dropped. */
function collect(stream: NodeJS.ReadableStream, maxBytes: number, onExcess: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size < maxBytes) chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
    if (size > maxBytes) onExcess();
  });
  return () => Buffer.concat(chunks);
}

function said(words: Buffer): string {
  const line = oneLineText(words.toString('utf8'), MAX_WORDS_LENGTH);
  return line === null ? '' : `: ${line}`;
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
