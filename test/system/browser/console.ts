import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, suite, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { readEdb } from '../../../src/application/accounts/manage-tenants.ts';
import type { DocUid } from '../../../src/domain/documents/doc-uid.ts';
import { addOperator, PASSWORD } from '../../console/console-visitor.ts';
import { addOutboundIn, fileOf, newAuditEntry, newInbound, newOutbound } from '../../engines/samples.ts';
import { PROJECT } from '../../support/process.ts';
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

const ALFA = readEdb('4030026000018');
const BETA = readEdb('4080026000023');
/** An address is one long word. */
const LONG_REASON = 'authority.example:18091/einvoice_api/api/v1/document-types answered HTTP 502, not JSON in UTF-8';
const LONG_PATH = '/Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount';
/** Of a small telephone, below and above the width from which on lists are tables, and where three panels stand in a row. */
const LIST_WIDTHS = [320, 800, 1030, 1090];
/** What has a length of its own in a row of a list, and the names of facts. */
const WHOLE = '.rows .num, .rows time, .rows .edb, .rows .act, .rows .address, .facts dt';
const REASON = 'The tax authority does not accept the account: certificate not found.';

export function consoleInBrowser(opened: () => Opened): void {
  suite('console', () => consoleTests(opened));
}

function consoleTests(opened: () => Opened): void {
  let failed: DocUid;
  let longNumbered: DocUid;

  before(async () => {
    const { storage, engine } = opened().service.foundation;
    await addOperator(storage, 'vera', 'operator');
    await engine.transaction((sql) =>
      sql.run(
        `insert into recurring_task (tenant, name, due_at, failures, failure) values ($1, 'collect', $2, 3, $3)
         on conflict (tenant, name) do update set failures = 3, failure = excluded.failure`,
        [ALFA, Date.now(), LONG_REASON],
      ),
    );
    failed = await add('2026-FAILED-1', 55);
    await add('2026-DONE-1', 40);
    longNumbered = await add(`2026-${'Њ'.repeat(200)}`, 40);
    const rounded = { code: 'PAYABLE-ROUNDED', text: `It was rounded (${LONG_PATH}).`, path: LONG_PATH } as const;
    await storage.transaction((tx) => tx.deliveries.saveWarnings(ALFA, longNumbered, [rounded]));
    await storage.transaction((tx) => tx.tenants.stop(BETA, REASON, Date.now()));
  });

  async function addArrived(): Promise<DocUid> {
    const original = fileOf(readFileSync(`${PROJECT}docs/examples/invoice.xml`));
    const { storage } = opened().service.foundation;
    const { stored } = await storage.transaction((tx) => tx.inbound.add(ALFA, newInbound({ original }), Date.now()));
    return stored.docUid;
  }

  async function add(documentNumber: string, status: 40 | 55): Promise<DocUid> {
    const document = newOutbound({ ubl: fileOf(readFileSync(`${PROJECT}docs/examples/invoice.xml`)) });
    const facts = { ...document.facts, documentNumber };
    const change = status === 55 ? { failureCode: 'AUTHORITY-ERROR', failureMessage: 'It did not answer.' } : {};
    const { storage } = opened().service.foundation;
    const { docUid } = await storage.transaction((tx) =>
      addOutboundIn(tx, ALFA, status, { ...document, facts }, Date.now(), change),
    );
    return docUid;
  }

  async function pathsIn(locale: string): Promise<readonly string[]> {
    const [key] = await opened().service.operator.keys.list(ALFA);
    const document = `/documents/outbound/${ALFA}/${failed}`;
    const ofDocuments = ['', '/documents', document, `${document}/cancel`];
    const others = [
      '/tenants',
      `/tenants/${ALFA}`,
      '/keys',
      `/keys/${key?.keyId}/revoke`,
      '/audit',
      '/system',
      '/nothing',
    ];
    // The longer language stands for both where the parts of a page are those of others.
    if (locale !== 'mk') return [...ofDocuments, ...others];
    await opened().service.foundation.storage.transaction((tx) => tx.tenants.stop(BETA, REASON, Date.now()));
    const ofArrived = `/documents/inbound/${ALFA}/${await addArrived()}`;
    const unreadable = '/documents?direction=inbound&status=40&tenant=Beta&since=99.99.2026';
    const ofLongNumber = `/documents/outbound/${ALFA}/${longNumbered}`;
    const more = [
      unreadable,
      ofLongNumber,
      `${document}/retry`,
      `${document}/void`,
      ofArrived,
      `/tenants/${BETA}/resume`,
    ];
    return [...ofDocuments, ...more, ...others];
  }

  const root = () => `${opened().service.opsUrl}/console`;

  const signedIn = (options: BrowserContextOptions, use: (page: Page) => Promise<void>) =>
    watchedPage(opened().browser, { root: opened().service.opsUrl, ...options }, async (page) => {
      await page.goto(root());
      await page.locator('#name').fill('vera');
      await page.locator('#password').fill(PASSWORD);
      await page.locator('#password').press('Enter');
      await page.locator('h1').waitFor();
      await use(page);
      // Attempts are counted by the minute; other tests sign in too.
      await page.locator('.who button').click();
      await page.locator('#password').waitFor();
    });

  test("an operator's morning: a stopped tenant, its cause, an invoice, its story, a retry", async () => {
    await signedIn({ locale: 'en' }, async (page) => {
      const attention = page.getByRole('region', { name: 'What needs attention' });
      await attention.getByText(REASON).first().waitFor();
      await attention.getByRole('link', { name: /Beta/u }).first().click();
      await page.getByRole('heading', { name: /Stopped since/u }).waitFor();
      assert.ok((await page.locator('main').textContent())?.includes(REASON));
      await page.getByRole('link', { name: 'Resume' }).click();
      await page.getByText('Its documents are sent from now on.').waitFor();
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByText('delivers').waitFor();
      assert.equal((await opened().service.foundation.storage.tenants.find(BETA))?.stopped, null);

      await page.getByRole('link', { name: 'Documents', exact: true }).click();
      await page.locator('#q').fill('2026-FAILED-1');
      await page.locator('#q').press('Enter');
      await page.getByRole('link', { name: '2026-FAILED-1' }).click();
      const story = page.getByRole('region', { name: 'What happened' });
      await story.getByText('Status 55').waitFor();
      await page.getByText('It was given up.').waitFor();
      await page.frameLocator('iframe.invoice').locator('h1').waitFor();

      await page.getByRole('link', { name: 'Retry' }).click();
      await page.getByText('It goes back into the queue').waitFor();
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.getByRole('heading', { name: /20 Being prepared/u }).waitFor();
      assert.equal((await opened().service.foundation.storage.outbound.find(ALFA, failed))?.status, 20);
      await page.getByText(`outbound retry ${failed}`).waitFor();
    });
  });

  /** The time of the page is in the hands of the test, which does not wait for the next refresh. */
  async function untilRefresh(page: Page): Promise<void> {
    await page.clock.fastForward(Number(await page.locator('body').getAttribute('data-refresh')) * 1000);
  }

  test('what is open is brought up to date without loading it anew', async () => {
    await signedIn({ locale: 'en' }, async (page) => {
      await page.clock.install();
      await page.reload();
      await page.evaluate('window.isTheSame = true');
      const before = await page.locator('.card', { hasText: '40 Accepted' }).locator('.figure').textContent();
      await add('2026-LIVE-1', 40);
      await untilRefresh(page);
      const next = String(Number(before) + 1);
      await page.locator('.card', { hasText: '40 Accepted' }).getByText(next, { exact: true }).waitFor();
      assert.equal(await page.evaluate('window.isTheSame'), true);
    });
  });

  test('what is chosen while news are on their way stays chosen', async () => {
    await signedIn({ locale: 'en' }, async (page) => {
      await page.clock.install();
      await page.reload();
      const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
      const { promise: isChosen, resolve: chosen } = Promise.withResolvers<void>();
      await page.route(root(), async (route) => {
        asked();
        await isChosen;
        await route.continue();
      });
      await untilRefresh(page);
      await isAsked;
      await add('2026-LIVE-2', 40);
      const link = page.locator('a', { hasText: '40 Accepted' });
      await link.focus();
      const answer = page.waitForResponse(root());
      chosen();
      await (await answer).finished();
      // The answer was used or put aside when the page has taken its next turn.
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
      assert.equal(await link.evaluate((element) => element.matches(':focus')), true);
      await page.unroute(root());
    });
  });

  for (const [locale, colorSchemes] of LOOKS) {
    test(`every page (${locale}) is accessible, fits and is reached by the keyboard`, async () => {
      await signedIn({ locale }, async (page) => {
        for (const path of await pathsIn(locale)) {
          await page.goto(`${root()}${path}`);
          assert.equal(await page.locator('html').getAttribute('lang'), locale);
          await assertLooks(page, `${path.replaceAll(/[^a-z]+/gu, '-') || 'overview'}-${locale}`, colorSchemes);
          if (locale === 'en') await assertReachedByKeyboard(page);
        }
      });
    });
  }

  test('figures, times, addresses, names of facts and what can be done stay whole', async () => {
    const path = '/api/extensions/v1/outbound/01a1f0e7-7e2a-752f-ab93-ecaa2286b8d3/view-link';
    const entry = newAuditEntry({ at: Date.now(), tenant: ALFA, path, address: '203.0.113.113' });
    await opened().service.foundation.storage.transaction((tx) => tx.audit.append([entry]));
    await signedIn({ locale: 'mk' }, async (page) => {
      for (const width of LIST_WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        for (const list of ['/documents', '/keys', '/audit', '/tenants', `/tenants/${ALFA}`]) {
          await page.goto(`${root()}${list}`);
          assert.ok((await page.locator(WHOLE).count()) > 0, list);
          await inEveryFont(page, async (font) => {
            const broken = await page.evaluate(`pageChecks.brokenWords('${WHOLE}')`);
            assert.deepEqual(broken, [], `${list} ${width} ${font}`);
            assert.deepEqual(await page.evaluate('pageChecks.overflowing()'), [], `${list} ${width} ${font}`);
          });
        }
      }
    });
  });

  test('the page to sign in is accessible and fits', async () => {
    await watchedPage(opened().browser, { root: opened().service.opsUrl, locale: 'mk' }, async (page) => {
      await page.goto(root());
      await assertLooks(page, 'sign-in-mk', ['light', 'dark']);
      await assertReachedByKeyboard(page);
    });
  });
}

async function assertLooks(page: Page, name: string, colorSchemes: readonly ('light' | 'dark')[]): Promise<void> {
  for (const [index, width] of WIDTHS.entries()) {
    await page.setViewportSize({ width, height: 900 });
    await inEveryFont(page, async (font) => {
      assert.deepEqual(await page.evaluate('pageChecks.overflowing()'), [], `${name} ${width} ${font}`);
    });
    for (const colorScheme of colorSchemes) {
      // One scheme is looked at in one width: light on a wide screen, dark on a narrow one.
      const isLookedAt = colorSchemes.length > 1 || index === (colorScheme === 'dark' ? 0 : WIDTHS.length - 1);
      if (!isLookedAt) continue;
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violations(page), [], `${name} ${width} ${colorScheme}`);
      if (PICTURES === undefined) continue;
      await page.screenshot({ path: `${PICTURES}/console${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
}
