import { readOptions, USAGE } from './command-line.ts';
import { type SimulatorOptions, startSimulator } from './simulator.ts';

function fail(error: unknown, exitCode: number): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = exitCode;
}

/** Whoever reads the output may stop at any time, and a file may have no space left: the simulator goes on. */
function outliveOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.stderr.write(`The output could not be written: ${error.message}\n`);
    if (process.argv.includes('--help')) process.exitCode = 1;
  });
  process.stderr.on('error', () => undefined);
}

async function run(options: SimulatorOptions): Promise<void> {
  const { url, receiverUrl, portalUrl, adminUrl, close } = await startSimulator(options);
  process.stdout.write(`Tax authority simulator at ${url}${options.startInOutage ? ' (in an outage)' : ''}
Documents are received at  ${receiverUrl}
QR codes link to           ${portalUrl}/euid/
Admin API of the simulator ${adminUrl}
`);
  const stop = () => void close();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

try {
  outliveOutput();
  const options = readOptions(process.argv.slice(2));
  if (options === null) process.stdout.write(USAGE);
  else await run(options).catch((error: unknown) => fail(error, 1));
} catch (error) {
  fail(error, 2);
}
