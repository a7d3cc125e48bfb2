import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { describe, test } from 'node:test';
import { sampleInvoice } from '../../../support/ubl-samples.ts';
import { factsOf, judge, outcomeOn, refusalOf } from '../judging/judging.ts';

const UTF_8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const CYRILLIC = 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШабвгдежзиклмнопрстуфхцчш';

function declaring(encoding: string, xml = sampleInvoice()): string {
  return xml.replace('encoding="UTF-8"', `encoding="${encoding}"`);
}

function undeclared(): string {
  return sampleInvoice().replace(' encoding="UTF-8"', '');
}

function utf16(text: string, order: 'LE' | 'BE', mark = true): Buffer {
  const bytes = Buffer.from(mark ? `\u{FEFF}${text}` : text, 'utf16le');
  return order === 'LE' ? bytes : bytes.swap16();
}

/** Encodes by asking the platform what each byte means; a character the encoding lacks becomes a question mark. */
function singleByte(text: string, encoding: string): Buffer {
  const meanings = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  return Buffer.from([...text].map((character) => Math.max(meanings.indexOf(character), 0) || 0x3f));
}

describe('accepted is', () => {
  const name = `${CYRILLIC} Љубица Ќосе`;
  const xml = sampleInvoice({ recipient: { name } });
  const cases: Record<string, Buffer> = {
    'UTF-8 without a declaration of it': Buffer.from(undeclared()),
    'UTF-8 with a byte order mark': Buffer.concat([UTF_8_MARK, Buffer.from(xml)]),
    'UTF-8 called utf8 in single quotes': Buffer.from(xml.replace('"UTF-8"', "'utf8'")),
    'UTF-16, little end first': utf16(declaring('UTF-16', xml), 'LE'),
    'UTF-16, big end first': utf16(declaring('utf-16', xml), 'BE'),
    'UTF-16 with a mark and no declaration': utf16(undeclared(), 'LE'),
    'UTF-16 without a mark, but with its exact name': utf16(declaring('UTF-16BE', xml), 'BE', false),
    'windows-1251': singleByte(declaring('windows-1251', xml), 'windows-1251'),
    'windows-1251 called cp1251': singleByte(declaring('cp1251', xml), 'windows-1251'),
    'ISO-8859-5': singleByte(declaring('ISO-8859-5', xml), 'iso-8859-5'),
    'KOI8-U': singleByte(declaring('KOI8-U', xml), 'koi8-u'),
    IBM866: singleByte(declaring('IBM866', xml), 'ibm866'),
  };
  for (const [title, bytes] of Object.entries(cases)) {
    test(title, () => {
      assert.equal(outcomeOn(bytes), 'document');
    });
  }
  test('windows-1251 with every letter as it was meant', () => {
    assert.equal(factsOf(singleByte(declaring('windows-1251', xml), 'windows-1251')).recipient.name, name);
  });
  test('windows-1250, ISO-8859-1 and ISO-8859-2 with every letter as it was meant', () => {
    for (const [encoding, written] of [
      ['windows-1250', 'Žito š.p. čaj €'],
      ['ISO-8859-2', 'Žito š.p. čaj'],
      ['ISO-8859-1', 'Größe señor'],
    ] as const) {
      const latin = declaring(encoding, sampleInvoice({ recipient: { name: written } }));
      assert.equal(factsOf(singleByte(latin, encoding)).recipient.name, written);
    }
  });
  test('letters of ISO-8859-5 that are UTF-8 by chance', () => {
    const plain = sampleInvoice({ recipient: { name: 'TD Alfa' } }).replaceAll(/[^\p{ASCII}]/gu, 'x');
    const bytes = singleByte(declaring('ISO-8859-5', plain.replace('TD', 'ТД')), 'iso-8859-5');
    assert.equal(isUtf8(bytes), true);
    assert.equal(factsOf(bytes).recipient.name, 'ТД Alfa');
  });
  test('a trade mark on every line that is UTF-8 by chance', () => {
    const plain = sampleInvoice({ recipient: { name: 'NESCAFÉ® '.repeat(10) } }).replaceAll(/[^\p{ASCII}É®]/gu, 'x');
    const bytes = Buffer.from(declaring('windows-1252', plain), 'latin1');
    assert.equal(isUtf8(bytes), true);
    assert.equal(factsOf(bytes).recipient.name, 'NESCAFÉ® '.repeat(10).trim());
  });
  test('US-ASCII that keeps to it', () => {
    const ascii = declaring('US-ASCII').replaceAll(/[^\p{ASCII}]/gu, (letter) => `&#${letter.codePointAt(0)};`);
    assert.equal(factsOf(ascii).documentNumber, 'Ф-2026-00142');
  });
});

