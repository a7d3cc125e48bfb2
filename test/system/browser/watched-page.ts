import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const CHECKS = fileURLToPath(new URL('./page-checks.js', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Of a small telephone, as of a screen of 1280 at 400 % (WCAG 1.4.10), just above 48rem, where the parts of a page stand side by side, and of a large screen. */
export const WIDTHS = [320, 800, 1440];
/** Widths of a digit, in em, that make the words of usual fonts as wide as those of DejaVu Sans and Verdana, and as narrow as condensed ones. */
const FONTS = { wide: 0.62, narrow: 0.49 };
/** A folder for pictures of every page, to be looked at. */
export const PICTURES = process.env['PAGE_PICTURES'];
/**
 * What axe-core finds depends on the colours and on the words, not on both together: each is looked at once, every combination
 * in long mode.
 */
export const LOOKS =
  process.env['TEST_LONG'] === '1' || PICTURES !== undefined
    ? ([
        ['en', ['light', 'dark']],
        ['mk', ['light', 'dark']],
      ] as const)
    : ([
        ['en', ['light']],
        ['mk', ['dark']],
      ] as const);

/** Whatever font this machine has, its letters are made as wide and as narrow as those that readers have. Code keeps its own. */
export async function inEveryFont(page: Page, look: (font: string) => Promise<void>): Promise<void> {
  for (const [font, width] of Object.entries(FONTS)) {
    const style = `body { font-size-adjust: ch-width ${width} } code, pre, .code { font-size-adjust: none }`;
    // A sheet that is constructed is none of the page, whose policy stays in force.
    await page.evaluate(`(globalThis.letters = new CSSStyleSheet()).replaceSync('${style}')`);
    await page.evaluate('document.adoptedStyleSheets = [globalThis.letters]');
    const adjusted = await page.evaluate('getComputedStyle(document.body).fontSizeAdjust');
    assert.equal(adjusted, `ch-width ${width}`, 'a browser that can change the width of letters');
    await look(font);
  }
  await page.evaluate('document.adoptedStyleSheets = []');
}

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

/** What axe-core finds in the page, or in the part of it that a selector names. */
export async function violations(page: Page, part?: string): Promise<readonly string[]> {
  const known = await page.evaluate('typeof axe');
  // Evaluated by the debugger, not by the page, whose policy stays in force.
  if (known === 'undefined') await page.evaluate(AXE);
  const where = part === undefined ? 'document' : JSON.stringify(part);
  // Without a word about what is right, which is most of what there is and of the time, and without the frame of an invoice: it has an
  // origin of its own, which takes no message of axe-core, and is looked at by itself.
  const run = `axe.run(${where}, { iframes: false, resultTypes: ['violations'] }).then(({ violations }) => violations)`;
  const found = (await page.evaluate(run)) as readonly Violation[];
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(' ')}`);
}

const STOPS_OF_A_CONTROL = 4;

/** Every control can be reached with the tabulator key alone. */
export async function assertReachedByKeyboard(page: Page): Promise<void> {
  const controls = Number(await page.evaluate('pageChecks.watchControls()'));
  const unreached = () => page.evaluate('pageChecks.unreached()') as Promise<readonly string[]>;
  // A field for a date has several stops.
  for (let round = 0; round < STOPS_OF_A_CONTROL && (await unreached()).length > 0; round += 1) {
    for (let count = 0; count <= controls; count += 1) await page.keyboard.press('Tab');
  }
  assert.deepEqual(await unreached(), []);
}
