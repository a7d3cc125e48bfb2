import { join } from 'node:path';
import { readSchemaSet } from './read-schema-set.ts';
import { writeSchema } from './write-schema.ts';

/**
 * Our schema files, name to text, made from the official ones.
 *
 * Every global element and every named type is kept, also those that Invoice and CreditNote do not mention: the lax
 * wildcard of ext:ExtensionContent validates any element the set declares, the strict wildcards of XML-DSig and XAdES
 * admit only such elements, and xsi:type may name any type. Leaving one out would change outcomes.
 */
export function generateSchemas(officialDirectory: string): Map<string, string> {
  const mainFiles = ['UBL-Invoice-2.1.xsd', 'UBL-CreditNote-2.1.xsd'];
  const facts = readSchemaSet(mainFiles.map((file) => join(officialDirectory, 'maindoc', file)));
  return new Map(facts.map(writeSchema));
}
