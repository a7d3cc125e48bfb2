import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium';

/** Why there is no browser on this machine; false when there is one. */
export const NO_BROWSER = existsSync(EXECUTABLE)
  ? false
  : `there is no browser at ${EXECUTABLE}; install Debian's chromium, or name one in TEST_CHROMIUM`;

/** The pages come from the service under test alone, so that the sandbox, which containers do not offer, is not needed. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
}
