import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import {
  corpusBytes,
  corpusExceptions,
  corpusMissing,
  corpusName,
  corpusRows,
  expectedOutcome,
} from '../../support/corpus.ts';
import { sharedReader } from '../../support/shared-reader.ts';
import { ALFA_EDB } from '../../support/ubl-samples.ts';

const skip = corpusMissing;
const TENANT = ALFA_EDB as Edb;

describe('every document of the corpus', () => {
  const reader = sharedReader();

  test('is accepted or refused as its manifest says, and given back unchanged', { skip }, async (t) => {
    const outcomes: Record<string, number> = {};
    for (const row of corpusRows()) {
      const reading = await reader.read(TENANT, corpusBytes(row));
      const outcome = reading.outcome === 'document' ? 'document' : reading.code;
      assert.equal(
        outcome,
        expectedOutcome(row),
        `${row.file}: ${reading.outcome === 'refused' ? reading.detail : ''}`,
      );
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
