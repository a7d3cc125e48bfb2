import { type XmlDocument, XmlError, XmlLibError, type XsdValidator } from 'libxml2-wasm';

/** What a schema says of a document: line and message of each finding, nothing for a valid document. */
export function schemaFindings(schema: XsdValidator, document: XmlDocument): string[] {
  try {
    schema.validate(document);
    return [];
  } catch (error) {
    if (error instanceof XmlLibError) return error.details.map(({ line, message }) => `${line}: ${message.trim()}`);
    if (error instanceof XmlError) return [error.message];
    throw error;
  }
}
