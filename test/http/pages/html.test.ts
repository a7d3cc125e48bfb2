import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '../../../src/http/pages/html.ts';
import { filled } from '../../../src/http/pages/page.ts';
import { fc } from '../../support/seeds.ts';

test('whatever text stands in a template or an attribute, it is escaped', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom('<script>', '"onload="', "'", '&amp;', '</p>')), (text) => {
      const page = html`<p title="${text}">${text}</p>`.toString();
      const [, attribute = '', content = ''] = /^<p title="([^"<>']*)">([^<>"']*)<\/p>$/su.exec(page) ?? [];
      assert.deepEqual([decoded(attribute), decoded(content)], [text, text]);
    }),
  );
});

test('HTML within a template stays as it is, lists are joined, and null is nothing', () => {
  assert.equal(
    html`<ul>${['a', 'b'].map((item) => html`<li>${item}</li>`)}${null}${7}</ul>`.toString(),
    '<ul><li>a</li><li>b</li>7</ul>',
  );
});

test('values of words are put in escaped, unless they are HTML', () => {
  const text = filled('<{first}> and {second}.', { first: '<i>', second: html`<b>two</b>` }).toString();
  assert.equal(text, '&lt;&lt;i&gt;&gt; and <b>two</b>.');
});

function decoded(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
