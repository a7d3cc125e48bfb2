import { type Logger, pino } from 'pino';
import { maskKeysInLine } from '../../domain/audit/caller-text.ts';

/**
 * Structured log lines on standard output. Headers and bodies are never logged; API keys are redacted in case one ever is, also
 * within a path or the message of an error.
 */
export function createLog(level: string, onLine: (line: string) => void = () => undefined): Logger {
  return pino({
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
  });
}
