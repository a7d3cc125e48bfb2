import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startTestService, type TestService } from '../support/service.ts';
import { NO_BROWSER, openBrowser } from './browser.ts';
import { assertReachedByKeyboard, violations, WIDTHS, watchedPage } from './watched-page.ts';

/** A folder for pictures of every page, to be looked at. */
const PICTURES = process.env['PAGE_PICTURES'];

const PAGES: Readonly<Record<string, string>> = {
  front: '/',
  reference: '/docs',
  extensions: '/docs/extensions',
  errors: '/errors',
  error: '/errors/ERR-2010',
  'not-found': '/a/b',
};
suite('pages in a browser', { skip: NO_BROWSER }, () => {
  let service: TestService;
  let browser: Browser;

  before(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  const withPage = (options: BrowserContextOptions, use: (page: Page) => Promise<void>) =>
    watchedPage(browser, { root: service.url, ...options }, use);

  for (const [name, path] of Object.entries(PAGES)) {
    for (const locale of ['en', 'mk']) {
      test(`${name} (${locale}) is accessible and fits, at both widths, light and dark`, async () => {
        await withPage({ locale }, async (page) => {
          await page.goto(service.url + path);
          assert.equal(await page.locator('html').getAttribute('lang'), locale);
          for (const width of WIDTHS) await assertFits(page, `${name}-${locale}`, width);
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            assert.deepEqual(await violations(page), [], colorScheme);
          }
        });
      });
    }

    test(`every control of ${name} is reached by the keyboard alone`, async () => {
      await withPage({}, async (page) => {
        await page.goto(service.url + path);
        await assertReachedByKeyboard(page);
      });
    });
  }

  test('a command is copied by its button', async () => {
    await withPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await page.goto(`${service.url}/errors/ERR-1001`);
      const command = await page.locator('pre').textContent();
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), command);
    });
  });

  test('a call is sent from the reference: a submission, then what became of it', async () => {
    await withPage({}, async (page) => {
      await page.goto(`${service.url}/docs`);
      for (const [call, expected] of [
        ['ping', /"keyValid": true/u],
        ['submitOutbound', /"alreadyExisted": false/u],
        ['readOutbound', /"documentNumber": "2026-7001"/u],
      ] as const) {
        const section = page.locator(`#${call}`);
        await section.getByText('Try it').click();
        await section.getByRole('button', { name: 'Send' }).click();
        await section.locator('[role="status"] pre').waitFor();
        assert.match((await section.locator('[role="status"]').textContent()) ?? '', expected);
        assert.deepEqual(await violations(page), []);
      }
    });
  });
});

async function assertFits(page: Page, name: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  assert.deepEqual(await page.evaluate('pageChecks.overflowing()'), [], `${width}`);
  assert.deepEqual(await page.evaluate('pageChecks.brokenWords()'), [], `${width}`);
  if (PICTURES === undefined) return;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${PICTURES}/${name}-${width}-${colorScheme}.png`, fullPage: true });
  }
}
