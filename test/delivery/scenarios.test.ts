import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ConversionWarning } from '../../src/domain/documents/conversion-warning.ts';
import { inEnglish, render } from '../../src/domain/messages/render.ts';
import { skopjeDay } from '../../src/domain/values/skopje-day.ts';
import { docUidOf } from '../support/doc-uid.ts';
import { until } from '../support/process.ts';
import { DAY, type Delivering, type Document, MINUTE, type Steps, startDelivering, type Taxpayer } from './support.ts';

/** Of twelve tries the second to ninth are spared: a document that has failed once counts as having failed so often. */
const TRIES = 4;
const FAILURES_AFTER_FIRST = 9;
const STRAIGHT = '10 20 30 40';
const SENTENCE = /^[A-Z].*\.$/u;

/** A document that is tried again and again, in vain. */
function inVain(code: string): Steps {
  return `10 20 30 ${`20:${code} 30 `.repeat(TRIES - 1)}55:${code}`;
}

type Expected = {
  readonly steps: Steps;
  /** Of the authority's own errors. */
  readonly codes?: readonly string[];
  readonly sentence?: RegExp;
};

const REFUSED: Readonly<Record<string, Expected>> = {
  'SIM-E1020-1': {
    steps: '10 20 30 50:UJP-E1020',
    codes: ['E1020'],
    sentence: /^The totals .* It says: E1020 “Totals/u,
  },
  'SIM-E50071-1': {
    steps: '10 20 30 50:UJP-E50071',
    codes: ['E50071'],
    sentence: /^The date of delivery lies/u,
  },
  'SIM-E1004-1': {
    steps: '10 20 30 50:UJP-E1004',
    codes: ['E1004'],
    sentence: /^The authority does not know the tax group .*; correct the VAT rate\. It says: E1004/u,
  },
  // Said to be there, and not found: whoever it is, the document cannot be registered any more.
  'SIM-E1023-1': { steps: '10 20 30 50:UJP-E1023', codes: ['E1023'], sentence: /already has a document/u },
};

const IN_VAIN: Readonly<Record<string, Expected>> = {
  'SIM-E4007-1': { steps: inVain('AUTHORITY-BUSY'), sentence: /busy/u },
  'SIM-E5003-1': { steps: inVain('AUTHORITY-ERROR'), sentence: /E5003/u },
  'SIM-TIMEOUT-1': { steps: inVain('AUTHORITY-TIMEOUT'), sentence: /did not answer in time/u },
  'SIM-HTML-1': { steps: inVain('AUTHORITY-ERROR'), sentence: /failure of its own/u },
};

