import {
  XmlBufferInputProvider,
  XmlDocument,
  XsdValidator,
  xmlCleanupInputProvider,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';
import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';
import { mainSchemaFiles, readSchemaFiles } from './schema-files.ts';

/**
 * Compiles our schemas for the calling thread. A compiled schema accepts every global element as root, so the caller
 * checks name and namespace of the root itself.
 */
export function compileUblSchemas(): Record<DocumentKind, XsdValidator> {
  return compileSchemas(readSchemaFiles(), mainSchemaFiles);
}

/** Compiles one schema per kind of document from files in memory; nothing else can be imported. */
export function compileSchemas(
  files: Record<string, Uint8Array>,
  mainFiles: Readonly<Record<DocumentKind, string>>,
): Record<DocumentKind, XsdValidator> {
  xmlRegisterInputProvider(new XmlBufferInputProvider(files));
  try {
    return { Invoice: compile(files, mainFiles.Invoice), CreditNote: compile(files, mainFiles.CreditNote) };
  } finally {
    // Documents must not be able to load anything, not even the schemas.
    xmlCleanupInputProvider();
  }
}

function compile(files: Readonly<Record<string, Uint8Array>>, mainFile: string): XsdValidator {
  const source = files[mainFile];
  if (!source) throw new Error(`The schema ${mainFile} is missing`);
  using document = XmlDocument.fromBuffer(source, { url: mainFile });
  return XsdValidator.fromDoc(document);
}
