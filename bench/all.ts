import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** All benchmarks of `npm run bench`, each in a process of its own, so that none finds what the one before has warmed up. */
const BENCHMARKS = ['submissions', 'lists', 'validation', 'ping-beside-large', 'delivery'];

for (const name of BENCHMARKS) {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, file], { stdio: 'inherit' });
  // A shell would end and leave the benchmark behind, with its ports and its database.
  const stop = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  const [exitCode, signal] = await once(child, 'exit');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, stop);
  if (exitCode !== 0) {
    console.error(`${name} ended with ${exitCode ?? signal}`);
    process.exitCode = 1;
    break;
  }
}