describe('refused as ERR-2001 is', () => {
  const xml = sampleInvoice();
  const cases: Record<string, [Buffer, RegExp]> = {
    'UTF-16 without a mark and without its name': [utf16(undeclared(), 'LE', false), /byte order mark/u],
    'UTF-16 without a mark called UTF-16': [utf16(declaring('UTF-16'), 'BE', false), /byte order mark/u],
    'UTF-16 that says it is UTF-8': [utf16(xml, 'LE'), /says “utf-8”, but the text is UTF-16/u],
    'UTF-8 that says it is UTF-16': [Buffer.from(declaring('UTF-16')), /says “utf-16”, but the text is not UTF-16/u],
    'UTF-8 with a mark that says it is windows-1251': [
      Buffer.concat([UTF_8_MARK, Buffer.from(declaring('windows-1251'))]),
      /byte order mark/u,
    ],
    'UTF-8 that says it is windows-1251': [
      Buffer.from(declaring('windows-1251')),
      /says “windows-1251”, but the text is UTF-8/u,
    ],
    'UTF-8 in Albanian that says it is windows-1252': [
      Buffer.from(declaring('windows-1252', xml.replaceAll(/[^\p{ASCII}]/gu, 'ë'))),
      /but the text is UTF-8/u,
    ],
    'UTF-8 that says it is ISO-8859-1': [Buffer.from(declaring('ISO-8859-1')), /but the text is UTF-8/u],
    'windows-1251 that says it is UTF-8': [singleByte(xml, 'windows-1251'), /^Line 4, column 11: The byte 0xD4 /u],
    'US-ASCII that is not': [Buffer.from(declaring('US-ASCII')), /not ASCII/u],
    'UTF-7 by name': [Buffer.from(declaring('UTF-7')), /“utf-7” is not supported/u],
    'UTF-7 by its bytes': [Buffer.from(xml.replaceAll('<', '+ADw-')), /UTF-7/u],
    'UTF-32 with a mark': [Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]), /UTF-32/u],
    'UTF-32 without a mark': [Buffer.from([0, 0, 0, 0x3c, 0, 0, 0, 0x61]), /UTF-32/u],
    EBCDIC: [Buffer.from([0x4c, 0x6f, 0xa7, 0x94, 0x93, 0x40]), /EBCDIC/u],
    'an encoding nobody knows': [Buffer.from(declaring('x-elvish')), /“x-elvish” is not supported/u],
    'a multi-byte encoding': [Buffer.from(declaring('shift_jis')), /not supported/u],
    'a truncated character': [Buffer.concat([Buffer.from(xml).subarray(0, 500), Buffer.from([0xd0])]), /0xD0/u],
    'an over-long character': [Buffer.from(xml.replace('380', '\0\0')).fill(0xc0, 390, 391), /./u],
    'a surrogate in UTF-8': [Buffer.from(xml.replace('380', 'a'), 'utf8').fill(0xed, 400, 401), /./u],
    'half a character of UTF-16': [utf16(declaring('UTF-16'), 'LE').subarray(0, -1), /not valid UTF-16/u],
    'a lone surrogate of UTF-16': [utf16(declaring('UTF-16').replace('380', '\u{D800}'), 'BE'), /not valid UTF-16/u],
    'a NUL character': [Buffer.from(xml.replace('380', '38\0')), /column 26: There is a NUL/u],
    'a NUL character at the end': [Buffer.from(`${xml}\0`), /NUL/u],
    'two byte order marks': [Buffer.concat([UTF_8_MARK, UTF_8_MARK, Buffer.from(xml)]), /Line 1, column 1/u],
    'a byte order mark alone': [UTF_8_MARK, /./u],
  };
  for (const [title, [bytes, detail]] of Object.entries(cases)) {
    test(title, () => {
      assert.match(refusalOf(bytes, 'ERR-2001'), detail);
    });
  }
  test('XML 1.1', () => {
    assert.match(
      refusalOf(sampleInvoice().replace('version="1.0"', 'version="1.1"'), 'ERR-2001'),
      /expected XML 1\.0/u,
    );
  });
});

test('positions count characters, whatever the encoding', () => {
  const broken = declaring('windows-1251').replace('</cbc:Note>', '&nbsp;</cbc:Note>');
  const inUtf8 = refusalOf(broken.replace('windows-1251', 'UTF-8'), 'ERR-2001');
  assert.match(inUtf8, /^Line 8, column 118, \/Invoice\/cbc:Note: The entity &nbsp; is not defined/u);
  assert.equal(refusalOf(singleByte(broken, 'windows-1251'), 'ERR-2001'), inUtf8);
  assert.equal(refusalOf(utf16(broken.replace('windows-1251', 'UTF-16'), 'BE'), 'ERR-2001'), inUtf8);
});

test('a second byte order mark is named, whatever the encoding', () => {
  for (const encoding of ['utf8', 'utf16le'] as const) {
    const text = sampleInvoice().replace('UTF-8', encoding === 'utf8' ? 'UTF-8' : 'UTF-16');
    const judgement = judge(Buffer.from(`\u{FEFF}\u{FEFF}${text}`, encoding));
    assert.ok(judgement.outcome === 'refused' && judgement.code === 'ERR-2001');
    assert.match(judgement.detail, /second byte order mark/u);
  }
});
