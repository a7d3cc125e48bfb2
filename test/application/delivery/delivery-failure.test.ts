import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EXPLAINED_CODES } from '../../../src/adapters/ujp/answers/error-explanations.ts';
import { interpretErrors } from '../../../src/adapters/ujp/answers/interpret-errors.ts';
import {
  failureOf as failureWith,
  lostAnswer,
  recordOf,
  rejection as rejectionWith,
  reportedErrorsOf,
} from '../../../src/application/delivery/delivery-failure.ts';
import { AuthorityCallError, type CallErrorKind } from '../../../src/application/ports/authority.ts';
import type { AuthorityError } from '../../../src/domain/documents/outbound-document.ts';
import { TEXTS } from '../../../src/domain/messages/languages.ts';
import { message } from '../../../src/domain/messages/message.ts';
import { render } from '../../../src/domain/messages/render.ts';
import { anyCharacters, fc } from '../../support/seeds.ts';

const AUTHORITY = { interpret: interpretErrors };
const failureOf = (error: AuthorityCallError) => failureWith(AUTHORITY, error);
const rejection = (errors: readonly AuthorityError[]) => rejectionWith(AUTHORITY, errors);
const recorded = (error: AuthorityCallError) => recordOf(AUTHORITY, 'unknown', error);

const SENTENCE = /^[A-Z][^\p{Cc}]*\.$/u;
const LONGEST = 1_000;

/** As the client reads them: bounded, in one line, but of whatever words. */
const code = fc.oneof(
  fc.constantFrom('E1020', 'E5000', 'E99999', 'constructor', '__proto__', 'toString', 'hasOwnProperty'),
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' }),
);
const words = fc.option(
  fc.oneof(
    anyCharacters({ maxLength: 2_000 }),
    fc.constantFrom('a\u0000b\r\nc', '💶'.repeat(400), `x${'💶'.repeat(400)}`),
  ),
);
const details = fc.oneof(fc.string({ maxLength: 1_000 }), fc.json());
const errors = fc.array(
  fc.record({ code: fc.option(code), message: words, details }, { requiredKeys: ['code', 'message'] }),
  { maxLength: 7 },
);
const KINDS: readonly CallErrorKind[] = [
  'unreachable',
  'timeout',
  'busy',
  'error',
  'credentials',
  'request-refused',
  'refused',
  'signing',
];

/** What is certain is no lost answer. */
const ANSWERED: ReadonlySet<CallErrorKind> = new Set(['refused', 'signing']);

