import type { UblConversion } from '../../../application/ports/inbound/authority-documents.ts';
import { type Message, message } from '../../../domain/messages/message.ts';
import { shortText } from '../../../domain/values/one-line-text.ts';
import { type Deviation, readPayload, type UnknownMembers } from '../document-schema/read-payload.ts';
import { ublDocument } from './ubl-document.ts';
import { writeXml } from './xml-element.ts';

const LONGEST_PATH = 100;

const EXPECTED: Readonly<Record<Deviation['expected'], Message>> = {
  missing: message('member-filled'),
  text: message('member-text'),
  date: message('member-date'),
  number: message('member-number'),
  whole: message('member-whole-number'),
  object: message('member-object'),
  list: message('member-list'),
  anything: message('member-filled'),
};

/** Whether a file is the authority's document as its schema has it. */
export function isAuthorityDocument(bytes: Uint8Array): boolean {
  return readPayload(bytes).outcome === 'read';
}

/** Converts the authority's document into UBL 2.1. A pure function, and the same bytes give the same bytes. */
export function convertToUbl(bytes: Uint8Array): UblConversion {
  const read = readPayload(bytes);
  if (read.outcome === 'not-json') return { outcome: 'refused', reason: message('original-not-json') };
  if (read.outcome === 'deviates') {
    const { path, expected } = read.deviation;
    const member = path === '' ? '/' : shortText(path, LONGEST_PATH);
    return { outcome: 'refused', reason: message('original-not-known', { member, expected: EXPECTED[expected] }) };
  }
  const { payload, unknown } = read;
  const root = ublDocument(payload, unknown);
  const { text, replacedCharacters } = writeXml(root, (replaced) => comment(unknown, replaced));
  return {
    outcome: 'converted',
    bytes: new TextEncoder().encode(text),
    leftOut: unknown.further + replacedCharacters,
  };
}

/** What is in the original alone. */
function comment({ further, furtherPaths }: UnknownMembers, replaced: number): string | null {
  const named = furtherPaths.map((path) => shortText(path, LONGEST_PATH));
  const said = [
    ...(further === 0 ? [] : [`Left out members: ${further}, among them ${named.join(', ')}.`]),
    ...(replaced === 0 ? [] : [`Characters that XML cannot hold, replaced by U+FFFD: ${replaced}.`]),
  ];
  return said.length === 0 ? null : said.join(' ');
}
