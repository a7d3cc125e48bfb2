import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { serialise } from '../../../../src/adapters/threads/serialised-content.ts';
import { TaskTimeout } from '../../../../src/adapters/threads/thread-pool.ts';
import { neededLookups } from '../../../../src/adapters/ujp/conversion/needed-lookups.ts';
import { convertToText } from '../../../../src/adapters/ujp/preparation/convert-to-text.ts';
import { createConverter } from '../../../../src/adapters/ujp/preparation/converter.ts';
import { CONTEXT, identifier, invoice, line, party } from '../conversion/sample-content.ts';

describe('the converter', () => {
  const converter = createConverter({ timers: systemTimers });
  after(() => converter.close());

  const of = (lines: number, tenant: string = CONTEXT.tenantEdb) =>
    invoice({
      supplier: party({ identifiers: [identifier('tax-scheme', tenant, 'VAT')] }),
      lines: Array.from({ length: lines }, () => line()),
    });

  for (const [size, lines] of Object.entries({ small: 2, large: 3_000 })) {
    test(`gives the result of the conversion for a ${size} document`, async () => {
      const content = of(lines);
      const document = await converter.open(CONTEXT.tenantEdb, serialise(content));
      assert.deepEqual(document.needed, neededLookups(content));
      const expected = convertToText(content, CONTEXT);
      assert.equal(expected.outcome, 'prepared');
      assert.deepEqual(await document.convert(CONTEXT), expected);
    });

    test(`gives the failure of a ${size} document that cannot be converted`, async () => {
      const content = of(lines, '4030000000001');
      const document = await converter.open(CONTEXT.tenantEdb, serialise(content));
      const failed = await document.convert(CONTEXT);
      assert.equal(failed.outcome, 'failed');
      assert.deepEqual(failed, convertToText(content, CONTEXT));
    });
  }

  test('transfers a large document to its thread without a copy', async () => {
    const large = serialise(of(3_000));
    await converter.open(CONTEXT.tenantEdb, large);
    assert.ok(typeof large !== 'string');
    assert.equal(large.byteLength, 0);
  });

  test('gives a document up that takes too long, and goes on with another thread', async () => {
    const impatient = createConverter({ timers: systemTimers, timeoutMs: 10 });
    const converted = async (lines: number) =>
      (await impatient.open(CONTEXT.tenantEdb, serialise(of(lines)))).convert(CONTEXT);
    try {
      await assert.rejects(converted(10_000), TaskTimeout);
      assert.equal((await converted(2)).outcome, 'prepared');
      await assert.rejects(converted(10_000), TaskTimeout);
    } finally {
      await impatient.close();
    }
  });
});
