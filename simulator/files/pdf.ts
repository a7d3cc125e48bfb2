import { inLatin } from './latin.ts';

const TOP = 780;
const LEFT = 60;
const LINE_HEIGHT = 20;

export type PdfLine = { readonly text: string; readonly size: number };

/** A page of plain text in Latin letters, because the standard fonts of PDF have no Cyrillic. The title stays Cyrillic. */
export function textPdf(title: string, lines: readonly PdfLine[]): Buffer {
  const page = lines.map(({ text, size }, index) => {
    const position = `1 0 0 1 ${LEFT} ${TOP - index * LINE_HEIGHT} Tm`;
    return `/F1 ${size} Tf ${position} (${escaped(inLatin(text))}) Tj`;
  });
  const content = `BT\n${page.join('\n')}\nET`;
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    `<< /Title <${utf16(title)}> >>`,
  ]);
}

/** Objects are numbered from 1; the first is the catalogue, the last the document information. A table of offsets follows. */
function assemble(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  const trailer = `<< /Size ${count} /Root 1 0 R /Info ${objects.length} 0 R >>`;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${entries}trailer\n${trailer}\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}${table}`, 'latin1');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\()]/gu, '\\$&');
}

/** With a byte order mark, by which readers tell UTF-16 from Latin text. */
function utf16(text: string): string {
  return `FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex')}`;
}
