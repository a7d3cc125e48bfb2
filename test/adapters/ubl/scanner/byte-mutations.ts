import type { Random } from '../../../support/seeds.ts';

/** Pieces that mean something in XML, in UBL or to one of its types. */
const PIECES = [
  ...[
    '<',
    '>',
    '/',
    '/>',
    '&',
    ';',
    '"',
    "'",
    '=',
    ':',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\r',
    ']',
    ']]>',
    '-',
    '--',
    '!',
    '?',
  ],
  ...[
    '<!-- c -->',
    '<!-- a -- b -->',
    '<!---->',
    '<!-- -',
    '--->',
    '<![CDATA[x]]>',
    '<![CDATA[]]>',
    '<?x y?>',
    '<?xml?>',
  ],
  ...[
    '<?xml-stylesheet href="a"?>',
    '<!DOCTYPE a>',
    '&amp;',
    '&lt;',
    '&#65;',
    '&#x41;',
    '&#0;',
    '&#9;',
    '&#xD;',
    '&#xFFFE;',
  ],
  ...[
    '&#x110000;',
    '&#xD800;',
    '&nbsp;',
    '&amp',
    '&;',
    '&#;',
    '&#x;',
    '\u{FFFE}',
    '\u{FFFF}',
    '\u{FEFF}',
    '\u{1F600}',
    'Ж',
  ],
  ...['\u0000', '\u0001', '\u000b', '\u007f', '\u0085', '\u00a0', '\u2028', '\u{10FFFF}', '\u{E000}'],
  ...[
    ' xmlns=""',
    ' xmlns:a="urn:x"',
    ' xmlns:cbc="urn:x"',
    ' a="b"',
    ' xml:lang="mk"',
    ' xml:space="x"',
    ' xsi:nil="true"',
  ],
  ...[
    ' currencyID="MKD"',
    ' currencyID=""',
    ' unitCode="C62"',
    ' schemeID="a&#10;b"',
    ' languageID="mk"',
    ' languageID=""',
  ],
  ...[
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x y"',
    ' xsi:schemaLocation="urn:x"',
  ],
  ...[
    '<cbc:ID>1</cbc:ID>',
    '<cbc:ID/>',
    '<cbc:Note/>',
    '<cbc:Note> </cbc:Note>',
    '</cbc:ID>',
    '<cbc:Note>',
    '<cac:Party/>',
  ],
  ...[
    '0',
    '1',
    '-',
    '+',
    '.',
    'e',
    '2024-02-29',
    '2023-02-29',
    '24:00:00',
    'Z',
    '+14:00',
    'true',
    'TRUE',
    'AAA=',
    'AA==',
  ],
];
const MOST_BYTES = 40;

/** A text with a few bytes put in, taken out, doubled or replaced; most places are near markup. */
export function mutateBytes(random: Random, source: Uint8Array): Uint8Array<ArrayBuffer> {
  let bytes = new Uint8Array(source);
  const times = 1 + Math.floor(random() * 2);
  for (let time = 0; time < times; time += 1) bytes = mutateOnce(random, bytes);
  return bytes;
}

function mutateOnce(random: Random, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const at = placeIn(random, bytes);
  const length = random() < 0.5 ? 1 : Math.floor(random() * MOST_BYTES);
  const piece = Buffer.from(PIECES[Math.floor(random() * PIECES.length)] ?? '');
  switch (Math.floor(random() * 5)) {
    case 0:
      return joined(bytes.subarray(0, at), piece, bytes.subarray(at));
    case 1:
      return joined(bytes.subarray(0, at), piece, bytes.subarray(at + length));
    case 2:
      return joined(bytes.subarray(0, at), bytes.subarray(at + length));
    case 3:
      return joined(bytes.subarray(0, at + length), bytes.subarray(at));
    default: {
      const other = new Uint8Array(bytes);
      other[at] = Math.floor(random() * 256);
      return other;
    }
  }
}

function placeIn(random: Random, bytes: Uint8Array): number {
  const at = Math.floor(random() * bytes.length);
  if (random() < 0.4) return at;
  const markup = bytes.indexOf(random() < 0.5 ? 0x3c : 0x3e, at);
  return markup === -1 ? at : markup + Math.floor(random() * 3);
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}
