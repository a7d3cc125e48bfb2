import {
  type CatalogueRow,
  ERROR_CODES,
  type ErrorCode,
  PROBLEM_CATALOGUE,
} from '../../application/errors/problem-catalogue.ts';
import { demonstration } from './demonstrations.ts';

/** The page that lists all codes; the `type` of a problem is the URL of the page of its code. */
export function errorIndexPage(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, title } = PROBLEM_CATALOGUE[code];
    return `<tr><td><a href="errors/${code}">${code}</a></td><td>${status}</td><td>${escapeHtml(title)}</td></tr>`;
  });
  return page(
    'Error catalogue',
    `<p>Every error answer carries one of these codes in <code>code</code>. Match on the code, never on the text.</p>
<table><thead><tr><th>Code</th><th>HTTP</th><th>Title</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`,
  );
}

export function errorPage(code: ErrorCode, demoBase: string): string {
  const row: CatalogueRow = PROBLEM_CATALOGUE[code];
  return page(
    `${code}: ${row.title}`,
    `<p class="status">HTTP ${row.status}</p>
<h2>What happened</h2><p>${escapeHtml(row.happened)}</p>
<h2>What to do</h2><p>${escapeHtml(row.remedy)}</p>
<h2>Is a retry useful?</h2><p>${escapeHtml(row.retry)}</p>
<h2>See it in the demo environment</h2><pre>${escapeHtml(demonstration(code, demoBase))}</pre>
<p><a href="../errors">All codes</a></p>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} · Dostava</title>
<style>
:root { color-scheme: light dark; --line: #8885; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.3; } h2 { font-size: 1rem; margin: 1.6rem 0 0.2rem; } p { margin: 0.3rem 0; }
table { border-collapse: collapse; margin-top: 1rem; } td, th { text-align: left; padding: 0.35rem 1rem 0.35rem 0; border-bottom: 1px solid var(--line); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.8rem 1rem; border: 1px solid var(--line); border-radius: 6px; font-size: 0.85rem; }
.status { opacity: 0.75; }
</style></head><body><h1>${escapeHtml(title)}</h1>
${body}
</body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
