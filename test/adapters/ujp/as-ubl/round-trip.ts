import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { contentOf } from '../../../../src/adapters/ubl/content/stored-content.ts';
import { convertToUbl } from '../../../../src/adapters/ujp/as-ubl/convert-to-ubl.ts';
import type { ConversionContext } from '../../../../src/adapters/ujp/conversion/conversion-context.ts';
import { convert } from '../../../../src/adapters/ujp/conversion/convert.ts';
import type { UjpPayload, UjpReference } from '../../../../src/adapters/ujp/conversion/payload.ts';
import { plainJson } from '../../../../src/adapters/ujp/preparation/plain-json.ts';
import { outcomeOn } from '../../ubl/judging/judging.ts';
import { checkBySchema } from '../document-schema/check-by-schema.ts';

/** The document as UBL, which the checks of a submission take as valid. */
export function asUbl(text: string): string {
  const conversion = convertToUbl(Buffer.from(text));
  if (conversion.outcome !== 'converted') assert.fail(JSON.stringify(conversion));
  assert.equal(conversion.leftOut, 0);
  const xml = new TextDecoder().decode(conversion.bytes);
  assert.equal(outcomeOn(xml), 'document', xml);
  return xml;
}

/**
 * Authority → UBL → authority gives the same document, but for the order of its references: UBL has an element for each kind of
 * them, and groups them so.
 */
export function checkRoundTrip(payload: UjpPayload, context: ConversionContext): void {
  const text = plainJson(payload);
  checkBySchema(JSON.parse(text));
  const xml = asUbl(text);
  const again = convert(contentOf(Buffer.from(xml)), context);
  if (again.outcome !== 'converted') assert.fail(JSON.stringify(again));
  const [made, given] = [ordered(again.payload), ordered(payload)];
  for (const [index, item] of given.document.docItems.entries()) {
    if (isDeepStrictEqual(made.document.docItems[index], item)) continue;
    const line = xml.split(/<cac:(?:Invoice|CreditNote)Line>/u)[index + 1];
    assert.deepEqual(made.document.docItems[index], item, `${JSON.stringify(item)}\n${line}`);
  }
  assert.deepEqual(made, given);
}

function ordered({ document, ...reason }: UjpPayload): UjpPayload {
  const key = ({ docTypeRef, docNumberRef }: UjpReference) => `${docTypeRef} ${docNumberRef}`;
  const docReferences = document.docReferences.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  return { document: { ...document, docReferences }, ...reason };
}