describe('the sentence for an accountant', () => {
  test('is one, in one line and of bounded length, whatever the authority says', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), errors, fc.boolean(), (kind, found, isUncertain) => {
        const failure = failureOf(new AuthorityCallError('Something happened', { kind, errors: found, isUncertain }));
        assert.match(failure.message, SENTENCE);
        assert.ok(failure.message.length <= LONGEST && failure.message.isWellFormed());
        if (found.every((error) => error.details === undefined)) {
          assert.doesNotMatch(failure.message, /function|\[native|\[object|undefined|null/u);
        }
        assert.match(render('mk', failure.sentences), /^[А-ШЅЈЉЊЌЏ][^\p{Cc}]*\.$/u);
        assert.equal(failure.code.startsWith('UJP-'), kind === 'refused');
      }),
    );
  });

  test('has the meaning of every code that is known, and the authority’s own words', () => {
    assert.ok(EXPLAINED_CODES.length >= 90);
    for (const known of EXPLAINED_CODES) {
      const { code: failureCode, message, sentences } = rejection([{ code: known, message: 'Пораката на управата' }]);
      assert.equal(failureCode, `UJP-${known}`);
      assert.equal(message, `${TEXTS.en[known]}. It says: ${known} “Пораката на управата”.`);
      assert.equal(render('mk', sentences), `${TEXTS.mk[known]}. Порака од УЈП: ${known} „Пораката на управата“.`);
    }
    assert.equal(rejection([]).message, 'The tax authority rejected the document.');
    assert.equal(
      rejection([{ code: 'E9', message: null }]).message,
      'The tax authority rejected the document. It says: E9.',
    );
  });

  test('has the HTTP status of a request that was refused without a code', () => {
    const bare = failureOf(new AuthorityCallError('refused', { kind: 'request-refused', httpStatus: 403 }));
    assert.match(bare.message, /refused the request.* It answered HTTP 403, without an error code\.$/u);
    const errors = [{ code: 'E7777', message: 'Порака' }];
    const coded = failureOf(new AuthorityCallError('refused', { kind: 'request-refused', httpStatus: 403, errors }));
    assert.doesNotMatch(coded.message, /HTTP/u);
  });

  test('says what is missing of an account, and nothing of addresses where the network failed', () => {
    const reason = message('certificate-missing', { taxpayer: '1' });
    const account = failureOf(new AuthorityCallError('no certificate', { kind: 'credentials', reason }));
    assert.match(account.message, /correct it\. Taxpayer 1 has no certificate to sign with\.$/u);
    assert.match(render('mk', account.sentences), /исправи\. Даночниот обврзник 1 нема сертификат за потпишување\.$/u);
    const network = new AuthorityCallError('127.0.0.1:80/x could not be reached', { kind: 'unreachable' });
    const { code: unreachable, message: sentence } = failureOf(network);
    assert.deepEqual([unreachable, sentence], ['AUTHORITY-UNREACHABLE', 'The tax authority could not be reached.']);
  });

  test('says that nothing was sent where nobody signed', () => {
    const unsigned = new AuthorityCallError('The signing command FILE did not sign', { kind: 'signing' });
    const { code: failureCode, message: english, sentences } = failureOf(unsigned);
    assert.deepEqual(
      [failureCode, english, render('mk', sentences)],
      [
        'SIGNER-UNAVAILABLE',
        'The document could not be signed; nothing was sent.',
        'Документот не можеше да се потпише; ништо не е испратено.',
      ],
    );
  });

  test('names the rows and parameters of every error that the authority reports', () => {
    const rows = [
      { code: 'E10203', message: 'Износ', details: '{"row":3,"parameter":"docItemTotalVat"}' },
      { code: 'E10203', message: 'Износ', details: '{"errorPropertyMap":{"rows":[4,5]}}' },
      { code: 'E10203', message: null, details: '{"cut":"off' },
    ];
    const said =
      'E10203 “Износ” (row: 3, parameter: docItemTotalVat); E10203 “Износ” (rows: 4, rows: 5); E10203 ({"cut":"off)';
    assert.equal(rejection(rows).message, `${TEXTS.en.E10203}. It says: ${said}.`);
  });

  test('explains a code that is about the account or the request, but not one of several or a failure of theirs', () => {
    const sentencesOf = (kind: CallErrorKind, ...codes: readonly string[]) => {
      const reported = codes.map((one) => ({ code: one, message: null }));
      return failureOf(new AuthorityCallError('x', { kind, errors: reported })).sentences.map(({ key }) => key);
    };
    assert.deepEqual(sentencesOf('credentials', 'E1012'), ['account-refused', 'E1012', 'authority-says']);
    assert.deepEqual(sentencesOf('request-refused', 'E4013'), ['request-refused', 'E4013', 'authority-says']);
    assert.deepEqual(sentencesOf('request-refused', 'E1020', 'E7777'), ['request-refused', 'authority-says']);
    assert.deepEqual(sentencesOf('error', 'E5008'), ['authority-failed', 'E5008', 'authority-says']);
    assert.deepEqual(sentencesOf('error', 'E5000'), ['authority-failed', 'authority-says']);
  });
});

describe('an answer that was lost', () => {
  test('is named by what kept it away, once the authority is known not to have the document', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS.filter((kind) => !ANSWERED.has(kind))), errors, (kind, found) => {
        const error = new AuthorityCallError('10.0.0.1/send failed', { kind, errors: found, isUncertain: true });
        const failure = lostAnswer(recorded(error));
        assert.match(failure.code, /^AUTHORITY-[A-Z]+$|^CREDENTIALS$|^REQUEST-REFUSED$/u);
        assert.match(failure.message, SENTENCE);
        assert.match(failure.message, /It does not have the document\.$/u);
        assert.doesNotMatch(failure.message, /10\.0\.0\.1/u);
      }),
    );
  });

  test('of an attempt that was cut off says so', () => {
    const cut = lostAnswer({ outcome: null, failureCode: null, message: null });
    assert.equal(cut.code, 'AUTHORITY-TIMEOUT');
    assert.match(cut.message, /interrupted/u);
  });
});

describe('on record', () => {
  test('a call error has the authority’s own code and words, where it gave any', () => {
    const answer = '{"code":"E5000"}';
    const error = new AuthorityCallError('Our words', {
      kind: 'error',
      errors: [{ code: 'E5000', message: 'Theirs' }],
      answer,
    });
    assert.deepEqual(recorded(error), { outcome: 'unknown', failureCode: 'UJP-E5000', message: 'Theirs', answer });
    const silent = new AuthorityCallError('Our words', { kind: 'timeout' });
    const onRecord = { failureCode: 'AUTHORITY-TIMEOUT', message: 'Our words', answer: null };
    assert.deepEqual(recorded(silent), { outcome: 'unknown', ...onRecord });
  });

  test('a code of the authority’s is told from one of ours', () => {
    fc.assert(
      fc.property(code, (theirs) => {
        const { failureCode } = recorded(
          new AuthorityCallError('x', { kind: 'error', errors: [{ code: theirs, message: '' }] }),
        );
        assert.deepEqual(reportedErrorsOf({ failureCode, message: 'x' }), [{ code: theirs, message: 'x' }]);
      }),
    );
    for (const ours of [null, 'AUTHORITY-ERROR', 'CREDENTIALS', 'UJP'])
      assert.deepEqual(reportedErrorsOf({ failureCode: ours, message: 'x' }), []);
    assert.deepEqual(reportedErrorsOf(null), []);
  });
});
