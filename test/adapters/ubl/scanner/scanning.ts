import assert from 'node:assert/strict';
import { readSchemaFiles } from '../../../../src/adapters/ubl/judging/schema-files.ts';
import { createScanReading } from '../../../../src/adapters/ubl/scanner/scan-reading.ts';
import { judge } from '../judging/judging.ts';

export const scan = createScanReading(readSchemaFiles());

/** Whether the scanner takes a document. Then the parser must take it too, and read the same from it. */
export function agrees(bytes: Uint8Array<ArrayBuffer>, what: () => string): boolean {
  const scanned = scan(bytes);
  if (scanned === null) return false;
  const judged = judge(bytes);
  if (judged.outcome === 'refused') assert.fail(`${what()}: the parser refuses it: ${judged.detail}`);
  assert.deepEqual(scanned.facts, judged.facts, what());
  assert.deepEqual(scanned.pdf?.bytes ?? null, judged.pdf, what());
  return true;
}
