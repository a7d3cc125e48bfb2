import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of the bench. It has told what others need to know of it. */
export type Child<Facts = unknown> = {
  readonly pid: number;
  readonly facts: Facts;
  readonly isRunning: () => boolean;
  readonly ask: <Answer>(order: unknown) => Promise<Answer>;
  readonly stop: () => Promise<void>;
};

export type ChildOptions = {
  readonly flags?: readonly string[];
  readonly variables?: Readonly<Record<string, string | undefined>>;
};

export type Children = {
  /** Starts a program of `bench`. */
  readonly start: <Facts>(program: string, options?: ChildOptions) => Promise<Child<Facts>>;
  /** Ends all that are left; whoever waits for one of them gets an error. */
  readonly stopAll: () => Promise<void>;
};

type Told<Answer> = { readonly answer: Answer } | { readonly error: string };

const FLAGS = ['--disable-warning=ExperimentalWarning'];
/** Far longer than an orderly end takes; what is left then is cut off. */
const STOP_LIMIT_MS = 30_000;

export function createChildren(folder: string): Children {
  const alive = new Map<ChildProcess, () => Promise<void>>();
  let isOver = false;
  return {
    async start<Facts>(program: string, { flags = FLAGS, variables = {} }: ChildOptions = {}): Promise<Child<Facts>> {
      if (isOver) throw new Error('The bench is stopping.');
      const child = fork(new URL(`../${program}.ts`, import.meta.url), {
        execArgv: [...flags],
        serialization: 'advanced',
        // Whatever it puts away for a time is gone with the folder of the bench.
        env: { ...process.env, ...variables, TMPDIR: folder },
      });
      const exited = once(child, 'exit').then(() => alive.delete(child));
      const stop = () => stopChild(child, exited);
      alive.set(child, stop);
      const facts = await nextMessage<Facts>(child, program);
      return {
        pid: child.pid ?? 0,
        facts,
        stop,
        isRunning: () => alive.has(child),
        async ask<Answer>(order: unknown): Promise<Answer> {
          const next = nextMessage<Told<Answer>>(child, program);
          child.send(order as object);
          const told = await next;
          if ('error' in told) throw new Error(`${program}: ${told.error}`);
          return told.answer;
        },
      };
    },
    async stopAll() {
      isOver = true;
      await Promise.all([...alive.values()].map((stop) => stop()));
    },
  };
}

function nextMessage<Message>(child: ChildProcess, program: string): Promise<Message> {
  return new Promise((resolve, reject) => {
    function onMessage(message: unknown): void {
      child.off('exit', onExit);
      resolve(message as Message);
    }
    function onExit(code: number | null, signal: string | null): void {
      child.off('message', onMessage);
      reject(new Error(`${program} ended with ${code ?? signal} before it answered.`));
    }
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
    child.once('message', onMessage);
    child.once('exit', onExit);
  });
}

async function stopChild(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.connected) child.disconnect();
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await exited;
  clearTimeout(limit);
}
