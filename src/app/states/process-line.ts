import { formatInstant } from '../../domain/values/instant.ts';
import { systemPlatform } from '../system-platform.ts';
import { packageVersion } from './package-version.ts';

/** A line about the process itself, in the form of log lines and whatever their level: when it starts and stops must be on record. */
export function processLine(message: string, facts: Readonly<Record<string, unknown>> = {}): string {
  const time = formatInstant(systemPlatform.clock.now());
  return JSON.stringify({ level: 'info', time, version: packageVersion(), ...facts, msg: message });
}
