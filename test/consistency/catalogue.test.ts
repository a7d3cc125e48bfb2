import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ERROR_CODES,
  type ErrorCode,
  isErrorCode,
  PROBLEM_CATALOGUE,
} from '../../src/application/errors/problem-catalogue.ts';
import { DEMONSTRATIONS, demonstration } from '../../src/http/answers/demonstrations.ts';
import { errorCommand, errorIndexPage, errorPage } from '../../src/http/pages/error-pages.ts';
import { projectFile, sourceFiles } from './source-files.ts';

/** The codes and HTTP statuses of the contract. */
const CONTRACT: Readonly<Record<string, number>> = {
  'ERR-1001': 401,
  'ERR-1002': 401,
  'ERR-1003': 401,
  'ERR-1004': 403,
  'ERR-1005': 403,
  'ERR-1006': 429,
  'ERR-1007': 400,
  'ERR-1008': 400,
  'ERR-2001': 400,
  'ERR-2002': 400,
  'ERR-2003': 400,
  'ERR-2004': 400,
  'ERR-2005': 400,
  'ERR-2006': 400,
  'ERR-2010': 409,
  'ERR-2011': 400,
  'ERR-2012': 413,
  'ERR-2013': 400,
  'ERR-2021': 400,
  'ERR-3001': 404,
  'ERR-3002': 404,
  'ERR-3003': 409,
  'ERR-3004': 409,
  'ERR-3005': 400,
  'ERR-9000': 500,
  'ERR-9001': 409,
};

/** The titles that the contract fixes, letter for letter. */
const FIXED_TITLES: Partial<Record<ErrorCode, string>> = {
  'ERR-1007': 'Request body must not contain a tenant-identifying field.',
  'ERR-1008': 'X-Software-Id header is missing.',
  'ERR-2010': 'This idempotency key was already used with different content.',
  'ERR-2012': 'Document exceeds the configured size limit.',
  'ERR-2021': 'Unknown codelist type.',
  'ERR-3001': 'Document not found.',
  'ERR-3004': 'Document is already cancelled.',
  'ERR-3005': 'Requested page size exceeds the allowed maximum.',
};

function codesIn(text: string): readonly string[] {
  return [...new Set(text.match(/ERR-\w+/gu) ?? [])].toSorted();
}

const ALL = [...ERROR_CODES].toSorted();
const VIEW = { language: 'en', root: '', query: '', isDemo: true } as const;
const DEMO = 'http://127.0.0.1:8080';
const BASE = `${DEMO}/api/integration/v1`;

describe('the error catalogue', () => {
  test('has exactly the 26 codes of the contract, each with its HTTP status', () => {
    assert.equal(ERROR_CODES.length, 26);
    const statuses = Object.fromEntries(ERROR_CODES.map((code) => [code, PROBLEM_CATALOGUE[code].status]));
    assert.deepEqual(statuses, CONTRACT);
  });

  test('has the titles the contract fixes', () => {
    for (const [code, title] of Object.entries(FIXED_TITLES)) {
      assert.equal(PROBLEM_CATALOGUE[code as ErrorCode].title, title);
    }
  });

  test('has a title of its own, an account, a remedy and a word on retrying for every code', () => {
    assert.equal(new Set(ERROR_CODES.map((code) => PROBLEM_CATALOGUE[code].title)).size, ERROR_CODES.length);
    for (const code of ERROR_CODES) {
      const { title, happened, remedy, retry } = PROBLEM_CATALOGUE[code];
      for (const sentence of [title, happened, remedy, retry]) assert.match(sentence, /^[A-Zp].+\.$/u, code);
      assert.ok(title.length <= 80, code);
      assert.match(retry, /^(?:Yes|No|Only)/u, code);
    }
  });

  test('knows its codes and no others', () => {
    assert.ok(ERROR_CODES.every(isErrorCode));
    for (const text of ['', 'ERR-1000', 'err-1001', 'toString', '__proto__', 'constructor']) {
      assert.equal(isErrorCode(text), false, text);
    }
  });
});

describe('every code, and no other, has', () => {
  test('a demonstration in the demo environment', () => {
    assert.deepEqual(Object.keys(DEMONSTRATIONS).toSorted(), ALL);
    for (const code of ERROR_CODES) {
      const command = demonstration(code, BASE);
      assert.ok(command.includes(`${BASE}/`) && !command.includes('{base}'), code);
      assert.deepEqual(codesIn(command), []);
    }
  });

  test('a page, linked from the index', () => {
    assert.deepEqual(codesIn(errorIndexPage(VIEW)), ALL);
    const linked = [...errorIndexPage(VIEW).matchAll(/href="errors\/([^"]+)"/gu)].map(([, code]) => code);
    assert.deepEqual(linked.toSorted(), ALL);
    for (const code of ERROR_CODES) {
      const page = errorPage(VIEW, code, DEMO).replace(/<wbr>|<\/?span[^>]*>/gu, '');
      const { status, title, happened, remedy, retry } = PROBLEM_CATALOGUE[code];
      assert.deepEqual(codesIn(page), [code]);
      for (const part of [`HTTP ${status}`, title, happened, remedy, retry])
        assert.ok(page.includes(escaped(part)), code);
      assert.ok(page.includes(escaped(errorCommand(code, DEMO))), code);
    }
  });

  test('a section in docs/errors.md', () => {
    const page = projectFile('docs/errors.md');
    const sections = [...page.matchAll(/^## (.*)$/gmu)].map(([, heading]) => heading);
    assert.deepEqual(sections, ERROR_CODES);
    assert.deepEqual(codesIn(page), ALL);
    for (const section of page.split(/^## /mu).slice(1)) {
      const code = section.slice(0, 8) as ErrorCode;
      const { status, title } = PROBLEM_CATALOGUE[code];
      assert.ok(section.includes(`**${title}** HTTP ${status}`), code);
      assert.ok(section.includes(demonstration(code, BASE)), code);
    }
  });

  test('a place in openapi.json, under its HTTP status and with its title', () => {
    const text = projectFile('openapi.json');
    assert.deepEqual(codesIn(text), ALL);
    const seen = new Set<string>();
    for (const [status, description] of errorResponses(JSON.parse(text))) {
      for (const code of codesIn(description) as readonly ErrorCode[]) {
        assert.equal(PROBLEM_CATALOGUE[code].status, status, code);
        assert.ok(description.includes(`${code}: ${PROBLEM_CATALOGUE[code].title}`), code);
        seen.add(code);
      }
    }
    assert.deepEqual([...seen].toSorted(), ALL);
  });
});

test('neither the program nor its documents name a code that does not exist', () => {
  const files = [...sourceFiles(['src', 'simulator', 'scripts'], '.ts'), ...sourceFiles(['docs'], '.md')];
  for (const { path, text } of files) {
    const unknown = (text.match(/ERR-\d+/gu) ?? []).filter((code) => !isErrorCode(code));
    assert.deepEqual(unknown, [], path);
  }
});

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

type Operation = { readonly responses: Readonly<Record<string, { readonly description: string }>> };

function errorResponses(openapi: { readonly paths: Record<string, Record<string, Operation>> }) {
  return Object.values(openapi.paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ responses }) => Object.entries(responses))
    .map(([status, { description }]) => [Number(status), description] as const);
}
