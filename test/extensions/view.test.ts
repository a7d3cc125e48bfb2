import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { RENDERER } from '../../src/http/pages/document/document-page.ts';
import { projectFile } from '../consistency/source-files.ts';
import { type Answer, request } from '../contract/support/client.ts';
import { assertPlainProblem, assertProblem } from '../contract/support/problem.ts';
import { newTenant } from '../contract/support/tenant.ts';
import { fileOf, newInbound, newOutbound, record } from '../engines/samples.ts';
import { as, startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';
import { ARRIVED } from './arrived-document.ts';

const START = Date.UTC(2026, 10, 16, 8);
const clock = clockAt(START);
const service = await startTestService({ clock });
after(() => service.stop());
const { storage } = service.foundation;
const tenant = await newTenant(service, { language: 'mk' });
const client = await tenant.withKey();
const root = `${service.url}${EXTENSIONS_ROOT}`;
const EUID = '01a1e43e-4b15-7000-9fa3-cae2cbf13bde';

function view(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return request(`${root}/${path}`, { headers: as(client.secret, headers) });
}

async function stored(xml: string): Promise<string> {
  const document = newOutbound({ ubl: fileOf(xml), facts: { ...newOutbound().facts, documentNumber: '2026-7001' } });
  return (await storage.transaction((tx) => tx.outbound.add(tenant.edb, document, clock.now()))).docUid;
}

async function arrived(original: string | Uint8Array, changes: object = {}): Promise<string> {
  const document = newInbound({ original: fileOf(original), ...changes });
  return (await storage.transaction((tx) => tx.inbound.add(tenant.edb, document, clock.now()))).stored.docUid;
}

/** What is read on the page, without its markup. */
function textOf({ status, text }: Answer): string {
  assert.equal(status, 200, text);
  const [, body = ''] = text.split('<main class="paper">');
  return body
    .replace(/<[^>]*>/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}

function assertShows(answer: Answer, ...texts: readonly string[]): void {
  const shown = textOf(answer);
  for (const text of texts) assert.ok(shown.includes(text), `${text} is not in: ${shown}`);
}

suite('a document for human eyes', () => {
  test('shows parties, lines, VAT, totals, payment, notes and the status in plain words', async () => {
    const docUid = await stored(projectFile('docs/examples/invoice.xml'));
    const answer = await view(`outbound/${docUid}/view?lang=en`);
    assertShows(answer, 'Invoice 2026-7001', 'Received The document waits to be sent', '2 Nov 2026');
    assertShows(
      answer,
      'Seller АЛФА ДОО Скопје Партизанска 14 1000 Скопје North Macedonia Tax number: МК4030026000018',
    );
    assertShows(answer, '1 Канцелариска хартија A4 40 pcs 180.00 18 7,200.00', '18 % 12,000.00 2,160.00');
    assertShows(answer, 'With VAT 14,160.00', 'To be paid 14,160.00 MKD', 'Paid by Credit transfer');
    assertShows(answer, 'Ви благодариме за соработката.', '16 Nov 2026 09:00:00', 'Europe/Skopje');
    assertShows(answer, `renderer: ${RENDERER}`);
    const macedonian = await view(`outbound/${docUid}/view?lang=mk`);
    assertShows(
      macedonian,
      'Фактура 2026-7001',
      'Примен',
      '02.11.2026',
      '40 парч. 180,00 18 7.200,00',
      '14.160,00 MKD',
    );
    const credit = await view(`outbound/${await stored(projectFile('docs/examples/credit-note.xml'))}/view?lang=en`);
    assertShows(credit, 'Credit note 2026-K-12', 'Earlier invoice: 2026-7001 of 2 Nov 2026');
    const due =
      '<cac:PaymentTerms><cbc:SettlementDiscountPercent>0</cbc:SettlementDiscountPercent><cbc:PenaltySurchargePercent>0.05</cbc:PenaltySurchargePercent><cbc:PaymentDueDate>2026-12-24</cbc:PaymentDueDate><cac:SettlementPeriod><cbc:DurationMeasure unitCode="DAY">30</cbc:DurationMeasure></cac:SettlementPeriod></cac:PaymentTerms><cac:TaxTotal>';
    const credited = projectFile('docs/examples/credit-note.xml').replace('<cac:TaxTotal>', due);
    const creditUid = await stored(credited);
    const inEnglish = await view(`outbound/${creditUid}/view?lang=en`);
    assertShows(inEnglish, 'Due date 24 Dec 2026 Days to pay 30');
    assertShows(inEnglish, 'Interest for late payment 0.05 % Discount for early payment 0 %');
    assertShows(
      await view(`outbound/${creditUid}/view?lang=mk`),
      'Рок за плаќање 24.12.2026 Рок за плаќање во денови 30',
    );
    const typed = (code: string) => stored(projectFile('docs/examples/invoice.xml').replace('>380<', `>${code}<`));
    assertShows(await view(`outbound/${await typed('383')}/view?lang=en`), 'Debit note 2026-7001');
    assertShows(await view(`outbound/${await typed('384')}/view?lang=en`), 'Correction: Invoice 2026-7001');
  });

  test('a line says what its price is for, and what its amount contains beside it', async () => {
    const line = (name: string, quantity: number, priceDenars: number) => ({ name, quantity, priceDenars });
    const plain = sampleInvoice({ lines: [line('Завртки', 5_000, 100), line('Табли', 4, 25)] });
    const allowance =
      '<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:AllowanceChargeReason>Рабат</cbc:AllowanceChargeReason><cbc:Amount currencyID="MKD">4.00</cbc:Amount></cac:AllowanceCharge>';
    const xml = plain
      .replace('>500000.00</cbc:LineExtensionAmount>', '>500.00</cbc:LineExtensionAmount>')
      .replace('>100.00</cbc:LineExtensionAmount>', `>96.00</cbc:LineExtensionAmount>${allowance}`)
      .replace('unitCode="C62">1</cbc:BaseQuantity>', 'unitCode="C62">1000</cbc:BaseQuantity>');
    const docUid = await stored(xml);
    const page = await view(`outbound/${docUid}/view?lang=en`);
    assertShows(page, '5,000 pcs 100.00 per 1,000 pcs 18 500.00');
    assertShows(page, 'АРТ-00002 Allowance (Рабат): 4.00 4 pcs 25.00 18 96.00');
    const macedonian = await view(`outbound/${docUid}/view?lang=mk`);
    assertShows(macedonian, '100,00 за 1.000 парч.', 'Попуст (Рабат): 4,00');
  });

  test('the language is the one that is chosen, else asked for, else that of the taxpayer', async () => {
    const docUid = await stored(sampleInvoice());
    const languageOf = async (query: string, asked?: string) => {
      const { headers } = await view(
        `outbound/${docUid}/view${query}`,
        asked === undefined ? {} : { 'Accept-Language': asked },
      );
      assert.match(headers.get('vary') ?? '', /X-Api-Key.*Accept-Language/u);
      return headers.get('content-language');
    };
    assert.equal(await languageOf('?lang=en', 'mk'), 'en');
    assert.equal(await languageOf('', 'en'), 'en');
    assert.equal(await languageOf('', 'fr'), 'mk');
    assert.equal(await languageOf(''), 'mk');
    assertPlainProblem(await view(`outbound/${docUid}/view?lang=fr`), 400);
  });

  test('the same document in the same state gives the same bytes, and another state others', async () => {
    const docUid = await stored(sampleInvoice());
    const [first, again] = [await view(`outbound/${docUid}/view`), await view(`outbound/${docUid}/view`)];
    assert.ok(first.bytes.equals(again.bytes));
    const digest = createHash('sha256').update(first.bytes).digest();
    assert.equal(first.headers.get('etag'), `"${digest.toString('hex')}"`);
    assert.equal(first.headers.get('repr-digest'), `sha-256=:${digest.toString('base64')}:`);
    assert.equal(first.headers.get('x-renderer'), String(RENDERER));
    const etag = first.headers.get('etag') ?? '';
    const known = await view(`outbound/${docUid}/view`, { 'If-None-Match': etag });
    assert.deepEqual([known.status, known.bytes.length], [304, 0]);
    await storage.transaction((tx) => tx.outbound.move(tenant.edb, docUid as never, 10, 'cancel', record(clock.now())));
    const later = await view(`outbound/${docUid}/view`, { 'If-None-Match': etag });
    assertShows(later, 'Откажан');
  });

  test('a registered document has the QR code of its page in the register', async () => {
    const docUid = await stored(sampleInvoice());
    const answer = {
      accepted: true,
      euid: EUID,
      registeredAt: null,
      statusCode: '05',
      statusName: null,
      message: null,
    };
    const accept = (qrLink: string) => {
      const ujp = { ...answer, qrLink, errors: [] };
      return storage.transaction((tx) =>
        tx.outbound.move(tenant.edb, docUid as never, 30, 'accept', record(clock.now(), { ujp })),
      );
    };
    await storage.transaction((tx) =>
      tx.outbound.move(tenant.edb, docUid as never, 10, ['prepare', 'send'], record(clock.now())),
    );
    await accept(`https://efaktura.example/euid/${EUID}`);
    const page = await view(`outbound/${docUid}/view?lang=en`);
    assertShows(page, 'Accepted The tax authority has registered the document. The buyer has refused it.', EUID);
    assert.match(page.text, /<svg class="qr" viewBox="0 0 \d+ \d+" role="img"/u);
    assert.ok(page.text.includes(`href="https://efaktura.example/euid/${EUID}"`));
  });

  test('a failed document says why, in the language that is asked for', async () => {
    const docUid = await stored(sampleInvoice());
    const failure = { failureCode: 'TOTALS-MISMATCH', failureMessage: 'The totals <b>differ</b>.' };
    await storage.transaction((tx) =>
      tx.outbound.move(tenant.edb, docUid as never, 10, 'give-up', record(clock.now(), failure)),
    );
    const page = await view(`outbound/${docUid}/view?lang=en`);
    assertShows(page, 'Not delivered', 'Reason: The totals &lt;b&gt;differ&lt;/b&gt;. (TOTALS-MISMATCH)');
  });

  test("what came from the authority is shown from its JSON, with the authority's status", async () => {
    const authorityStatus = { code: '03', name: 'Прифатена' };
    const docUid = await arrived(JSON.stringify(ARRIVED), { authorityStatus, fileName: `${EUID}.json` });
    const page = await view(`inbound/${docUid}/view?lang=en`);
    assertShows(page, 'Due date 2 Dec 2026 Days to pay 30');
    assertShows(page, 'Invoice 26-0001', 'The buyer has accepted it.', 'Seller ДОБАВУВАЧ ДОО', EUID);
    assertShows(page, '1 Услуга 2.5 ком 1,000.00 18 2,500.00', '18 % · STANDARD', 'To be paid 2,950.00 MKD');
    assertShows(page, 'Договор: Д-7 of 1 Oct 2026', 'Плаќање преку банка');
    assert.match(page.text, /<svg class="qr"/u);
  });

  test('a received credit note, debit note or void is called what it is, and a void says why', async () => {
    const { header } = ARRIVED.document;
    const page = async (changes: object, reasons: object = {}, language = 'en') => {
      const document = { ...ARRIVED.document, header: { ...header, ...changes } };
      const docUid = await arrived(JSON.stringify({ ...ARRIVED, document, ...reasons }));
      return view(`inbound/${docUid}/view?lang=${language}`);
    };
    const credit = { docType: '110', docTypeName: 'Книжно одобрение' };
    assertShows(await page(credit), 'Credit note 26-0001');
    assertShows(await page(credit, {}, 'mk'), 'Книжно одобрение 26-0001');
    assertShows(await page({ docType: '120', docTypeName: 'Книжно задолжение' }), 'Debit note 26-0001');
    const voidReason = { voidCode: '01', voidReason: 'Погрешен купувач', voidComment: 'По барање' };
    const voids = await page({ docStorno: 1 }, { voidReason });
    assertShows(voids, 'Void (storno): Invoice 26-0001', 'Reason for the void Погрешен купувач По барање');
    assertShows(await page({ docStorno: 1 }, { voidReason }, 'mk'), 'Сторно: Фактура 26-0001', 'Причина за сторно');
    const corrects = await page({ docStorno: 2 }, { correctionReason: { correctionReason: 'Цена' } });
    assertShows(corrects, 'Correction: Invoice 26-0001', 'Reason for the correction Цена');
  });

  test('the totals of what was received add up, with its discount, its rounding and what was paid in advance', async () => {
    const docTotals = {
      docNetAmount: 94.75,
      docDiscountAmount: 10,
      docNetAmountDisc: 84.75,
      docVatAmount: 15.26,
      docGrossAmount: 100.01,
      docGrossAmountR: 100,
      docAvansDate: '2026-10-01',
      docAvansDesc: 'АФ-1/26',
      docAvansAmount: 40,
      docFinalAmount: 60,
    };
    const docUid = await arrived(JSON.stringify({ document: { ...ARRIVED.document, docTotals } }));
    const sums = 'Totals Before allowances 94.75 Allowances 10.00 Without VAT 84.75 VAT 15.26 With VAT 100.01';
    const paid = 'Paid in advance АФ-1/26 of 1 Oct 2026 40.00';
    assertShows(await view(`inbound/${docUid}/view?lang=en`), `${sums} ${paid} Rounding -0.01 To be paid 60.00 MKD`);
    assertShows(await view(`inbound/${docUid}/view?lang=mk`), 'Пред попустите 94,75', 'Заокружување -0,01');
    const unpaid = { ...docTotals, docAvansAmount: null, docFinalAmount: 100 };
    const other = await arrived(JSON.stringify({ document: { ...ARRIVED.document, docTotals: unpaid } }));
    assertShows(await view(`inbound/${other}/view?lang=en`), 'Paid in advance АФ-1/26 of 1 Oct 2026 – Rounding');
  });

  test('a file that cannot be shown is named as such, with what is known of it', async () => {
    for (const original of ['%PDF-1.7', '{"document": 7}', '{', '<Order/>', new Uint8Array([0, 255, 254])]) {
      const docUid = await arrived(original, { senderName: 'Гама <ДОО>' });
      assertShows(
        await view(`inbound/${docUid}/view?lang=en`),
        'This file cannot be shown',
        'Гама &lt;ДОО&gt;',
        '59.00 EUR',
      );
    }
    const ubl = await arrived(sampleInvoice({ number: 'imported' }));
    assertShows(await view(`inbound/${ubl}/view?lang=en`), 'Invoice imported');
  });

  test('nothing of a document is markup, runs or leads elsewhere', async () => {
    const hostile = `&lt;script&gt;alert(1)&lt;/script&gt;"'&gt;\u202eturned\u200b`;
    const xml = sampleInvoice({ number: hostile, lines: [{ name: hostile, quantity: 1, priceDenars: 1 }] });
    const { text, headers } = await view(`outbound/${await stored(xml)}/view`);
    assert.doesNotMatch(text, /<script|[\u202e\u200b]/u);
    assert.match(text, /&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;&gt;\ufffdturned/u);
    const policy = headers.get('content-security-policy') ?? '';
    const [, style = ''] = /<style>(.*?)<\/style>/su.exec(text) ?? [];
    const digest = createHash('sha256').update(style).digest('base64');
    assert.match(policy, /^default-src 'none'; style-src 'sha256-/u);
    assert.ok(policy.includes(`'sha256-${digest}'`));
    assert.doesNotMatch(policy, /script-src|unsafe/u);
    assert.doesNotMatch(text, / style=| on\w+=/u);
  });

  test('of a large document the first thousand lines are shown, and it says so', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => ({ name: `Item ${index}`, quantity: 1, priceDenars: 1 }));
    const page = await view(`outbound/${await stored(sampleInvoice({ lines }))}/view?lang=en`);
    assertShows(page, 'Lines that are shown: the first 1,000 of 5,000. The stored file has all of them.', 'Item 999');
    assert.doesNotMatch(page.text, /Item 1000\b/u);
    assert.ok(page.bytes.length < 2_000_000);
  });

  test('nobody sees the documents of others', async () => {
    const docUid = await stored(sampleInvoice());
    const stranger = await (await newTenant(service)).withKey();
    const foreign = await request(`${root}/outbound/${docUid}/view`, { headers: as(stranger.secret) });
    assertProblem(foreign, 'ERR-3001');
    assertProblem(await view(`inbound/${docUid}/view`), 'ERR-3001');
    assertProblem(await view('outbound/none/view'), 'ERR-3001');
    assertProblem(await request(`${root}/outbound/${docUid}/view`), 'ERR-1001');
  });
});
