import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const CHECKS = fileURLToPath(new URL('./page-checks.js', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const WIDTHS = [390, 1440];

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

/** Opens a page of its own in the browser; what it may not do is found at the end. */
export async function watchedPage(
  browser: Browser,
  { root, ...options }: BrowserContextOptions & { readonly root: string },
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('console', (message) => {
    // That an address is not there is what its page is about.
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('404')) wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('dialog', (dialog) => wrong.push(dialog.message()));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${root}/`)) wrong.push(request.url());
  });
  await page.addInitScript({ path: CHECKS });
  await use(page);
  assert.deepEqual(wrong, []);
  await context.close();
}

/** What axe-core finds. */
export async function violations(page: Page): Promise<readonly string[]> {
  const known = await page.evaluate('typeof axe');
  // Evaluated by the debugger, not by the page, whose policy stays in force.
  if (known === 'undefined') await page.evaluate(AXE);
  const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as readonly Violation[];
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(' ')}`);
}

const STOPS_OF_A_CONTROL = 4;

/** Every control can be reached with the tabulator key alone. */
export async function assertReachedByKeyboard(page: Page): Promise<void> {
  const controls = (await page.evaluate('pageChecks.markControls()')) as readonly string[];
  const reached = new Set<string | null>();
  // A field for a date has several stops.
  const most = STOPS_OF_A_CONTROL * controls.length;
  for (let count = 0; count <= most && reached.size <= controls.length; count += 1) {
    await page.keyboard.press('Tab');
    reached.add((await page.evaluate('pageChecks.focused()')) as string | null);
  }
  assert.deepEqual(
    controls.filter((_, index) => !reached.has(String(index))),
    [],
  );
}
