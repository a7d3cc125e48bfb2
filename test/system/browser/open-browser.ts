import { existsSync } from 'node:fs';
import { after, before, suite } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { startTestService, type TestService } from '../../support/service.ts';

const EXECUTABLE = process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium';

/** Why there is no browser on this machine; false when there is one. */
const NO_BROWSER = existsSync(EXECUTABLE)
  ? false
  : `there is no browser at ${EXECUTABLE}; install Debian's chromium, or name one in TEST_CHROMIUM`;

/** What the pages are looked at with. */
export type Opened = { readonly service: TestService; readonly browser: Browser };

/** One service and one browser for several suites: together they take longer to start than many a page to be looked at. */
export function inBrowser(name: string, ...suites: readonly ((opened: () => Opened) => void)[]): void {
  suite(name, { skip: NO_BROWSER }, () => {
    let service: TestService;
    let browser: Browser;
    before(async () => {
      [service, browser] = await Promise.all([startTestService(), openBrowser()]);
    });
    after(async () => {
      await browser.close();
      await service.stop();
    });
    for (const begin of suites) begin(() => ({ service, browser }));
  });
}

/** The pages come from the service under test alone, so that the sandbox, which containers do not offer, is not needed. */
function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
}
