import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentId } from '../../../../src/adapters/ujp/preparation/document-id.ts';
import { nextDocUid } from '../../../../src/domain/documents/doc-uid.ts';
import { edb } from '../../../engines/samples.ts';
import { docUidOf } from '../../../support/doc-uid.ts';
import { fc } from '../../../support/seeds.ts';

const ALFA = edb('4030026000018');
const BETA = edb('4080026000023');
const docUid = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.uint8Array({ minLength: 10, maxLength: 10 }))
  .map(([time, random]) => nextDocUid(time, null, random));

test('an identifier has the 20 characters that the authority accepts, without easily misread letters', () => {
  fc.assert(fc.property(docUid, (uid) => assert.match(documentId(ALFA, uid), /^[0-9A-HJKMNP-TV-Z]{20}$/u)));
});

test('the identifier of a document never changes between versions: another one would register it twice', () => {
  assert.equal(documentId(ALFA, docUidOf('01a1ddc0-3b8b-7df6-a9f7-802f112fe389')), 'FMXEKD42Q9B0G75987N3');
});

test('identifiers differ between documents, also of the same millisecond, and between taxpayers', () => {
  const made = new Set<string>();
  let previous = nextDocUid(1_800_000_000_000, null, new Uint8Array(10));
  for (let count = 0; count < 4_000; count += 1) {
    made.add(documentId(ALFA, previous));
    made.add(documentId(BETA, previous));
    previous = nextDocUid(1_800_000_000_000, previous, new Uint8Array(10));
  }
  assert.equal(made.size, 8_000);
});
