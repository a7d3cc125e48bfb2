import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuthorityCallError } from '../../../src/application/ports/authority.ts';
import type { DocumentInspection } from '../../../src/application/ports/document-reader.ts';
import { NoTurnInTime } from '../../../src/application/ports/pace.ts';
import { validateDocument } from '../../../src/application/validation/validate-document.ts';
import { LANGUAGES } from '../../../src/domain/messages/languages.ts';
import { newTenant } from '../../engines/samples.ts';

type Needs = Parameters<typeof validateDocument>[0];
type Caller = Parameters<ReturnType<typeof validateDocument>['judge']>[0];

const INSPECTION = { refusals: [], facts: { kind: 'invoice', documentNumber: 'V-1' }, content: '{}' };

/** What is found where the look-ups of a dry run end so. */
async function foundAfter(error: AuthorityCallError, language: Caller['tenant']['language']) {
  const { judge } = validateDocument({
    storage: { deliveries: { findDuplicate: async () => null }, referenceRefusals: { list: async () => [] } },
    reader: {},
    dryRun: () => Promise.reject(error),
    authority: { interpret: () => ({ explanation: null }) },
    clock: { now: () => 0 },
  } as unknown as Needs);
  const caller = { tenant: newTenant({ language }) } as Caller;
  const { findings } = await judge(caller, new Uint8Array(), INSPECTION as unknown as DocumentInspection);
  return findings.map(({ severity, code, message }) => ({ severity, code, message }));
}

test('a dry run whose look-ups waited for others does not say that the authority failed to answer', async () => {
  for (const language of LANGUAGES) {
    const [late] = await foundAfter(new AuthorityCallError('late', { kind: 'timeout' }), language);
    const [found] = await foundAfter(new NoTurnInTime('others came first'), language);
    assert.deepEqual([late?.severity, late?.code], ['unknown', 'AUTHORITY-TIMEOUT']);
    assert.deepEqual([found?.severity, found?.code], ['unknown', 'LOOK-UPS-UNFINISHED']);
    assert.doesNotMatch(found?.message ?? '', /did not answer|не одговори/u);
    // Answers that come in time, each after seconds, end a dry run in the same way.
    assert.match(found?.message ?? '', /or the tax authority answers slowly|или УЈП одговара бавно/u);
  }
});
