import type { ViewedDocument } from '../../../application/views/view-document.ts';
import type { QrCode } from '../../../domain/qr-code/qr-code.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from './page-context.ts';

/** Light modules around a code, by which readers find it (ISO/IEC 18004, 5.3.8). */
const QUIET_ZONE = 4;

/** The page of the document in the authority's register, as a link and as a QR code, which must be on a printed document. */
export function registerCode({ registerLink, code }: ViewedDocument, { words }: PageContext): Html | null {
  if (registerLink === null) return null;
  return html`<section class="register"><h2 class="unseen">${words('register')}</h2>
${code === null ? null : svg(code, words('qr-of'))}
<p><a href="${registerLink}" rel="noopener noreferrer">${words('open-register')}</a></p></section>`;
}

function svg(code: QrCode, name: string): Html {
  const size = code.length + 2 * QUIET_ZONE;
  const dark = code.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`] : [])),
  );
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${name}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${dark.join('')}"/></svg>`;
}
