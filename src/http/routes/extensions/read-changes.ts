import type { ReadChanges } from '../../../application/changes/read-changes.ts';
import { formatInstant } from '../../../domain/values/instant.ts';
import { answerLanguage } from '../../answers/answer-language.ts';
import { changeJson } from '../../answers/extensions/change-json.ts';
import { changesPage } from '../../answers/extensions/extension-schemas.ts';
import { onClose } from '../../connections/on-close.ts';
import type { CheckKeyAgain } from '../../requests/authentication.ts';
import { seconds, text } from '../../requests/query.ts';
import { callerOf } from '../../requests/request-context.ts';
import { addCall, type Mount } from '../../route.ts';

/** Proxies commonly give a silent answer up after a minute. */
const LONGEST_WAIT_SECONDS = 50;
const SECOND_MS = 1_000;

const PARAMETERS = {
  after: text(
    'The next of an earlier answer, or the cursor of one of its entries; left out to begin with the first entry.',
  ),
  wait: seconds('How many seconds to wait for a change while there is none.', LONGEST_WAIT_SECONDS),
};

type Needs = { readonly readChanges: ReadChanges; readonly checkKeyAgain: CheckKeyAgain };

export function readChangesRoute(mount: Mount, { readChanges, checkKeyAgain }: Needs): void {
  addCall(mount, {
    method: 'GET',
    path: '/changes',
    operationId: 'readChanges',
    summary: 'The changes of all documents in one order without gaps, on from a cursor.',
    description:
      'A reader that takes over every entry, keeps next with them in one transaction and reads on from there mirrors all documents without gap and without repeat. With wait the answer comes as soon as there is a change; that is one call of the traffic limit, however long it waits.',
    tag: 'changes',
    parameters: PARAMETERS,
    success: { 200: changesPage },
    answersTexts: true,
    errors: [],
    plainErrors: {
      410: 'The database was put back to a state before the cursor. Compare what you have with the documents, and begin anew.',
    },
    async answer(request, reply, { after, wait }) {
      const { key, tenant } = callerOf(request);
      const left = new AbortController();
      onClose(reply.raw, () => left.abort());
      const page = await readChanges(key, { after, waitMs: wait * SECOND_MS, signal: left.signal });
      await checkKeyAgain(request);
      const { changes, next, hasMore, completeUpTo } = page;
      const language = answerLanguage(reply, tenant.language);
      return {
        items: changes.map(({ cursor, change }) => changeJson(cursor, change, language)),
        next,
        hasMore,
        completeUpTo: completeUpTo === null ? null : formatInstant(completeUpTo),
      };
    },
  });
}
