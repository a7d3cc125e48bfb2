/** Brings the marked parts of an open page up to date. Without a script the page is as it was when it was loaded. */
const seconds = Number(document.body.getAttribute('data-refresh') ?? 0);

/** Whoever reads figures or chooses something is not disturbed, and a page that nobody looks at asks for nothing. */
function mayBeReplaced() {
  const isUsed = document.querySelector('[data-live] details[open], [data-live] :focus') !== null;
  return !(document.hidden || isUsed || document.getSelection()?.isCollapsed === false);
}

async function refresh() {
  if (!mayBeReplaced()) return;
  // It says that nobody has asked for it: a page that is left open must not keep its session.
  const headers = { accept: 'text/html', 'x-refresh': 'yes' };
  const response = await fetch(location.href, { redirect: 'manual', headers });
  // The session has ended: what it showed must not stay there, nor look as if it were of now.
  if (response.type === 'opaqueredirect') location.reload();
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  // Asked again: somebody may have begun to use the page while the answer was on its way.
  if (!mayBeReplaced()) return;
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.querySelector(`[data-live="${part.getAttribute('data-live')}"]`);
    if (next !== null && next.innerHTML !== part.innerHTML) part.replaceWith(next);
  }
}

if (seconds > 0) {
  // A failed one, while the service restarts for example, is followed by the next.
  setInterval(() => refresh().catch(() => undefined), seconds * 1000);
}
