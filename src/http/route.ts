import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { reference } from './answers/schemas.ts';
import { Type } from './json-schema.ts';
import { type CallDescription, isBytes } from './openapi/call-description.ts';
import { type Parameters, type QueryValues, readQuery } from './requests/query.ts';

/** What every route of the API needs to register itself. */
export type Mount = {
  readonly app: FastifyInstance;
  readonly authenticated: onRequestAsyncHookHandler;
  /** For inquiries, which count against a limit of their own. */
  readonly authenticatedInquiry: onRequestAsyncHookHandler;
  /** Puts a call into the interface description. */
  readonly describe: (call: CallDescription) => void;
};

type Call<P extends Parameters> = CallDescription & {
  readonly parameters: P;
  /** The call costs nothing of the key's traffic limit, but has one of its own. */
  readonly isInquiry?: boolean;
  /** What is checked even before the key. */
  readonly checkFirst?: (request: FastifyRequest) => void;
  readonly answer: (request: FastifyRequest, reply: FastifyReply, query: QueryValues<P>) => Promise<unknown>;
};

export const NO_PARAMETERS = {} as const;

/** Adds a call of the interface; its query is read here, so that no call can leave it unread. */
export function addCall<P extends Parameters>(mount: Mount, call: Call<P>): void {
  const { method, path, parameters, checkFirst, answer } = call;
  const isOpen = call.isOpen === true;
  const authenticated = call.isInquiry === true ? mount.authenticatedInquiry : mount.authenticated;
  mount.describe(call);
  mount.app.route({
    method,
    url: path,
    schema: { response: answerSchemas(call.success) },
    config: { takesBody: call.body !== undefined, sendsFile: !isOpen && Object.values(call.success).some(isBytes) },
    onRequest: [
      ...(checkFirst === undefined ? [] : [async (request: FastifyRequest) => checkFirst(request)]),
      ...(isOpen ? [] : [authenticated]),
    ],
    handler: async (request, reply) => answer(request, reply, readQuery(parameters, request)),
  });
}

/** Answers get the members that their schema names, and no other. */
function answerSchemas(success: CallDescription['success']) {
  const json = Object.entries(success).filter(([, schema]) => !isBytes(schema));
  return Object.fromEntries(json.map(([status, schema]) => [status, reference(schema)]));
}

/** Stored bytes, unchanged. */
export const storedBytes = Type.String({ format: 'binary' });
