/** A table is as wide as its words need, and then lies over what is beside it.
 * @param {Element} element */
const isBeyondItsPlace = (element) => {
  if (element.closest('.scroll') !== null) return false;
  const place = element.parentElement?.getBoundingClientRect();
  return place !== undefined && element.getBoundingClientRect().right > place.right + 1;
};

/** What a browser is asked about a page; read into each page before its own scripts. */
const checks = {
  /** Words, figures and addresses that do not fit their line and go on in the next; commands may break at any slash. */
  brokenWords(within = 'body') {
    const broken = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      if (node.parentElement?.closest(within === 'body' ? 'textarea, script, .wide, .unseen' : '.unseen')) continue;
      if (!node.parentElement?.closest(within)) continue;
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(
        /[\p{L}\p{N}_]+(?:[.,]\p{N}+)+|[\p{L}\p{N}_]{2,}/gu,
      )) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(word);
      }
    }
    return broken;
  },

  /** Elements that are wider than their place, or the page itself. Examples scroll in theirs, also by keyboard. */
  overflowing() {
    const wide = [...document.querySelectorAll('pre:not(.tall[tabindex]), table, main, header, form')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 || isBeyondItsPlace(element))
      .map((element) => element.outerHTML.slice(0, 80));
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide`, ...wide] : wide;
  },

  /** Everything that can be used, and notes from now on what of it the keyboard reaches. */
  watchControls() {
    // A page that nobody looks at is not brought up to date: the controls that are watched stay.
    Object.defineProperty(document, 'hidden', { value: true });
    const found = [...document.querySelectorAll('a[href], button, input, textarea, summary, [tabindex="0"]')];
    const controls = found.filter((element) => element.checkVisibility());
    const unreached = new Set(controls);
    document.addEventListener('focusin', ({ target }) => unreached.delete(/** @type {Element} */ (target)));
    this.unreached = () => [...unreached].map((control) => control.outerHTML.slice(0, 120));
    return controls.length;
  },

  /** @returns {readonly string[]} */
  unreached: () => [],
};

Object.assign(globalThis, { pageChecks: checks });
