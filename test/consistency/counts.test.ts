import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONSOLE } from '../../src/domain/messages/en/console.ts';
import { CONSOLE_DOCUMENTS } from '../../src/domain/messages/en/console-documents.ts';
import { CONSOLE_SYSTEM } from '../../src/domain/messages/en/console-system.ts';
import { DOCUMENT_VIEW } from '../../src/domain/messages/en/document-view.ts';
import { PAGES } from '../../src/domain/messages/en/pages.ts';
import { type Language, TEXTS } from '../../src/domain/messages/languages.ts';
import { counted, message } from '../../src/domain/messages/message.ts';
import { CONSOLE as CONSOLE_MK } from '../../src/domain/messages/mk/console.ts';
import { CONSOLE_DOCUMENTS as CONSOLE_DOCUMENTS_MK } from '../../src/domain/messages/mk/console-documents.ts';
import { CONSOLE_SYSTEM as CONSOLE_SYSTEM_MK } from '../../src/domain/messages/mk/console-system.ts';
import { DOCUMENT_VIEW as DOCUMENT_VIEW_MK } from '../../src/domain/messages/mk/document-view.ts';
import { PAGES as PAGES_MK } from '../../src/domain/messages/mk/pages.ts';
import { words } from '../../src/domain/messages/render.ts';
import { sourceFiles } from './source-files.ts';

/** What is counted, in the form for several. */
const SEVERAL: Readonly<Record<Language, string>> = {
  en: 'attributes|blocks|bytes|calls|characters|comments|containers|days|declarations|deliveries|deviate|digits|documents|elements|entries|files|hours|inquiries|iterations|keys|levels|lines|lists|minutes|payloads|places|registrations|requests|rows|seconds|services|taxpayers|tenants|times|voids|volumes',
  mk: 'атрибути|бајти|блокови|датотеки|декларации|дена|документи|елементи|записи|знаци|испраќања|клучеви|коментари|места|минути|нивоа|обврзници|пати|повици|прашања|секунди|сметки|ставки|услуги|цифри|часа|часови',
};

/** A word in between, or none; no other value is what is counted then. */
const BETWEEN = '(?!(?:has|in|of|with) )(?:[a-z]+ )?';

/** A number in front of it. */
const PLAIN: Readonly<Record<Language, RegExp>> = {
  en: new RegExp(`\\{\\w+\\} ${BETWEEN}(?:${SEVERAL.en})\\b`, 'u'),
  mk: new RegExp(`\\{\\w+\\} (?:\\p{Ll}+ )?(?:${SEVERAL.mk})(?!\\p{L})`, 'u'),
};

/** Their numbers are never one, nor 21 or another that takes the form for one in Macedonian. */
const FIXED_NUMBERS: ReadonlySet<string> = new Set([
  ...['refused-too-often', 'service-failed', 'answer-cut'],
  // Of several things together there are always several.
  ...['too-many-nodes', 'too-many-pieces'],
]);

/** Their values may be HTML and are put in without a form. */
const PAGE_TEXTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: { ...PAGES, ...CONSOLE, ...CONSOLE_DOCUMENTS, ...CONSOLE_SYSTEM, ...DOCUMENT_VIEW },
  mk: { ...PAGES_MK, ...CONSOLE_MK, ...CONSOLE_DOCUMENTS_MK, ...CONSOLE_SYSTEM_MK, ...DOCUMENT_VIEW_MK },
};

for (const language of ['en', 'mk'] as const) {
  test(`every text in ${language} that counts something has the form for one`, () => {
    const texts = Object.entries<string>({ ...TEXTS[language], ...PAGE_TEXTS[language] });
    assert.ok(texts.length >= 500);
    const found = texts.filter(([key, text]) => PLAIN[language].test(text) && !FIXED_NUMBERS.has(key));
    assert.deepEqual(found, [], 'write {days|day|days}, or put the number behind the words');
    for (const [key, text] of Object.entries(PAGE_TEXTS[language])) assert.doesNotMatch(text, /\{\w+\|/u, key);
  });
}

/** Limits that are written in the program, or in its configuration. */
const LIMIT = /(?:^|\.)(?:[A-Z][A-Z_]+|max[A-Z]\w*)$/u;
/** What is no number, and two numbers together, of which there are always several. */
const NO_COUNTS: ReadonlySet<string> = new Set([
  ...['detail', 'docTypeCode', 'header.docType', 'keyId', 'path', 'tenant', "inbound ?? 'an unknown number of'"],
]);
const IN_PROGRAM = new RegExp(`\\$\\{([^{}]+)\\} ${BETWEEN}(?:${SEVERAL.en}|are|have|were)\\b[^=]`, 'gu');

test('every sentence of the program that counts something has the form for one', () => {
  const found = sourceFiles(['src', 'simulator', 'client/src'], '.ts').flatMap(({ path, text }) =>
    [...text.matchAll(IN_PROGRAM)].flatMap(([sentence, value = '']) =>
      LIMIT.test(value) || NO_COUNTS.has(value) || value.startsWith('counted(') ? [] : `${path}: ${sentence.trim()}`,
    ),
  );
  assert.deepEqual(found, [], "write counted(days, 'day')");
});

test('a number goes with the form of its language', () => {
  const forms = (language: Language, one: string, several: string) =>
    ['0', '1', '2', '11', '21', '1.021', '111'].filter((count) => counted(count, one, several, language).endsWith(one));
  assert.deepEqual(forms('en', ' ay', ' ays'), ['1']);
  assert.deepEqual(forms('mk', ' ен', ' на'), ['1', '21', '1.021']);
  assert.equal(counted(1, 'day'), '1 day');
  assert.equal(counted(2, 'entry', 'entries'), '2 entries');
  const left = (days: number) => message('found-days-left', { serialNumber: 'A1', days });
  assert.deepEqual(
    [1, 2].map((days) => words('en', left(days))),
    ['A1, 1 day until it expires', 'A1, 2 days until it expires'],
  );
  assert.deepEqual(
    [1, 2, 21].map((days) => words('mk', left(days))),
    ['A1, истекува за 1 ден', 'A1, истекува за 2 дена', 'A1, истекува за 21 ден'],
  );
});
