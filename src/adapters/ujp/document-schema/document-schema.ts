import { hash } from 'node:crypto';
import type { DocumentSchema, DocumentSchemas } from '../../../application/ports/inbound/authority-documents.ts';
import { DOCUMENT_TEXTS } from '../../../domain/messages/document-texts.ts';
import { LANGUAGES, type Language } from '../../../domain/messages/languages.ts';
import { PAYLOAD_MEMBERS } from './document-fields.ts';
import type { Field, FieldShape, Members } from './field.ts';

type JsonSchema = { readonly [keyword: string]: unknown };

/** A new version has a new address beside the old one: copies of a schema are kept for a year. */
const VERSION = 1;

/** The JSON Schema of the authority's document, described in a language. */
export function documentSchema(language: Language): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:dostava:ujp-document:v${VERSION}:${language}`,
    title: "The tax authority's document",
    description: described(language, 'payload'),
    ...objectSchema(PAYLOAD_MEMBERS, '', language),
  };
}

/** The schemas by the last part of their addresses. */
export function documentSchemas(): DocumentSchemas {
  return new Map(LANGUAGES.map((language) => [`ujp-document-v${VERSION}.${language}.json`, written(language)]));
}

function written(language: Language): DocumentSchema {
  const bytes = new TextEncoder().encode(`${JSON.stringify(documentSchema(language), null, 2)}\n`);
  return { bytes, sha256: hash('sha256', bytes, 'buffer') };
}

/** Further members are allowed: the authority may add some, and none of what is known depends on them. */
function objectSchema(members: Members, above: string, language: Language): JsonSchema {
  const properties = Object.entries(members).map(([name, field]) => {
    const path = `${above}${name}`;
    return [name, { description: described(language, path), ...fieldSchema(field, path, language) }] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.entries(members).flatMap(([name, { isRequired }]) => (isRequired ? name : [])),
  };
}

function fieldSchema({ shape, isRequired }: Field<unknown>, path: string, language: Language): JsonSchema {
  const schema = shapeSchema(shape, `${path}.`, language);
  if (shape.kind === 'text' && isRequired) return { ...schema, minLength: 1 };
  return isRequired || schema['type'] === undefined ? schema : { ...schema, type: [schema['type'], 'null'] };
}

function shapeSchema(shape: FieldShape, below: string, language: Language): JsonSchema {
  switch (shape.kind) {
    case 'object':
      return objectSchema(shape.members, below, language);
    case 'list': {
      const items = objectSchema(shape.members, below, language);
      return { type: 'array', items, ...(shape.mayBeEmpty ? {} : { minItems: 1 }) };
    }
    case 'whole':
      return { type: 'integer', minimum: shape.least, maximum: shape.most };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'anything':
      return {};
    default:
      return { type: shape.kind === 'text' ? 'string' : shape.kind };
  }
}

/** What a member means; the members of the document itself are known without its name. */
function described(language: Language, path: string): string {
  const texts: Readonly<Record<string, string>> = DOCUMENT_TEXTS[language];
  const text = texts[path.replace(/^document\./u, '')];
  if (text === undefined) throw new Error(`Nothing says what ${path} means`);
  return text;
}
