import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTHORITY_CODES } from '../../src/domain/messages/en/authority-codes.ts';
import { CONSOLE } from '../../src/domain/messages/en/console.ts';
import { CONSOLE_DOCUMENTS } from '../../src/domain/messages/en/console-documents.ts';
import { CONSOLE_SYSTEM } from '../../src/domain/messages/en/console-system.ts';
import { DOCUMENT_VIEW } from '../../src/domain/messages/en/document-view.ts';
import { PAGES } from '../../src/domain/messages/en/pages.ts';
import { type MessageKey, TEXTS } from '../../src/domain/messages/languages.ts';
import { sourceFiles } from './source-files.ts';

const program = sourceFiles(['src'], '.ts').filter(({ path }) => !/^src\/domain\/messages\/(?:en|mk)\//u.test(path));

function found(pattern: RegExp): ReadonlySet<string> {
  return new Set(program.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, one = '']) => one)));
}

test('every message is used by the program', () => {
  const named = found(/'([a-z][a-z-]*)'/gu);
  const said = found(/'([A-Z][^'\n]*\.)'/gu);
  // The codes are found by the authority's answer.
  const keys = Object.keys(TEXTS.en).filter((key) => !Object.hasOwn(AUTHORITY_CODES, key));
  assert.ok(keys.length >= 150);
  assert.deepEqual(
    // A sentence without values may stand as it is where it is thrown.
    keys.filter((key) => !named.has(key) && !said.has(`${TEXTS.en[key as MessageKey]}.`)),
    [],
  );
});

test('every word of a page is used by the program', () => {
  const named = found(/'([a-z][a-z\d-]*)'/gu);
  const makers = [
    ...found(/`([a-z-]+-)\$\{[^}`]*\}`/gu),
    ...[...found(/wordForCode\(\w+, '([a-z-]+)'/gu)].map((prefix) => `${prefix}-`),
  ];
  const ends = [...found(/`\$\{[^}`]*\}(-[a-z-]+)`/gu)];
  const isMade = (key: string) =>
    makers.some((start) => key.startsWith(start)) || ends.some((end) => key.endsWith(end)) || /^outbound-\d/u.test(key);
  const words = [CONSOLE, CONSOLE_DOCUMENTS, CONSOLE_SYSTEM, DOCUMENT_VIEW, PAGES].flatMap((texts) =>
    Object.keys(texts),
  );
  assert.ok(words.length >= 500);
  assert.deepEqual(
    words.filter((key) => !named.has(key) && !isMade(key)),
    [],
  );
});
