import type { Clock } from '../../application/ports/platform.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { packageVersion } from './package-version.ts';

/** A line about the process itself, in the form of log lines and whatever their level: when it starts and stops must be on record. */
export function processLine(clock: Clock, message: string, facts: Readonly<Record<string, unknown>> = {}): string {
  const time = formatInstant(clock.now());
  return JSON.stringify({ level: 'info', time, version: packageVersion(), ...facts, msg: message });
}
