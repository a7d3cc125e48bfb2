import type { DocumentMark, InboundSearch } from '../../application/ports/storage/search/document-search-store.ts';
import { isEuid } from '../../domain/documents/euid.ts';
import { parseSha256 } from '../../domain/values/hex.ts';
import { normalText } from '../../domain/values/normal-text.ts';
import { type Arguments, UsageError } from '../command.ts';
import type { Operator } from '../operator.ts';
import { readDocUidValue, readPositiveValue, readTimeLimit } from '../values.ts';

const DEFAULT_LIMIT = 50;
/** More would be held in memory at once. */
const HIGHEST_LIMIT = 10_000;

/** The options that the lists of outbound and inbound documents have in common. */
export const SEARCH_OPTIONS = {
  tenant: { value: 'EDB', help: 'Only documents of this taxpayer.' },
  number: { value: 'number', help: 'Only documents with this number.' },
  euid: { value: 'EUID', help: 'Only the document with this identifier of the authority.' },
  sha256: { value: 'digits', help: 'Only documents with this SHA-256, as submitted or arrived.' },
  since: { value: 'time', help: 'Only documents from this time on, or from the beginning of this day in Skopje.' },
  until: { value: 'time', help: 'Only documents up to this time, or to the end of this day in Skopje.' },
  'older-than': { value: 'docUid', help: 'Goes on after this document, the last one of the list before.' },
  limit: { value: 'number', help: `So many at most. Default: ${DEFAULT_LIMIT}; highest: ${HIGHEST_LIMIT}.` },
};

/** What is looked for, and how many documents are shown. */
export async function readSearch({ tenants }: Operator, given: Arguments) {
  const edb = given.option('tenant');
  const limit = readPositiveValue('limit', given.option('limit')) ?? DEFAULT_LIMIT;
  if (limit > HIGHEST_LIMIT) throw new UsageError(`--limit must be at most ${HIGHEST_LIMIT}.`);
  const search: Omit<InboundSearch, 'onlyNotImported' | 'partner'> = {
    tenant: edb === null ? null : (await tenants.find(edb)).edb,
    mark: readMark(given),
    since: readTimeLimit('since', given.option('since'), 'from'),
    until: readTimeLimit('until', given.option('until'), 'to'),
    olderThan: readDocUidValue('older-than', given.option('older-than')),
  };
  return { search, limit };
}

function readMark(given: Arguments): DocumentMark | null {
  const marks: DocumentMark[] = [];
  const number = given.option('number');
  const euid = given.option('euid');
  const sha256 = given.option('sha256');
  if (number !== null) marks.push({ by: 'documentNumber', value: normalText(number) ?? '' });
  if (euid !== null) marks.push({ by: 'euid', value: readEuid(euid.trim()) });
  if (sha256 !== null) marks.push({ by: 'sha256', value: readSha256(sha256) });
  if (marks.length > 1) throw new UsageError('Give one of --number, --euid and --sha256.');
  return marks[0] ?? null;
}

function readEuid(text: string): string {
  if (!isEuid(text)) throw new UsageError('--euid must be an EUID: 32 hexadecimal digits with four hyphens.');
  return text;
}

function readSha256(text: string): Uint8Array {
  const digest = parseSha256(text.trim());
  if (digest === null) throw new UsageError('--sha256 must be the 64 hexadecimal digits of a SHA-256.');
  return digest;
}
