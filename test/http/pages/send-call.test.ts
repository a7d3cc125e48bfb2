import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';

const SCRIPT = readFileSync(new URL('../../../src/http/pages/assets/send-call.js', import.meta.url), 'utf8');
const CUT = 'the first {shown} of more';
const MOST_CHARACTERS = 20_000;

/** As much of an element as the script asks for. */
class Element {
  readonly dataset: Readonly<Record<string, string>> = {};
  className = '';
  textContent = '';
  hidden = true;
  tabIndex = -1;
  children: readonly (Element | string)[] = [];

  replaceChildren(...children: readonly (Element | string)[]): void {
    this.children = children;
  }
}

class Form extends Element {
  override readonly dataset = { method: 'GET', url: '/ping', sending: '…', file: '{bytes} of {type}', cut: CUT };
  readonly output = new Element();
  submit: (event: { readonly preventDefault: () => void }) => void = () => assert.fail('nobody listens');

  addEventListener(_: string, listener: typeof this.submit): void {
    this.submit = listener;
  }

  querySelector(selector: string): Element | null {
    return selector === '[role="status"]' ? this.output : null;
  }

  querySelectorAll(): readonly Element[] {
    return [];
  }
}

/** What the page shows of an answer, but for its status. */
async function shownOf(answer: Response): Promise<readonly string[]> {
  const form = new Form();
  const document = {
    querySelectorAll: (selector: string) => (selector === 'form[data-method]' ? [form] : []),
    createElement: () => new Element(),
  };
  const classes = { HTMLFormElement: Form, HTMLInputElement: class {}, HTMLElement: Element };
  const done = Promise.withResolvers<void>();
  form.output.replaceChildren = (...children) => {
    form.output.children = children;
    if (children.length > 1) done.resolve();
  };
  runInNewContext(SCRIPT, { document, ...classes, Headers, URLSearchParams, fetch: async () => answer });
  form.submit({ preventDefault: () => undefined });
  await done.promise;
  return form.output.children.slice(1).map((child) => (typeof child === 'string' ? child : child.textContent));
}

test('an answer that the reference page cuts is said to be cut, and no other is', async () => {
  const note = CUT.replace('{shown}', String(MOST_CHARACTERS));
  for (const type of ['text/xml', 'text/plain']) {
    const answerOf = (length: number) => new Response('x'.repeat(length), { headers: { 'content-type': type } });
    assert.deepEqual(await shownOf(answerOf(MOST_CHARACTERS)), ['x'.repeat(MOST_CHARACTERS)], type);
    assert.deepEqual(await shownOf(answerOf(MOST_CHARACTERS + 1)), [note, 'x'.repeat(MOST_CHARACTERS)], type);
  }
  const long = JSON.stringify('x'.repeat(MOST_CHARACTERS));
  const json = (body: string) => new Response(body, { headers: { 'content-type': 'application/problem+json' } });
  assert.deepEqual(await shownOf(json(long)), [note, long.slice(0, MOST_CHARACTERS)]);
  assert.deepEqual(await shownOf(json('{"a":1}')), ['{\n  "a": 1\n}']);
  const file = new Response('x'.repeat(3), { headers: { 'content-type': 'application/pdf' } });
  assert.deepEqual(await shownOf(file), ['3 of application/pdf']);
});
