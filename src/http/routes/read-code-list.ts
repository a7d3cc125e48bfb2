import type { FastifyRequest } from 'fastify';
import type { ReadCodeList } from '../../application/code-lists/read-code-list.ts';
import { problem } from '../../application/errors/problem.ts';
import { message } from '../../domain/messages/message.ts';
import { CODE_LIST_TYPES, type CodeListType, isCodeListType } from '../../domain/values/code-list.ts';
import { codeList } from '../answers/schemas.ts';
import { Type } from '../json-schema.ts';
import { callerOf } from '../requests/request-context.ts';
import { addCall, type Mount, NO_PARAMETERS } from '../route.ts';

export function readCodeListRoute(mount: Mount, { readCodeList }: { readonly readCodeList: ReadCodeList }): void {
  // A slash at the end means the same as none: this is `/codelists/` with an empty type.
  mount.app.get('/codelists', async (request) => knownType(request));
  addCall(mount, {
    method: 'GET',
    path: '/codelists/:type',
    operationId: 'readCodeList',
    summary: 'The active entries of one code list.',
    description:
      'The entries that are in force today, as the authority returns them for the environment of the taxpayer. They are kept for a day, and longer while the authority is down.',
    tag: 'code lists',
    params: Type.Object({ type: Type.String({ enum: [...CODE_LIST_TYPES], description: 'Which code list.' }) }),
    parameters: NO_PARAMETERS,
    success: { 200: codeList },
    errors: ['ERR-2021'],
    // The contract checks the type before anything else.
    checkFirst: knownType,
    async answer(request) {
      const type = knownType(request);
      const entries = await readCodeList(callerOf(request).tenant, type);
      return { type, items: entries.map(({ code, name }) => ({ code, name })) };
    },
  });
}

function knownType(request: FastifyRequest): CodeListType {
  const { type = '' } = request.params as { readonly type?: string };
  if (!isCodeListType(type))
    throw problem('ERR-2021', message('code-list-types', { types: CODE_LIST_TYPES.join(', ') }));
  return type;
}
