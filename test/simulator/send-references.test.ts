import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, beta, startAuthority } from './authority-client.ts';
import { ALFA, altered, BETA, type Json, sampleDocument } from './sample-document.ts';
import { CORRECTION, replacing, VOID, voidOf } from './sample-replacements.ts';

const ORDER = { docTypeRef: 'NAR', docNameRef: 'Нарачка', docDateRef: '2026-11-01', docNumberRef: 'N-17' };
/** The date of documents that others refer to. */
const EARLIER = '2026-11-02';

function reference(docNumberRef: string, more: Json = {}): Json {
  return { docTypeRef: 'SYS', docNameRef: 'Од систем', docDateRef: EARLIER, docNumberRef, ...more };
}

describe('references', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const codeWith = (docReferences: readonly Json[]) => authority.refused(altered(sampleDocument(), { docReferences }));

  test('to other documents must have a known type with its name, and must not be repeated', async () => {
    await authority.registered({ references: [ORDER, { ...ORDER, docNumberRef: 'N-18' }] });
    assert.equal(await codeWith([{ ...ORDER, docTypeRef: 'XXX' }]), 'E1021');
    assert.equal(await codeWith([{ ...ORDER, docNameRef: 'Нарачки' }]), 'E10211');
    assert.equal(await codeWith([ORDER, ORDER]), 'E1022');
  });

  test('to registered documents are by EUID, and only to documents of the seller as either party', async () => {
    const euid = await authority.registered({ docDate: EARLIER });
    await authority.registered({ references: [reference(euid)] });
    assert.equal(await codeWith([reference(euid, { docDateRef: '2026-11-01' })]), 'E50073', 'not its issue date');
    const sameDay = await authority.registered();
    assert.equal(await codeWith([reference(sameDay, { docDateRef: '2026-11-10' })]), 'E50073', 'must precede');
    await authority.registered({ seller: BETA, buyer: ALFA, references: [reference(euid)] }, { signer: beta });
    assert.equal(await codeWith([reference('2026-1')]), 'E1021');
    assert.equal(await codeWith([reference('019b8d43-7840-7433-b358-08891b53605c')]), 'E1021');
  });

  test('of the same day are refused, or accepted as a rule says; later ones never are', async (t) => {
    const lenient = await startAuthority(t, { rules: { sameDayReferences: 'accepted' } });
    const sameDay = { ...ORDER, docDateRef: '2026-11-10' };
    assert.equal(await codeWith([sameDay]), 'E50073');
    await lenient.registered({ references: [sameDay] });
    const later = { ...ORDER, docDateRef: '2026-11-11' };
    assert.equal(await lenient.refused(sampleDocument({ references: [later] })), 'E50073');
  });

  test('of types served without references are accepted, or refused as a rule says; the refusal names them', async (t) => {
    const strict = await startAuthority(t, { rules: { undeclaredReferences: 'refused' } });
    const headers = { 'X-EUJP-ID': 'demo-alfa', 'X-EDB': ALFA.tin };
    const response = await fetch(`${strict.simulator.url}/api/v1/document-types`, { headers });
    const { documentTypesList } = (await response.json()) as { readonly documentTypesList: readonly Json[] };
    const served = documentTypesList.filter(({ code }) => code === '100').map(({ hasReference }) => hasReference);
    assert.deepEqual(new Set(served), new Set([false]), 'type 100 is served so');
    const names = { NAR: 'Нарачка', DOG: 'Договор', JN: 'Документ за јавна набавка' };
    for (const [docTypeRef, docNameRef] of Object.entries(names)) {
      const document = () => sampleDocument({ references: [{ ...ORDER, docTypeRef, docNameRef }] });
      assert.equal((await authority.send(document())).status, 200, docTypeRef);
      const { body } = await strict.send(document());
      assert.deepEqual([body['code'], body['message']], ['E1021', 'A document of type 100 has no references']);
    }
    const header = { docType: '110', docTypeName: 'Книжно одобрение' };
    await strict.registered({ references: [ORDER], header });
    const euid = await strict.registered();
    assert.equal((await strict.send(voidOf(euid), VOID)).status, 200, 'a void must refer to what it voids');
    await strict.admin('rules', {});
    await strict.registered({ references: [ORDER] });
  });

  test('of type ST are for voids and corrections only: E1029', async () => {
    assert.equal(await codeWith([replacing(await authority.registered())]), 'E1029');
  });

  test('a reason of a void or a correction in another document is refused', async () => {
    assert.equal(await authority.refused(sampleDocument(), VOID), 'E1025');
    assert.equal(await authority.refused(sampleDocument(), CORRECTION), 'E1031');
    const siblings = { voidReason: null, correctionReason: null };
    assert.equal((await authority.send(sampleDocument(), { siblings })).status, 200);
  });
});
