/** Without scripts there is nothing to copy with, so the buttons are hidden until now. */
for (const button of document.querySelectorAll('button[data-copied]')) {
  const text = button.parentElement?.querySelector('pre');
  if (!(button instanceof HTMLButtonElement) || !text) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await copy(text);
    button.textContent = button.dataset['copied'] ?? '';
  });
}

/** @param {HTMLElement} source */
async function copy(source) {
  // A page that came over plain HTTP from another machine has no clipboard; selected text can be copied there all the same.
  if (navigator.clipboard) return navigator.clipboard.writeText(source.textContent ?? '');
  getSelection()?.selectAllChildren(source);
  document.execCommand('copy');
}
