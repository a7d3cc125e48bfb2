import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Opened } from './open-browser.ts';
import {
  assertReachedByKeyboard,
  inEveryFont,
  LOOKS,
  PICTURES,
  violations,
  WIDTHS,
  watchedPage,
} from './watched-page.ts';

const PAGES: Readonly<Record<string, string>> = {
  front: '/',
  reference: '/docs',
  extensions: '/docs/extensions',
  errors: '/errors',
  error: '/errors/ERR-2010',
  'not-found': '/a/b',
};
export function pagesInBrowser(opened: () => Opened): void {
  suite('pages', () => {
    const url = () => opened().service.url;
    const withPage = (options: BrowserContextOptions, use: (page: Page) => Promise<void>) =>
      watchedPage(opened().browser, { root: url(), ...options }, use);

    for (const [locale, colorSchemes] of LOOKS) {
      test(`every page (${locale}) is accessible and fits, at every width, and is reached by the keyboard`, async () => {
        await withPage({ locale }, async (page) => {
          for (const [name, path] of Object.entries(PAGES)) {
            await page.goto(url() + path);
            assert.equal(await page.locator('html').getAttribute('lang'), locale);
            await assertLooks(page, `${name}-${locale}`, colorSchemes);
            if (locale === 'en') await assertReachedByKeyboard(page);
          }
        });
      });
    }

    test('a command is copied by its button', async () => {
      await withPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
        await page.goto(`${url()}/errors/ERR-1001`);
        const command = await page.locator('pre').textContent();
        await page.getByRole('button', { name: 'Copy' }).click();
        await page.getByRole('button', { name: 'Copied' }).waitFor();
        assert.equal(await page.evaluate('navigator.clipboard.readText()'), command);
      });
    });

    test('a call is sent from the reference: a submission, then what became of it', async () => {
      await withPage({}, async (page) => {
        await page.goto(`${url()}/docs`);
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
          assert.deepEqual(await violations(page, `#${call}`), []);
        }
      });
    });
  });
}

async function assertLooks(page: Page, name: string, colorSchemes: readonly ('light' | 'dark')[]): Promise<void> {
  for (const width of WIDTHS) await assertFits(page, name, width);
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violations(page), [], `${name} ${colorScheme}`);
  }
}

async function assertFits(page: Page, name: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await inEveryFont(page, async (font) => {
    assert.deepEqual(await page.evaluate('pageChecks.overflowing()'), [], `${name} ${width} ${font}`);
    assert.deepEqual(await page.evaluate('pageChecks.brokenWords()'), [], `${name} ${width} ${font}`);
  });
  if (PICTURES === undefined) return;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${PICTURES}/${name}-${width}-${colorScheme}.png`, fullPage: true });
  }
}
