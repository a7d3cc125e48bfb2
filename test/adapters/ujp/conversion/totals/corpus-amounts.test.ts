import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contentOf } from '../../../../../src/adapters/ubl/content/stored-content.ts';
import { convert } from '../../../../../src/adapters/ujp/conversion/convert.ts';
import { corpusBytes, corpusMissing, corpusRows } from '../../../../support/corpus.ts';
import { brokenRules } from './consistent-by-en16931.ts';
import { onlyAmounts, ratesOf } from './corpus-content.ts';

function cents(amount: { readonly value: string } | null): number {
  return Math.round(Number(amount?.value ?? 0) * 100);
}

describe('documents of the corpus that are consistent by EN 16931', () => {
  test('are registered with their own net, VAT and gross, or fail with figures', { skip: corpusMissing }, (t) => {
    const outcomes: Record<string, number> = {};
    for (const row of corpusRows().filter(({ reason }) => reason === '')) {
      const content = contentOf(corpusBytes(row));
      const broken = brokenRules(content);
      if (broken.length > 0) continue;
      const conversion = convert(onlyAmounts(content), ratesOf(content));
      const name = conversion.outcome === 'failed' ? conversion.message.replace(/ \(\S*\)\.$/u, '') : 'converted';
      outcomes[name] = (outcomes[name] ?? 0) + 1;
      if (conversion.outcome === 'failed') continue;
      const { docTotals } = conversion.payload.document;
      const { taxExclusive, taxInclusive } = content.totals;
      const registered = [docTotals.docNetAmountDisc, docTotals.docGrossAmount].map((one) => Math.round(one * 100));
      assert.deepEqual(registered, [cents(taxExclusive), cents(taxInclusive)], row.file);
    }
    t.diagnostic(JSON.stringify(outcomes, null, 1));
    assert.ok((outcomes['converted'] ?? 0) > 50);
  });
});
