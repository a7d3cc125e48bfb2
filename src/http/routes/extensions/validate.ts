import type { ValidateDocument } from '../../../application/validation/validate-document.ts';
import type { Admission } from '../../admission.ts';
import { answerLanguage } from '../../answers/answer-language.ts';
import { validation } from '../../answers/extensions/validation-schemas.ts';
import { Type } from '../../json-schema.ts';
import type { ReadBody } from '../../requests/read-body.ts';
import { callerOf } from '../../requests/request-context.ts';
import { addCall, type Mount, NO_PARAMETERS } from '../../route.ts';
import { takeDocument } from '../../take-document.ts';

type Needs = {
  readonly validateDocument: ValidateDocument;
  readonly maxDocumentBytes: number;
  readonly readBody: ReadBody;
  readonly admission: Admission;
};

export function validateRoute(mount: Mount, { validateDocument, ...limits }: Needs): void {
  const take = takeDocument(limits);
  addCall(mount, {
    method: 'POST',
    path: '/validate',
    operationId: 'validateDocument',
    summary: 'Says what would become of a document if it was submitted, and stores nothing.',
    description:
      'Takes what POST /outbound takes, without an idempotency key, and goes the same way up to the moment of sending: the checks of a submission, the search for a duplicate number, the look-ups at the authority and the conversion into its form. Answers 200 with all findings, whatever the outcome; only a document that is too large is refused as such. The look-ups give way to everything else that is asked in the same name and are waited for fifteen seconds at most; what could not be looked up is a finding of severity unknown. Whether the authority accepts a document that is sent, it alone decides. Counts against the traffic limit as a submission does.',
    tag: 'validation',
    parameters: NO_PARAMETERS,
    success: { 200: validation },
    answersTexts: true,
    errors: ['ERR-2012'],
    body: Type.String({ format: 'binary', description: 'One UBL 2.1 Invoice or CreditNote, as for a submission.' }),
    async answer(request, reply) {
      const caller = callerOf(request);
      const document = await take(request, reply);
      try {
        const inspection = await validateDocument.inspect(caller, document.bytes);
        // What follows may wait for the authority, which says nothing of how busy this machine is.
        document.leave();
        const tenant = { ...caller.tenant, language: answerLanguage(reply, caller.tenant.language) };
        return await validateDocument.judge({ ...caller, tenant }, document.bytes, inspection);
      } finally {
        document.release();
      }
    },
  });
}