/** Of a taxpayer of its own: the fault is the account's, and stops all that the taxpayer sends. */
const OF_ACCOUNT: Readonly<Record<string, Expected>> = {
  'SIM-E1013-1': { steps: inVain('CREDENTIALS'), sentence: /does not accept the taxpayer's account.*E1013/u },
};

const REGISTERED: Readonly<Record<string, Expected>> = {
  'SIM-SILENT-1': { steps: STRAIGHT },
  'SIM-LOST-1': { steps: STRAIGHT },
  'SIM-SLOW-1': { steps: STRAIGHT },
  'SIM-BUSY-1': { steps: '10 20 30 20:AUTHORITY-BUSY 30 20:AUTHORITY-BUSY 30 40' },
  'SIM-BUYER-YES-1': { steps: STRAIGHT },
  'SIM-BUYER-NO-1': { steps: STRAIGHT },
  'NO-SCENARIO-1': { steps: STRAIGHT },
};

describe('a document whose number chooses a scenario ends as the table says:', () => {
  let delivering: Delivering;
  let owner: (number: string) => Taxpayer;
  const docUids = new Map<string, string>();

  before(async () => {
    delivering = await startDelivering({
      // Nothing but the scenarios of a timeout takes so long.
      AUTHORITY_TIMEOUT_SECONDS: '2',
      OUTCOME_WINDOW_SECONDS: '3',
      FOLLOW_SECONDS: '1',
    });
    const { alfa } = delivering;
    const zeta = await delivering.join('ЗЕТА ДОО Скопје');
    owner = (number) => (number in OF_ACCOUNT ? zeta : alfa);
    // The lists and the register are read once before anything is timed.
    await delivering.reach(alfa, await alfa.send('FIRST'), 40);
    const numbers = Object.keys({ ...REGISTERED, ...REFUSED, ...IN_VAIN, ...OF_ACCOUNT });
    for (const number of numbers) docUids.set(number, await owner(number).send(number));
    await delivering.passUntil('every document at its end', async () => {
      for (const taxpayer of [alfa, zeta]) await delivering.age(taxpayer, FAILURES_AFTER_FIRST);
      return delivering.isNothingUnderWay();
    });
    // What the buyer has left alone for five days counts as accepted by it.
    delivering.clock.advance(5 * DAY);
  });
  after(() => delivering.service.stop());

  /** The failure message in Macedonian: every sentence of the English one is stored without a language. */
  async function inMacedonian(number: string, english: string | null): Promise<string> {
    const { document } = await owner(number).story(docUidOf(docUids.get(number) ?? ''));
    const sentences = document.failureSentences ?? [];
    assert.equal(inEnglish(...sentences), english);
    return render('mk', sentences);
  }

  async function told(number: string): Promise<{ readonly document: Document; readonly steps: Steps }> {
    const docUid = docUids.get(number) ?? '';
    return { document: await owner(number).document(docUid), steps: await owner(number).steps(docUid) };
  }

  for (const [number, { steps, codes = [], sentence = SENTENCE }] of Object.entries(REFUSED)) {
    test(`${number}: refused for good, with the authority's reasons, and not registered`, async () => {
      const { document, steps: taken } = await told(number);
      assert.equal(taken, steps);
      assert.equal(document.status, 50);
      assert.equal(document.failureCode, `UJP-${codes[0]}`);
      assert.match(document.failureMessage ?? '', sentence);
      assert.match(document.failureMessage ?? '', SENTENCE);
      assert.match(await inMacedonian(number, document.failureMessage), /Порака од УЈП: E\d/u);
      const { errors, message, warnings, ...rest } = document.ujp ?? assert.fail('no answer of the authority');
      const nothing = { euid: null, qrLink: null, registeredAt: null, statusCode: null, statusName: null };
      assert.deepEqual(rest, { accepted: false, ...nothing });
      // The sample describes its items beside naming them.
      assert.ok(warnings.some((one) => (one as ConversionWarning).code === 'ITEM-DESCRIPTION-LEFT-OUT'));
      assert.deepEqual(
        errors.map((error) => (error as { readonly code: string }).code),
        codes,
      );
      assert.equal(message, (errors[0] as { readonly message: string }).message);
      // The authority's words, not ours: nothing of addresses and HTTP.
      assert.doesNotMatch(`${message}${document.failureMessage}`, /127\.0\.0\.1|HTTP/u);
      assert.equal((await delivering.registered({ docNumber: number })).length, 0);
    });
  }

  for (const [number, { steps, sentence = SENTENCE }] of Object.entries({
    ...IN_VAIN,
    ...OF_ACCOUNT,
  })) {
    test(`${number}: tried until attempts are used up, then given up, and not registered`, async () => {
      const { document, steps: taken } = await told(number);
      assert.equal(taken, steps);
      assert.equal(document.status, 55);
      assert.equal(document.failureCode, steps.split(':').at(-1));
      assert.match(document.failureMessage ?? '', sentence);
      assert.match(document.failureMessage ?? '', /All attempts are used up\.$/u);
      assert.match(await inMacedonian(number, document.failureMessage), /Сите обиди се искористени\.$/u);
      assert.doesNotMatch(document.failureMessage ?? '', /127\.0\.0\.1|HTTP|\d ms/u);
      assert.equal(document.ujp, null);
      assert.equal((await delivering.registered({ docNumber: number })).length, 0);
    });
  }

  for (const [number, { steps }] of Object.entries(REGISTERED)) {
    test(`${number}: registered exactly once and accepted, with EUID and link`, async () => {
      const { document, steps: taken } = await told(number);
      // The buyer may have decided already; that is looked at below.
      assert.equal(taken.replace(' 40:UJP-REJECTED-BY-BUYER', ''), steps);
      assert.deepEqual([document.status, document.failureCode, document.failureMessage], [40, null, null]);
      const [registered, ...others] = await delivering.registered({ docNumber: number });
      assert.ok(registered !== undefined && others.length === 0);
      const { ujp } = document;
      assert.deepEqual([ujp?.accepted, ujp?.euid, ujp?.errors], [true, registered.euid, []]);
      assert.match(ujp?.qrLink ?? '', new RegExp(`^http.*/euid/${registered.euid}$`, 'u'));
      const { attempts } = await delivering.alfa.story(docUidOf(document.docUid));
      const sentAt = attempts.findLast(({ act }) => act === 'send')?.startedAt ?? Number.NaN;
      assert.ok(Math.abs(Date.parse(ujp?.registeredAt ?? '') - sentAt) < 5 * MINUTE);
    });
  }

  const DECIDED = { 'SIM-BUYER-YES-1': '03', 'SIM-BUYER-NO-1': '05', 'NO-SCENARIO-1': '04' };
  for (const [number, statusCode] of Object.entries(DECIDED)) {
    test(`${number}: the authority's own status ${statusCode} arrives in ujp, ours stays 40`, async () => {
      await until('the decision', async () => {
        const [registered] = await delivering.registered({ docNumber: number });
        return registered?.status === statusCode;
      });
      // The clock has moved on by days: the day of the decision is over by it.
      const registeredOn = skopjeDay(Date.parse((await told(number)).document.ujp?.registeredAt ?? ''));
      await delivering.service.foundation.engine.transaction((sql) =>
        sql.run("update recurring_task set note = $1, due_at = 0 where name = 'follow'", [registeredOn]),
      );
      await until(`status ${statusCode}`, async () => {
        const { document } = await told(number);
        return document.ujp?.statusCode === statusCode;
      });
      const { document, steps } = await told(number);
      const expected = statusCode === '05' ? `${STRAIGHT} 40:UJP-REJECTED-BY-BUYER` : STRAIGHT;
      assert.deepEqual([document.status, document.failureCode, steps], [40, null, expected]);
      const [registered] = await delivering.registered({ docNumber: number });
      assert.equal(registered?.status, statusCode);
      assert.match(document.ujp?.statusName ?? '', /^\p{Lu}\p{Ll}+/u);
      if (statusCode === '05')
        assert.match(document.ujp?.message ?? '', /^O-2 Грешка во нарачка.*; Одбиено по сценарио/u);
    });
  }
});
