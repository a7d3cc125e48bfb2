import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Random, seededRandom, withRandom } from '../../../../support/seeds.ts';
import { totals } from '../sample-content.ts';
import { drawChangedInvoice } from './changed-invoice.ts';
import { type DrawnInvoice, drawInvoice, type Registered } from './drawn-invoice.ts';
import { upTo } from './drawn-line.ts';
import { checkPublishedFormulas } from './published-formulas.ts';
import { centsOf, outcomeOf, type Sent } from './sent-figures.ts';
import { checkBySimulator } from './simulated-checks.ts';

const IS_LONG = process.env['TEST_LONG'] === '1';
const COUNT = IS_LONG ? 10_000 : 400;
const LARGE = IS_LONG ? 50 : 1;
const FIXED_SEEDS = 100;
const SIZES = [1, 1, 1, 2, 3, 5, 10, 30] as const;
/** Lines of the few documents that have many: as long as they are rare, they would take most of the time. */
const [MOST_LINES, MANY_LINES] = IS_LONG ? [1000, 150] : [300, 60];

function drawSize(random: Random): number {
  const draw = random();
  const most = draw < 0.005 ? MOST_LINES : draw < 0.05 ? MANY_LINES : (SIZES[Math.floor(random() * SIZES.length)] ?? 1);
  return Number(upTo(random, most));
}

function checkRegistered({ docItems, docTotals, vatTotals }: Sent, expected: Registered): void {
  const found = {
    net: centsOf(docTotals, 'docNetAmountDisc'),
    vat: centsOf(docTotals, 'docVatAmount'),
    gross: centsOf(docTotals, 'docGrossAmount'),
    prepaid: centsOf(docTotals, 'docAvansAmount'),
    final: centsOf(docTotals, 'docFinalAmount'),
  };
  for (const item of docItems) centsOf(item, 'docItemTotalPriceWoVat');
  const { payable, ...registered } = expected;
  assert.deepEqual(found, registered);
  assert.ok(payable - found.final < 100n && found.final - payable < 100n);
  const taxable = vatTotals.reduce((sum, row) => sum + centsOf(row, 'vatTaxableAmount'), 0n);
  assert.equal(taxable, expected.net, 'the VAT rows add up to the net amount');
}

function checkDrawn({ content, registered }: DrawnInvoice): void {
  const outcome = outcomeOf(content);
  if (!('sent' in outcome)) assert.fail(JSON.stringify(outcome, null, 1));
  checkRegistered(outcome.sent, registered);
  checkPublishedFormulas(outcome.sent);
  checkBySimulator(outcome.text);
  const isRounded = outcome.warnings.some(({ code }) => code === 'PAYABLE-ROUNDED');
  assert.equal(
    isRounded,
    registered.final !== registered.payable,
    'a warning says that another amount to pay is registered',
  );
}

describe('any document that is consistent by EN 16931 is registered with its own net, VAT, gross and amount to pay', () => {
  test(`with ${FIXED_SEEDS} fixed seeds`, () => {
    for (let seed = 0; seed < FIXED_SEEDS; seed += 1) {
      const random = seededRandom(seed);
      checkDrawn(drawInvoice(random, drawSize(random)));
    }
  });

  test(`with ${COUNT} documents of a new seed`, () =>
    withRandom((random) => {
      for (let done = 0; done < COUNT; done += 1) checkDrawn(drawInvoice(random, drawSize(random)));
    }));

  test(`with 5,000 lines, ${LARGE} time(s)`, () =>
    withRandom((random) => {
      for (let done = 0; done < LARGE; done += 1) checkDrawn(drawInvoice(random, 5_000));
    }));
});

test("a document that states no amounts but prices fulfils the authority's formulas too, or cannot be expressed", (t) =>
  withRandom((random) => {
    let sent = 0;
    for (let done = 0; done < COUNT; done += 1) {
      const { content } = drawInvoice(random, drawSize(random));
      const lines = content.lines.map((line) => ({ ...line, lineExtension: null }));
      const outcome = outcomeOf({ ...content, lines, taxTotals: [], totals: totals() });
      if ('sent' in outcome) {
        checkPublishedFormulas(outcome.sent);
        checkBySimulator(outcome.text);
      } else assert.equal(outcome.failure, 'NOT-EXPRESSIBLE', outcome.message);
      sent += 'sent' in outcome ? 1 : 0;
    }
    t.diagnostic(`${sent} of ${COUNT}`);
    assert.ok(sent > COUNT * 0.8);
  }));

test('a document with one figure changed by a cent is refused, or registered as it stands', (t) =>
  withRandom((random) => {
    const outcomes: Record<string, number> = {};
    for (let done = 0; done < COUNT; done += 1) {
      const { content, registered, what } = drawChangedInvoice(random, drawSize(random));
      const outcome = outcomeOf(content);
      const name = 'sent' in outcome ? `${what} sent` : outcome.failure;
      outcomes[name] = (outcomes[name] ?? 0) + 1;
      if ('sent' in outcome) checkRegistered(outcome.sent, registered);
      else assert.ok(['TOTALS-MISMATCH', 'NOT-EXPRESSIBLE'].includes(outcome.failure), outcome.message);
    }
    t.diagnostic(JSON.stringify(outcomes));
    assert.ok((outcomes['TOTALS-MISMATCH'] ?? 0) > COUNT / 2);
  }));
