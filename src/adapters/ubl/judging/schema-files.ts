import { readdirSync, readFileSync } from 'node:fs';
import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';

const schemaFolder = new URL('../../../../schemas/', import.meta.url);

export const mainSchemaFiles: Readonly<Record<DocumentKind, string>> = {
  Invoice: 'ubl-invoice-2.1.xsd',
  CreditNote: 'ubl-credit-note-2.1.xsd',
};

/** Our schema files by name; they refer to each other by these names. */
export function readSchemaFiles(): Record<string, Uint8Array> {
  const names = readdirSync(schemaFolder).filter((name) => name.endsWith('.xsd'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, schemaFolder))]));
}
