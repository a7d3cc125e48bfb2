import type { DocumentSchemas } from '../../../application/ports/inbound/authority-documents.ts';
import { toHex } from '../../../domain/values/hex.ts';
import { matches } from '../../answers/file-response.ts';
import { httpProblem } from '../../answers/problem-response.ts';
import { Type } from '../../json-schema.ts';
import { addCall, type Mount, NO_PARAMETERS } from '../../route.ts';

const SCHEMA_TYPE = 'application/schema+json';
const A_YEAR = 'public, max-age=31536000, immutable';

const schemaPath = Type.Object({
  name: Type.String({
    description: 'The version of the schema and the language of its descriptions. A new version is a new name.',
    'x-extensible-enum': ['ujp-document-v1.en.json', 'ujp-document-v1.mk.json'],
    examples: ['ujp-document-v1.en.json'],
  }),
});

export function readDocumentSchemaRoute(
  mount: Mount,
  { documentSchemas }: { readonly documentSchemas: DocumentSchemas },
): void {
  addCall(mount, {
    method: 'GET',
    path: '/schemas/:name',
    operationId: 'readDocumentSchema',
    summary: "The JSON Schema of the authority's document.",
    description:
      'JSON Schema (draft 2020-12) of the documents that arrive from the authority, X-Document-Shape ujp-document-v1, with a description of every member in English or in Macedonian. Needs no key. What is under a name never changes, so it may be kept for ever. The schema is of our own writing: the authority publishes none, and may add members, which the schema allows.',
    tag: 'schemas',
    isOpen: true,
    params: schemaPath,
    parameters: NO_PARAMETERS,
    success: { 200: Type.String({ format: 'binary', contentMediaType: SCHEMA_TYPE }) },
    errors: [],
    plainErrors: { 404: 'There is no schema of this name.' },
    async answer(request, reply) {
      const { name } = request.params as { readonly name: string };
      const schema = documentSchemas.get(name);
      if (schema === undefined) throw httpProblem(404, 'There is no such schema.');
      const etag = `"${toHex(schema.sha256)}"`;
      reply.header('cache-control', A_YEAR).header('etag', etag);
      if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.header('content-type', SCHEMA_TYPE).send(Buffer.from(schema.bytes));
    },
  });
}
