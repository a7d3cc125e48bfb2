import type { ListedInbound } from '../../../application/ports/storage/search/document-search-store.ts';
import { toHex } from '../../../domain/values/hex.ts';
import type { Command } from '../../command.ts';
import { showAge } from '../../search/age.ts';
import { moreText } from '../../search/more-text.ts';
import { readSearch, SEARCH_OPTIONS } from '../../search/search-options.ts';
import { table } from '../../table.ts';
import { showInstant } from '../../values.ts';

const HEADINGS = ['DOCUID', 'TENANT', 'IMPORTED', 'NUMBER', 'SENDER', 'SHA-256', 'EUID', 'AUTHORITY STATUS', 'AGE'];
/** Enough to compare with; the whole is in --json. */
const SHOWN_DIGITS = 12;

export const inboundList: Command = {
  name: 'inbound list',
  summary: 'Lists inbound documents of all taxpayers, the newest first.',
  positionals: '',
  options: {
    'not-imported': { value: null, help: 'Only documents that no software has acknowledged.' },
    sender: { value: 'EDB', help: 'Only documents of this sender, by its tax number, however it is written.' },
    ...SEARCH_OPTIONS,
  },
  async run(operator, given) {
    const { search, limit } = await readSearch(operator, given);
    const onlyNotImported = given.option('not-imported') !== null;
    const partner = given.option('sender');
    const found = await operator.searchDocuments.inbound({ ...search, partner, onlyNotImported }, limit);
    const rows = found.documents.map((one) => [
      one.docUid,
      one.tenant,
      one.ackedAt === null ? 'no' : 'yes',
      one.documentNumber,
      one.senderEdb,
      toHex(one.sha256).slice(0, SHOWN_DIGITS),
      one.euid,
      one.authorityStatus,
      showAge(found.now - one.receivedAt),
    ]);
    const text = rows.length === 0 ? 'There are none.' : [table(HEADINGS, rows), ...moreText(found.next)];
    return { text, json: { documents: found.documents.map((one) => inboundJson(one, found.now)), next: found.next } };
  },
};

function inboundJson({ sha256, receivedAt, ackedAt, archivedAt, ...facts }: ListedInbound, now: number) {
  return {
    ...facts,
    sha256: toHex(sha256),
    receivedAt: showInstant(receivedAt),
    importedAt: showInstant(ackedAt),
    archivedAt: showInstant(archivedAt),
    ageSeconds: Math.floor((now - receivedAt) / 1_000),
  };
}
