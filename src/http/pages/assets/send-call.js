/** An answer may be a file of many megabytes; a page shows its beginning, and says so. */
const MOST_CHARACTERS = 20_000;

for (const form of document.querySelectorAll('form[data-method]')) {
  if (!(form instanceof HTMLFormElement)) continue;
  for (const input of inputs(form, '[data-name="X-Idempotency-Key"]')) input.value = `reference-${Date.now()}`;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}

/**
 * @param {ParentNode} within
 * @param {string} selector
 * @returns {HTMLInputElement[]}
 */
function inputs(within, selector) {
  return [...within.querySelectorAll(selector)].filter((element) => element instanceof HTMLInputElement);
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const { method = 'GET', sending = '', unreachable = '' } = form.dataset;
  const output = form.querySelector('[role="status"]');
  if (!(output instanceof HTMLElement)) return;
  output.hidden = false;
  output.replaceChildren(sending);
  try {
    const body = form.querySelector('textarea')?.value;
    const response = await fetch(urlOf(form), {
      method,
      headers: headersOf(form),
      ...(body === undefined ? {} : { body }),
    });
    output.replaceChildren(...(await shown(response, form.dataset)));
  } catch {
    output.replaceChildren(unreachable);
  }
}

/** @param {HTMLFormElement} form */
function urlOf(form) {
  let path = form.dataset['url'] ?? '';
  const query = new URLSearchParams();
  for (const { value, dataset } of inputs(form, '[data-in]')) {
    const name = dataset['name'] ?? '';
    if (dataset['in'] === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    if (dataset['in'] === 'query' && value !== '') query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** @param {HTMLFormElement} form */
function headersOf(form) {
  const headers = new Headers();
  for (const { value, dataset } of inputs(document, '[data-header]')) headers.set(dataset['header'] ?? '', value);
  for (const { value, dataset } of inputs(form, '[data-in="header"]')) {
    if (value !== '') headers.set(dataset['name'] ?? '', value);
  }
  return headers;
}

/**
 * @param {Response} response
 * @param {DOMStringMap} words
 */
async function shown(response, { file = '', cut = '' }) {
  const status = document.createElement('p');
  status.className = response.ok ? 'good' : 'bad';
  status.textContent = `HTTP ${response.status} ${response.statusText}`;
  const text = document.createElement('pre');
  text.className = 'tall';
  text.tabIndex = 0;
  const body = await bodyOf(response, file);
  text.textContent = body.slice(0, MOST_CHARACTERS);
  if (body.length <= MOST_CHARACTERS) return [status, text];
  const note = document.createElement('p');
  note.className = 'quiet';
  note.textContent = cut.replace('{shown}', String(MOST_CHARACTERS));
  return [status, note, text];
}

/**
 * @param {Response} response
 * @param {string} fileWords
 */
async function bodyOf(response, fileWords) {
  const type = response.headers.get('content-type') ?? '';
  const blob = await response.blob();
  if (/json/u.test(type)) return pretty(await blob.text());
  if (/^text|xml/u.test(type)) return blob.text();
  return fileWords.replace('{bytes}', String(blob.size)).replace('{type}', type);
}

/** @param {string} text */
function pretty(text) {
  const value = JSON.parse(text);
  const docUid = value?.docUid ?? value?.items?.[0]?.docUid;
  // What a call has found is what the next one is about.
  if (typeof docUid === 'string') for (const input of inputs(document, '[data-name="docUid"]')) input.value ||= docUid;
  return JSON.stringify(value, null, 2);
}
