import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { EXTENSIONS_ROOT } from '../../../src/http/extensions.ts';
import { projectFile } from '../../consistency/source-files.ts';
import { json, request } from '../../contract/support/client.ts';
import { newTenant, type TestTenant } from '../../contract/support/tenant.ts';
import { fileOf, newInbound, newOutbound, record } from '../../engines/samples.ts';
import { ARRIVED } from '../../extensions/arrived-document.ts';
import { as } from '../../support/service.ts';
import { sampleInvoice } from '../../support/ubl-samples.ts';

import { hostileInvoice, hostilePayload, nonsenseInvoice, TRACE } from './hostile-views.ts';
import type { Opened } from './open-browser.ts';
import { assertReachedByKeyboard, inEveryFont, PICTURES, violations, WIDTHS, watchedPage } from './watched-page.ts';

const EUID = '01a1e43e-4b15-7000-9fa3-cae2cbf13bde';
const REGISTERED = { registeredAt: null, statusCode: '01', statusName: null, message: null, errors: [] };

/** The documents, by what is sent or what has arrived. */
const OUTBOUND: Readonly<Record<string, () => string>> = {
  invoice: () => projectFile('docs/examples/invoice.xml'),
  'credit-note': () => projectFile('docs/examples/credit-note.xml'),
  'priced-per-thousand': pricedPerThousand,
  'large-amounts': largeAmounts,
  'large-everywhere': largeEverywhere,
  hostile: hostileInvoice,
  nonsense: nonsenseInvoice,
};
const INBOUND: Readonly<Record<string, () => string>> = {
  received: () => JSON.stringify(ARRIVED),
  'received-void': () => JSON.stringify(receivedVoid()),
  'hostile-received': hostilePayload,
  unreadable: () => 'neither',
};

/** With an allowance and a charge of its line. */
function pricedPerThousand(): string {
  const extra = (isCharge: boolean, reason: string, amount: string) =>
    `<cac:AllowanceCharge><cbc:ChargeIndicator>${isCharge}</cbc:ChargeIndicator><cbc:AllowanceChargeReason>${reason}</cbc:AllowanceChargeReason><cbc:Amount currencyID="MKD">${amount}</cbc:Amount></cac:AllowanceCharge>`;
  const extras = `${extra(false, 'Рабат за големи количини', '20.00')}${extra(true, 'Пакување', '20.00')}`;
  const lines = [{ name: 'Завртки М6', quantity: 5, priceDenars: 100 }];
  return sampleInvoice({ lines })
    .replace('>5</cbc:InvoicedQuantity>', '>5000</cbc:InvoicedQuantity>')
    .replace('<cac:Item>', `${extras}<cac:Item>`)
    .replace('unitCode="C62">1</cbc:BaseQuantity>', 'unitCode="C62">1000</cbc:BaseQuantity>');
}

/** As large as amounts get: beside them the words of the page have little room. */
function largeAmounts(): string {
  return projectFile('docs/examples/invoice.xml')
    .replaceAll('12000.00', '123456789012345.00')
    .replaceAll('2160.00', '222222222022221.00')
    .replaceAll('14160.00', '345679011034566.00')
    .replaceAll('7200.00', '123456789012345.00');
}

/** Three figures side by side that leave the description no room. */
function largeEverywhere(): string {
  return largeAmounts().replaceAll('>40<', '>123456789012345<').replaceAll('>180.00<', '>123456789012345.00<');
}

function receivedVoid(): object {
  const { header } = ARRIVED.document;
  const voidReason = {
    voidCode: '01',
    voidReason: 'Погрешен купувач',
    voidComment: 'По барање на купувачот. '.repeat(10),
  };
  return { document: { ...ARRIVED.document, header: { ...header, docStorno: 1 } }, voidReason };
}

