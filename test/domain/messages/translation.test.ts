import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translationOf } from '../../../src/domain/messages/translation.ts';

const ENGLISH = { differ: '{stated}, but {computed}', missing: 'It is missing' } as const;

test('the values of a translation may stand in another order', () => {
  const texts = { differ: '{computed}, а не {stated}', missing: 'Недостасува' } as const;
  assert.equal(translationOf(ENGLISH, texts), texts);
});

test('a translation with another key or another value does not compile', () => {
  // @ts-expect-error a key is missing
  translationOf(ENGLISH, { differ: '{computed}, а не {stated}' });
  // @ts-expect-error a key is not known
  translationOf(ENGLISH, { differ: '{computed}, а не {stated}', missing: 'Недостасува', mising: 'Недостасува' });
  // @ts-expect-error a value is missing
  translationOf(ENGLISH, { differ: 'не е {stated}', missing: 'Недостасува' });
  // @ts-expect-error a value is misspelt
  translationOf(ENGLISH, { differ: '{computd}, а не {stated}', missing: 'Недостасува' });
  // @ts-expect-error a value is one too many
  translationOf(ENGLISH, { differ: '{computed}, а не {stated}', missing: 'Недостасува {what}' });
});
