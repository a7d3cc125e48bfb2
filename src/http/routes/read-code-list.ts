import type { FastifyRequest } from 'fastify';
import type { ReadCodeList } from '../../application/code-lists/read-code-list.ts';
import { problem } from '../../application/errors/problem.ts';
import { CODE_LIST_TYPES, type CodeListType, isCodeListType } from '../../domain/values/code-list.ts';
import { codeList } from '../answers/schemas.ts';
import { Type } from '../json-schema.ts';
import { callerOf } from '../requests/request-context.ts';
import { describe, type Mount } from '../route.ts';

export function readCodeListRoute(
  { app, authenticated }: Mount,
  { readCodeList }: { readonly readCodeList: ReadCodeList },
): void {
  const schema = describe({
    operationId: 'readCodeList',
    summary: 'The active entries of one code list.',
    tag: 'code lists',
    params: Type.Object({ type: Type.String({ enum: [...CODE_LIST_TYPES] }) }),
    success: { 200: codeList },
    errors: ['ERR-2021'],
  });
  // The contract checks the type before anything else, even before the key.
  const onRequest = [async (request: FastifyRequest) => void knownType(request), authenticated];
  // A slash at the end means the same as none: this is `/codelists/` with an empty type.
  app.get('/codelists', { schema: { hide: true }, onRequest }, async (request) => knownType(request));
  app.get('/codelists/:type', { schema, onRequest }, async (request) => {
    const type = knownType(request);
    const entries = await readCodeList(callerOf(request).tenant, type);
    return { type, items: entries.map(({ code, name }) => ({ code, name })) };
  });
}

function knownType(request: FastifyRequest): CodeListType {
  const { type = '' } = request.params as { readonly type?: string };
  if (!isCodeListType(type)) throw problem('ERR-2021', `The code list types are ${CODE_LIST_TYPES.join(', ')}.`);
  return type;
}
