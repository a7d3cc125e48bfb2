import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { serialise } from '../../../../src/adapters/threads/serialised-content.ts';
import { neededLookups } from '../../../../src/adapters/ujp/conversion/needed-lookups.ts';
import { preparation } from '../../../../src/adapters/ujp/conversion/preparation.ts';
import { createConverter } from '../../../../src/adapters/ujp/preparation/converter.ts';
import { CONTEXT, identifier, invoice, line, party } from '../conversion/sample-content.ts';

describe('the converter', () => {
  const converter = createConverter();
  after(() => converter.close());

  const of = (lines: number, tenant: string = CONTEXT.tenantEdb) =>
    invoice({
      supplier: party({ identifiers: [identifier('tax-scheme', tenant, 'VAT')] }),
      lines: Array.from({ length: lines }, () => line()),
    });

  for (const [size, lines] of Object.entries({ small: 2, large: 3_000 })) {
    test(`turns a ${size} document into what the conversion makes of it`, async () => {
      const content = of(lines);
      const document = await converter.open(serialise(content));
      assert.deepEqual(document.needed, neededLookups(content));
      const expected = preparation(content, CONTEXT);
      assert.equal(expected.outcome, 'prepared');
      assert.deepEqual(await document.convert(CONTEXT), expected);
    });

    test(`says why a ${size} document cannot be converted`, async () => {
      const content = of(lines, '4030000000001');
      const document = await converter.open(serialise(content));
      const failed = await document.convert(CONTEXT);
      assert.equal(failed.outcome, 'failed');
      assert.deepEqual(failed, preparation(content, CONTEXT));
    });
  }

  test('hands a large document to another thread without a copy', async () => {
    const large = serialise(of(3_000));
    await converter.open(large);
    assert.ok(typeof large !== 'string');
    assert.equal(large.byteLength, 0);
  });
});
