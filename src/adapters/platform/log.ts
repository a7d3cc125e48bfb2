import { destination, type Logger, type LoggerOptions, pino } from 'pino';
import { maskKeysInLine } from '../../domain/audit/caller-text.ts';

/** Of lines that are not written yet; what is more is lost. Far more than are ever written at once. */
const MOST_WAITING_BYTES = 16 * 2 ** 20;
/** How often a process that ends tries to write the rest, a tenth of a second after the last time. */
const LAST_TRIES = 20;

/**
 * Structured log lines on standard output. Headers and bodies are never logged; API keys are redacted in case one ever is, also
 * within a path or the message of an error.
 */
export function createLog(level: string, onLine: (line: string) => void = () => undefined): Logger {
  const options: LoggerOptions = {
    level,
    redact: { paths: ['*["x-api-key"]', 'headers["x-api-key"]', 'req.headers["x-api-key"]'], censor: '(withheld)' },
    hooks: {
      streamWrite(line) {
        const masked = maskKeysInLine(line);
        onLine(masked);
        return masked;
      },
    },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    base: {},
  };
  const { output, onLost } = openOutput();
  const log = pino(options, output);
  onLost((lines) => log.warn({ lines }, 'log lines were lost: nobody read them, or the disk was full'));
  return log;
}

type Output = ReturnType<typeof destination>;

/**
 * A disk that is full, or a reader that is gone or does not read, must neither end the process that the lines tell of nor keep it from ending. They
 * wait until they can be written.
 */
function openOutput(): { readonly output: Output; readonly onLost: (hear: (lines: number) => void) => void } {
  let tries = Number.POSITIVE_INFINITY;
  let isFailing = false;
  let lost = 0;
  const output = destination({
    fd: process.stdout.fd,
    sync: false,
    minLength: 1,
    maxLength: MOST_WAITING_BYTES,
    retryEAGAIN() {
      tries -= 1;
      return tries > 0;
    },
  });
  const { flushSync } = output;
  output.flushSync = () => {
    // It would try again for ever.
    if (isFailing) return;
    tries = LAST_TRIES;
    try {
      flushSync.call(output);
    } catch {
      // Nobody reads it.
    }
  };
  output.on('error', () => {
    isFailing = true;
  });
  output.on('drop', () => {
    lost += 1;
    output.flush();
  });
  return {
    output,
    onLost(hear) {
      output.on('write', () => {
        isFailing = false;
        if (lost === 0) return;
        const lines = lost;
        lost = 0;
        hear(lines);
      });
    },
  };
}
