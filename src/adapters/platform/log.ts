import { type Logger, pino } from 'pino';

/** Structured log lines on standard output. Headers and bodies are never logged; API keys are redacted in case one ever is. */
export function createLog(level: string): Logger {
  return pino({
    level,
    redact: { paths: ['*["x-api-key"]', 'headers["x-api-key"]', 'req.headers["x-api-key"]'], censor: '(withheld)' },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    base: {},
  });
}