export function viewsInBrowser(opened: () => Opened): void {
  suite('documents', () => {
    let tenant: TestTenant;
    before(async () => {
      tenant = await newTenant(opened().service);
    });

    async function outboundLink(xml: string, qrLink: string): Promise<string> {
      const { storage } = opened().service.foundation;
      const now = Date.now();
      const docUid = await storage.transaction(async (tx) => {
        const { docUid: added } = await tx.outbound.add(tenant.edb, newOutbound({ ubl: fileOf(xml) }), now);
        await tx.outbound.move(tenant.edb, added, 10, ['prepare', 'send'], record(now));
        const ujp = { ...REGISTERED, accepted: true, euid: EUID, qrLink };
        await tx.outbound.move(tenant.edb, added, 30, 'accept', record(now, { ujp }));
        await tx.deliveries.saveWarnings(tenant.edb, added, [
          { code: 'LINE-LEFT-OUT', text: `<script>${TRACE} = 1</script>`, path: null },
        ]);
        return added;
      });
      return linkTo('outbound', docUid);
    }

    async function inboundLink(original: string): Promise<string> {
      const document = newInbound({ original: fileOf(original), senderName: `<script>${TRACE} = 1</script>` });
      const { stored } = await opened().service.foundation.storage.transaction((tx) =>
        tx.inbound.add(tenant.edb, document, Date.now()),
      );
      return linkTo('inbound', stored.docUid);
    }

    async function linkTo(direction: string, docUid: string): Promise<string> {
      const key = await tenant.withKey();
      const path = `${opened().service.url}${EXTENSIONS_ROOT}/${direction}/${docUid}/view-link`;
      const answer = await request(path, { method: 'POST', headers: as(key.secret) });
      return (json(answer) as { readonly url: string }).url;
    }

    const links = [
      ...Object.entries(OUTBOUND).map(([name, xml]) => {
        const qrLink = name === 'hostile' ? `javascript:${TRACE} = 1` : `https://efaktura.example/euid/${EUID}`;
        return [name, () => outboundLink(xml(), qrLink)] as const;
      }),
      ...Object.entries(INBOUND).map(([name, original]) => [name, () => inboundLink(original())] as const),
      ['link-unusable', async () => `${opened().service.url}/view/outbound/${EUID}?link=x`] as const,
    ];

    // Each once: what axe-core finds depends on the colours and the markup, not on both together.
    for (const [locale, colorScheme] of [
      ['mk', 'light'],
      ['en', 'dark'],
    ] as const) {
      test(`nothing of a document takes effect; accessible and fitting at every width (${locale}, ${colorScheme})`, async () => {
        await watchedPage(opened().browser, { root: opened().service.url, locale, colorScheme }, async (page) => {
          for (const [name, link] of links) {
            await page.goto(await link());
            assert.equal(await page.locator('html').getAttribute('lang'), locale);
            await assertFits(page, `${name}-${locale}-${colorScheme}`);
            assert.deepEqual(await violations(page), [], name);
            if (locale === 'mk') await assertReachedByKeyboard(page);
            await assertWithoutEffect(page);
          }
        });
      });
    }

    test('a long invoice is printed on sheets of A4, with the head of its table on each', async () => {
      const line = { name: 'Канцелариска хартија А4', quantity: 12, priceDenars: 235 };
      const xml = sampleInvoice({ lines: Array.from({ length: 100 }, () => line) });
      const url = await outboundLink(xml, `https://efaktura.example/euid/${EUID}`);
      await watchedPage(
        opened().browser,
        { root: opened().service.url, locale: 'mk', colorScheme: 'dark' },
        async (page) => {
          await page.goto(url);
          const pdf = await page.pdf({
            preferCSSPageSize: true,
            printBackground: true,
            ...(PICTURES === undefined ? {} : { path: `${PICTURES}/many-lines.pdf` }),
          });
          const text = pdf.toString('latin1');
          const sheets = text.match(/\/Type \/Page\b/gu)?.length ?? 0;
          assert.ok(sheets >= 3 && sheets <= 20, `${sheets} sheets`);
          assert.match(text, /\/MediaBox \[0 0 59[456](?:\.\d+)? 84[12](?:\.\d+)?\]/u);
          await page.emulateMedia({ media: 'print' });
          const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor');
          assert.equal(paper, 'rgb(255, 255, 255)', 'paper is white, whatever the screen');
          const shown = 'getComputedStyle(document.querySelector(".lines thead")).display';
          assert.equal(await page.evaluate(shown), 'table-header-group');
        },
      );
    });
  });
}

/** Nothing ran, and nothing in the document leads elsewhere: links are ours, or the register's. */
async function assertWithoutEffect(page: Page): Promise<void> {
  await page.mouse.move(200, 400);
  assert.equal(await page.evaluate(`typeof ${TRACE}`), 'undefined');
  assert.equal(await page.locator('script, img, iframe, svg:not(.qr), form, object, embed').count(), 0);
  const links = (await page.evaluate('[...document.links].map(({ href }) => href)')) as readonly string[];
  const own = new URL(page.url()).origin;
  for (const href of links) assert.ok(href.startsWith(`${own}/view/`) || href.endsWith(`/euid/${EUID}`), href);
}

/** Where lines become a table, in narrow and in wide fonts, and where the page has its full width. */
const TABLE_WIDTHS = [641, 700, 940];
/** Of a sheet of A4 within its margins. */
const SHEET_WIDTH = 680;

async function assertFits(page: Page, name: string): Promise<void> {
  for (const width of [...WIDTHS, ...TABLE_WIDTHS]) {
    await assertFitsAt(page, name, width);
    if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}-${width}.png`, fullPage: true });
  }
  await page.emulateMedia({ media: 'print' });
  await assertFitsAt(page, `${name} on paper`, SHEET_WIDTH);
  await page.emulateMedia({ media: null });
}

async function assertFitsAt(page: Page, name: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await inEveryFont(page, async (font) => {
    assert.deepEqual(await page.evaluate('pageChecks.overflowing()'), [], `${name} ${width} ${font}`);
    if (name.includes('hostile') || name.includes('nonsense')) return;
    assert.deepEqual(await page.evaluate('pageChecks.brokenWords()'), [], `${name} ${width} ${font}`);
  });
}
