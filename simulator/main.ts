import { parseArgs } from 'node:util';
import { type SimulatorOptions, startSimulator } from './simulator.ts';

const USAGE = `Simulator of the tax authority's e-invoice gateway.

Usage: node simulator/main.ts [options]

  --host <address>   address to listen on (default 127.0.0.1)
  --port <number>    port to listen on, 0 for any free one (default 8090)
  --out-of-order     answer every call with HTTP 502 and an HTML page
  --help             show this text

Stops on SIGINT or SIGTERM.
`;

/** The options asked for; null when help is asked for. Throws what is wrong with the arguments. */
function readOptions(args: readonly string[]): SimulatorOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '8090' },
      'out-of-order': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const port = /^\d{1,5}$/u.test(values.port) ? Number(values.port) : Number.NaN;
  if (!(port <= 65_535)) throw new Error(`--port must be a number from 0 to 65535, not '${values.port}'.`);
  return { host: values.host, port, outOfOrder: values['out-of-order'] };
}

function fail(error: unknown, exitCode: number): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = exitCode;
}

async function run(options: SimulatorOptions): Promise<void> {
  const simulator = await startSimulator(options);
  process.stdout.write(`Tax authority simulator at ${simulator.url}${options.outOfOrder ? ' (out of order)' : ''}\n`);
  const stop = () => void simulator.close();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options === null) process.stdout.write(USAGE);
  else await run(options).catch((error: unknown) => fail(error, 1));
} catch (error) {
  fail(error, 2);
}
