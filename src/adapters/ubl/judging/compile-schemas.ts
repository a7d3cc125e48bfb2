import {
  XmlBufferInputProvider,
  XmlDocument,
  XsdValidator,
  xmlCleanupInputProvider,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';
import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';
import { withCollapsedDates } from './collapsed-dates.ts';
import { mainSchemaFiles, readSchemaFiles } from './schema-files.ts';

/**
 * Our schemas, compiled for the calling thread. A compiled schema accepts every global element as root, so the caller
 * checks name and namespace of the root itself.
 */
export function compileUblSchemas(): Readonly<Record<DocumentKind, XsdValidator>> {
  return compileSchemas(readSchemaFiles(), mainSchemaFiles);
}

/**
 * One schema for each kind of document, from files in memory; nothing else can be imported. Each is compiled when it is first asked for: that
 * takes as long as a hundred documents, and most credit notes are judged without the parser.
 */
export function compileSchemas(
  files: Record<string, Uint8Array>,
  mainFiles: Readonly<Record<DocumentKind, string>>,
): Readonly<Record<DocumentKind, XsdValidator>> {
  const collapsing = withCollapsedDates(files);
  const compiled = new Map<DocumentKind, XsdValidator>();
  function schemaFor(kind: DocumentKind): XsdValidator {
    const schema = compiled.get(kind) ?? compileAlone(collapsing, mainFiles[kind]);
    compiled.set(kind, schema);
    return schema;
  }
  return {
    get Invoice() {
      return schemaFor('Invoice');
    },
    get CreditNote() {
      return schemaFor('CreditNote');
    },
  };
}

function compileAlone(files: Record<string, Uint8Array>, mainFile: string): XsdValidator {
  xmlRegisterInputProvider(new XmlBufferInputProvider(files));
  try {
    return compile(files, mainFile);
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
