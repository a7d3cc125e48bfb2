import { parentPort } from 'node:worker_threads';
import { freeMemory } from '../threads/free-memory.ts';
import { READY } from '../threads/thread-ready.ts';
import type { ReadingAnswer, ReadingTask } from './reading-task.ts';

await prepare();

/** Compiles the schemas and warms up; tasks are answered from then on. */
async function prepare(): Promise<void> {
  // V8 crashes the whole process when a thread is terminated while it evaluates modules that waited for an asynchronous module.
  // The parser is the only asynchronous one: imported first and alone, it has no other module wait for it.
  await import('libxml2-wasm/lib/libxml2.mjs');
  const { answerReadingTask } = await import('./reading-task.ts');
  const { compileUblSchemas } = await import('./judging/compile-schemas.ts');
  const { warmUp } = await import('./warm-up.ts');
  const schemas = compileUblSchemas();
  warmUp(schemas);
  // No document should make this throw. After an error inside WebAssembly, such as running out of memory, the instance may be
  // corrupt: the error is not caught, so it ends the thread, and the pool starts another one.
  parentPort?.on('message', (task: ReadingTask) => {
    const { byteLength } = task.bytes;
    const answer = answerReadingTask(task, schemas);
    parentPort?.postMessage(answer, buffersOf(answer));
    freeMemory(task.bytes, byteLength);
  });
  parentPort?.postMessage(READY);
}

/** Files and large contents are transferred with an answer instead of being copied. */
function buffersOf(answer: ReadingAnswer): readonly ArrayBuffer[] {
  if (answer === null || typeof answer === 'string') return [];
  if (answer instanceof Uint8Array) return [answer.buffer];
  if ('refusals' in answer) return buffersOf(answer.content);
  if (!('outcome' in answer) || answer.outcome === 'refused') return [];
  return [answer.file, answer.pdf].flatMap((file) => (file === null ? [] : [file.bytes.buffer as ArrayBuffer]));
}
