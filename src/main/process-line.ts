import { packageVersion } from '../app/states/package-version.ts';
import { systemPlatform } from '../app/system-platform.ts';
import { formatInstant } from '../domain/values/instant.ts';

/** A line about the process itself, in the form of log lines and whatever their level: when it starts and stops must be on record. */
export function processLine(message: string, facts: Readonly<Record<string, unknown>> = {}): string {
  const time = formatInstant(systemPlatform.clock.now());
  return JSON.stringify({ level: 'info', time, version: packageVersion(), ...facts, msg: message });
}
