import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { createDocumentReader } from '../../../src/adapters/ubl/document-reader.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import {
  corpusBytes,
  corpusExceptions,
  corpusMissing,
  corpusName,
  corpusRows,
  expectedOutcome,
} from '../../support/corpus.ts';
import { ALFA_EDB } from '../../support/ubl-samples.ts';

const skip = corpusMissing;
const TENANT = ALFA_EDB as Edb;

describe('every document of the corpus', () => {
  const reader = createDocumentReader({ timers: systemTimers, threads: 2 });
  after(() => reader.close());

  test('is accepted or refused as its manifest says, and given back unchanged', { skip }, async (t) => {
    const outcomes: Record<string, number> = {};
    for (const row of corpusRows()) {
      const reading = await reader.read(TENANT, corpusBytes(row));
      const outcome = reading.outcome === 'document' ? 'document' : reading.code;
      assert.equal(outcome, expectedOutcome(row), `${row.file}: ${JSON.stringify(reading).slice(0, 500)}`);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (reading.outcome === 'refused') continue;
      assert.equal(Buffer.from(reading.file.sha256).toString('hex'), row.sha256, row.file);
      assert.equal(reading.pdf !== null, row.pdf === 'yes', `${row.file}: embedded PDF`);
    }
    t.diagnostic(JSON.stringify(outcomes));
  });

  test('that an exception is made for is there', { skip }, () => {
    const files = new Set(corpusRows().map(({ file }) => corpusName(file)));
    assert.deepEqual(
      [...corpusExceptions.keys()].filter((file) => !files.has(file)),
      [],
    );
  });
});
