import assert from 'node:assert/strict';
import { createCatalogue } from '../../../../../simulator/catalogue/catalogue.ts';
import { loadCodeLists } from '../../../../../simulator/catalogue/code-lists.ts';
import { checkAmounts } from '../../../../../simulator/receiver/amounts/amount-check.ts';
import { decimal } from '../../../../../simulator/receiver/amounts/decimal.ts';
import { readWritten } from '../../../../../simulator/receiver/amounts/written-numbers.ts';
import type { SignedPayload } from '../../../../../simulator/receiver/checks/document-schema.ts';
import { createRules } from '../../../../../simulator/unpublished-rules.ts';

const CATALOGUE = createCatalogue(loadCodeLists(), () => new Date());
const TOLERANCE = decimal(String(createRules({}).current().tolerance));

/** The simulated authority, as strict as it is by default, finds nothing wrong with the amounts of a text. */
export function checkBySimulator(text: string): void {
  const { findings, exact } = readWritten<SignedPayload>(text);
  assert.deepEqual(findings, []);
  const { document } = exact;
  const lists = CATALOGUE.on(document.header.docDate);
  assert.deepEqual(checkAmounts(document, lists, TOLERANCE), []);
}
