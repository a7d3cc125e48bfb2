import assert from 'node:assert/strict';
import { deserialise } from '../../../../src/adapters/threads/serialised-content.ts';
import { serialisedContentOf } from '../../../../src/adapters/ubl/content/stored-content.ts';
import { readSchemaFiles } from '../../../../src/adapters/ubl/judging/schema-files.ts';
import { createDocumentScan } from '../../../../src/adapters/ubl/scanner/scan-reading.ts';
import { judge } from '../judging/judging.ts';

const documentScan = createDocumentScan(readSchemaFiles());
export const scan = documentScan.read;

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

/** Whether the scanner takes a document. Then its content must be that which comes from the parser's thread. */
export async function agreesOnContent(bytes: Uint8Array<ArrayBuffer>, what: () => string): Promise<boolean> {
  const scanned = await documentScan.content(bytes);
  if (scanned === null) return false;
  assert.deepEqual(scanned, deserialise(serialisedContentOf(bytes)), what());
  return true;
}
