import { destination, type Logger, type LoggerOptions, pino } from 'pino';
import { maskKeysInLine } from '../../domain/audit/caller-text.ts';

/** While the log cannot be written, so much of it waits; what is more is lost. */
const MOST_WAITING_BYTES = 2 ** 20;

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
  return pino(options, openOutput());
}

/** A disk that is full, or a reader that is gone, must not end the process that the lines tell of. They wait until they can be written. */
function openOutput(): ReturnType<typeof destination> {
  const output = destination({ fd: process.stdout.fd, sync: false, minLength: 1, maxLength: MOST_WAITING_BYTES });
  output.on('error', () => undefined);
  output.on('drop', () => output.flush());
  return output;
}
