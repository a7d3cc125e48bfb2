import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { DEMO_KEYS } from '../../../src/http/pages/demo-tour.ts';
import { EXAMPLES } from '../../../src/http/pages/examples.ts';
import { frontPage } from '../../../src/http/pages/front-page.ts';
import { type Answer, request } from '../../contract/support/client.ts';
import { assertPlainProblem, assertProblem } from '../../contract/support/problem.ts';
import { PROJECT } from '../../support/process.ts';
import { as, startTestService } from '../../support/service.ts';

const service = await startTestService();
after(() => service.stop());

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' };
const PAGES = ['/', '/errors', '/errors/ERR-1001', '/docs', '/docs/extensions'];

function browse(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return request(`${service.url}${path}`, { headers: { ...BROWSER, ...headers } });
}

function assertPage(answer: Answer, status: number): void {
  assert.equal(answer.status, status);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(answer.text, /<main id="content">/u);
}

suite('pages', () => {
  test('have a policy without anything inline or from elsewhere, and cannot be framed', async () => {
    for (const path of [...PAGES, '/nothing']) {
      const { headers, text } = await browse(path);
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/u, path);
      assert.doesNotMatch(policy, /unsafe|https?:|\*/u, path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.doesNotMatch(text, /<style|style="|<script(?! type="module" src=)| on\w+="/u, path);
    }
  });

  test('lead to each other and to files that browsers may keep, whatever the depth of their address', async () => {
    const seen = new Set<string>();
    for (const path of [...PAGES, '/errors/', '/a/b/c', '//x']) {
      const { text } = await browse(path);
      for (const [, link = ''] of text.matchAll(/(?:href|src)="([^"#?]+)"/gu))
        seen.add(new URL(link, service.url + path).href);
    }
    assert.ok(seen.size > 30, `${seen.size} links`);
    for (const link of seen) {
      assert.ok(link.startsWith(`${service.url}/`), link);
      const { status, headers } = await request(link, { headers: BROWSER });
      assert.equal(status, 200, link);
      if (link.includes('/assets/')) assert.match(headers.get('cache-control') ?? '', /max-age=31536000, immutable/u);
    }
  });

  test('are not made large by an address of many levels', async () => {
    const { text } = await browse('/a'.repeat(4_000));
    assert.ok(text.length < 10_000, `${text.length} characters`);
  });

  test('are in the language that the browser asks for, English by default; a link counts more', async () => {
    const cases = [
      [{}, '', 'en'],
      [{ 'Accept-Language': 'mk-MK,mk;q=0.9,en;q=0.8' }, '', 'mk'],
      [{ 'Accept-Language': 'de, sq;q=0.9' }, '', 'en'],
      [{ 'Accept-Language': '*' }, '', 'en'],
      [{ 'Accept-Language': 'en' }, '?language=mk', 'mk'],
      [{}, '?language=__proto__', 'en'],
    ] as const;
    for (const path of PAGES) {
      for (const [headers, query, language] of cases) {
        const answer = await browse(path + query, headers);
        assertPage(answer, 200);
        assert.equal(answer.headers.get('content-language'), language, `${path}${query}`);
        assert.match(answer.headers.get('vary') ?? '', /Accept-Language/u);
        assert.ok(answer.text.includes(`<html lang="${language}">`));
        const words = answer.text.replace(/>Македонски<|<(?:textarea|pre)[\s\S]*?<\/(?:textarea|pre)>/gu, '');
        assert.equal(/[а-ш]{5}/u.test(words), language === 'mk', path);
      }
    }
  });
});

suite('the front door', () => {
  test('is a page for a browser, with every demo key and the tour', async () => {
    const answer = await browse('/');
    assertPage(answer, 200);
    for (const key of Object.keys(DEMO_KEYS)) assert.ok(answer.text.includes(key), key);
    assert.ok(answer.text.replaceAll('<wbr>', '').includes(`API=${service.url}/api/integration/v1`));
    const issued = (await service.operator.keys.list(null)).map(({ software }) => software);
    assert.deepEqual(Object.keys(DEMO_KEYS).toSorted(), issued.toSorted());
  });

  test('is a problem for programs, as any address where nothing is', async () => {
    for (const accept of ['*/*', 'application/json', 'text/plain', 'application/json, text/html;q=0.5']) {
      assertPlainProblem(await request(`${service.url}/`, { headers: { Accept: accept } }), 404);
    }
    assertPlainProblem(await request(`${service.url}/`, { method: 'POST', headers: BROWSER }), 404);
  });

  test('shows neither keys nor the tour in production', () => {
    const page = frontPage({ language: 'en', root: './', query: '', isDemo: false }, 'http://127.0.0.1:8080');
    assert.doesNotMatch(page, /demo-|curl|127\.0\.0\.1/u);
    assert.match(page, /Keys are issued by the operator/u);
  });
});

suite('an address where nothing is', () => {
  test('is a page for a browser, outside the interfaces', async () => {
    for (const path of ['/nothing', '/a/b/c', '/errors/ERR-9999', '/examples/..%2F..%2Fpackage.json', '/api', '/%']) {
      assertPage(await browse(path), 404);
      assertPlainProblem(await request(`${service.url}${path}`), 404);
    }
  });

  test('is a problem below the interfaces, whoever asks', async () => {
    for (const root of ['/api/integration/v1', '/api/extensions/v1']) {
      assertPlainProblem(await browse(`${root}/nothing`), 404);
      assertProblem(await browse(`${root}/ping`), 'ERR-1001');
    }
    const missing = await browse('/api/integration/v1/outbound/x', as('demo-alfa'));
    assertProblem(missing, 'ERR-3001');
  });
});

test('the example documents are served as they are', async () => {
  for (const name of EXAMPLES) {
    const { status, text, headers } = await request(`${service.url}/examples/${name}`);
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/xml']);
    assert.equal(text, readFileSync(`${PROJECT}docs/examples/${name}`, 'utf8'));
  }
});
