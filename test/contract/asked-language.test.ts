import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { failureBecause } from '../../src/application/errors/failure-catalogue.ts';
import { type ErrorCode, PROBLEM_CATALOGUE } from '../../src/application/errors/problem-catalogue.ts';
import { message } from '../../src/domain/messages/message.ts';
import { docUidOf } from '../support/doc-uid.ts';
import { startTestService } from '../support/service.ts';
import { sampleInvoice, without } from '../support/ubl-samples.ts';
import { type Answer, clientFor, json, request } from './support/client.ts';
import { newTenant } from './support/tenant.ts';
import { walk } from './support/walk.ts';

const service = await startTestService();
after(() => service.stop());

const MK = { 'Accept-Language': 'mk-MK, mk;q=0.9, en;q=0.5' };
const NOWHERE = '01890a5d-ac96-774b-bcce-b302099a8057';
const alfa = clientFor(service, 'demo-alfa');

type Body = { readonly title: string; readonly detail: string; readonly code: ErrorCode | null };
type Headers = Readonly<Record<string, string>>;

function submit(body: string): (headers: Headers) => Promise<Answer> {
  return (headers) => alfa.post('/outbound', body, { 'X-Idempotency-Key': 'language', ...headers });
}

/** Calls that are refused, with what a Macedonian detail begins with. */
const REFUSED: Readonly<Record<string, readonly [(headers: Headers) => Promise<Answer>, RegExp]>> = {
  'without a key': [(headers) => request(`${service.api}/ping`, { headers }), /^Недостасува заглавјето X-Api-Key\.$/u],
  'with a revoked key': [
    (headers) => clientFor(service, 'demo-revoked').get('/ping', headers),
    /^Операторот го повлекол/u,
  ],
  'from another address': [
    (headers) => clientFor(service, 'demo-address').get('/ping', headers),
    /^API-клучот не смее .* од 127\.0\.0\.1\.$/u,
  ],
  'unknown document': [(headers) => alfa.get(`/outbound/${NOWHERE}`, headers), /^Ниеден документ/u],
  'unknown list': [(headers) => alfa.get('/codelists/colours', headers), /^Видовите шифрарници се .*currencies/u],
  'large page': [(headers) => alfa.get('/outbound?pageSize=501', headers), /^pageSize може да биде најмногу 500\.$/u],
  'unknown parameter': [
    (headers) => alfa.get('/outbound?colour=red', headers),
    /^Нема параметар „colour“\. Познати се: /u,
  ],
  'unusable parameter': [
    (headers) => alfa.get('/outbound?dateFrom=x', headers),
    /мора да биде датум и време .*, или датум\.$/u,
  ],
  'unknown address': [(headers) => alfa.get('/nothing', headers), /^На оваа адреса нема ништо\.$/u],
  'wrong method': [(headers) => alfa.post('/ping', '', headers), /^Методите на овој ресурс се: GET, HEAD\.$/u],
  'no XML': [submit('{}'), /^Телото е JSON; испратете го самиот XML/u],
  'broken XML': [submit('<a><b></a>'), /^Ред 1, колона \d+, .*: Крајната ознака <\/a> не одговара на <b>/u],
  'another encoding than declared': [
    submit('<?xml version="1.0" encoding="utf-16"?><Invoice/>'),
    /XML-декларацијата наведува „utf-16“, но текстот не е UTF-16\.$/u,
  ],
  'another root': [
    submit('<Order/>'),
    /^Ред 1, колона 1, \/Order: Коренскиот елемент е „Order“ без именски простор; се очекува/u,
  ],
  'no recipient': [submit(without(sampleInvoice(), 'cac:AccountingCustomerParty')), /Недостасува примачот/u],
  'against the schema': [
    submit(sampleInvoice().replace('<cbc:IssueDate>', '<cbc:IssueDate>x')),
    /„x.*“ не е исправна вредност за cbc:IssueDate; се очекува датум како/u,
  ],
};

suite('Accept-Language', () => {
  for (const [name, [call, beginning]] of Object.entries(REFUSED)) {
    test(`decides the language of a detail, and of nothing else: ${name}`, async () => {
      const [plain, answer] = [await call({}), await call(MK)];
      const [english, macedonian] = [json(plain) as Body, json(answer) as Body];
      assert.match(macedonian.detail, beginning);
      assert.deepEqual({ ...macedonian, detail: '' }, { ...english, detail: '' });
      if (english.code !== null) assert.equal(macedonian.title, PROBLEM_CATALOGUE[english.code].title);
      assert.equal(answer.headers.get('content-language'), 'mk');
      assert.equal(answer.headers.get('vary'), 'X-Api-Key, Accept, Accept-Language');
      assert.deepEqual([plain.headers.get('content-language'), plain.headers.get('vary')], [null, 'X-Api-Key, Accept']);
      assert.doesNotMatch(english.detail, /\p{Script=Cyrillic}/u);
    });
  }

  test('asks for nothing with languages that there are not, or with any language', async () => {
    for (const asked of ['*', 'de, sq', 'mk;q=0', '', ',,;', 'mk'.repeat(2_000)]) {
      const answer = await alfa.get(`/outbound/${NOWHERE}`, { 'Accept-Language': asked });
      assert.match((json(answer) as Body).detail, /^No document/u, asked);
      assert.equal(answer.headers.get('content-language'), null, asked);
    }
  });

  test('decides the language of a failure message; without it the taxpayer does', async () => {
    const tenant = await newTenant(service);
    const docUid = docUidOf(await tenant.submitted(sampleInvoice({ number: 'N-1' })));
    const failure = failureBecause('TOTALS-MISMATCH', message('payable-differs', { stated: '1.00', computed: '2.00' }));
    const { code: failureCode, message: failureMessage, sentences: failureSentences } = failure;
    await walk(service, tenant.edb, docUid, [['give-up', { failureCode, failureMessage, failureSentences }]]);
    for (const [headers, words, language] of [
      [{}, /^As the amount to pay/u, null],
      [MK, /^Како износ за плаќање/u, 'mk'],
      [{ 'Accept-Language': 'en' }, /^As the amount to pay/u, 'en'],
    ] as const) {
      const answer = await tenant.get(`/outbound/${docUid}`, headers);
      assert.match((json(answer) as { readonly failureMessage: string }).failureMessage, words);
      assert.equal(answer.headers.get('content-language'), language);
    }
  });
});
