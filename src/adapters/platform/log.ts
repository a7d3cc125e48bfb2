import { type Logger, type LoggerOptions, pino } from 'pino';
import type { Timers } from '../../application/ports/platform.ts';
import { maskKeysInLine } from '../../domain/audit/caller-text.ts';
import { openLogOutput } from './log-output.ts';

/**
 * Structured log lines on standard output. Headers and bodies are never logged; API keys are redacted in case one ever is, also
 * within a path or the message of an error.
 */
export function createLog(level: string, timers: Timers, onLine: (line: string) => void = () => undefined): Logger {
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
  const output = openLogOutput({
    fd: process.stdout.fd,
    timers,
    onLost: (lines) => log.warn({ lines }, 'log lines were lost: nobody read them, or the disk was full'),
  });
  const log: Logger = pino(options, output);
  return log;
}
