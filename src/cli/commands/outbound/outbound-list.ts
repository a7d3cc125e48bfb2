import type { ListedOutbound } from '../../../application/ports/storage/search/document-search-store.ts';
import {
  isOutboundStatus,
  OUTBOUND_STATUS,
  OUTBOUND_STATUSES,
  type OutboundStatus,
} from '../../../domain/documents/outbound-status.ts';
import { toHex } from '../../../domain/values/hex.ts';
import { type Arguments, type Command, UsageError } from '../../command.ts';
import { showAge } from '../../search/age.ts';
import { moreText } from '../../search/more-text.ts';
import { readSearch, SEARCH_OPTIONS } from '../../search/search-options.ts';
import { table } from '../../table.ts';
import { showInstant } from '../../values.ts';

const HEADINGS = ['DOCUID', 'TENANT', 'STATUS', 'NUMBER', 'BUYER', 'SHA-256', 'EUID', 'AGE', 'FAILURE'];
/** Enough to compare with; the whole is in --json. */
const SHOWN_DIGITS = 12;

const { rejected, failed } = OUTBOUND_STATUS;

export const outboundList: Command = {
  name: 'outbound list',
  summary: 'Lists outbound documents of all taxpayers, the newest first.',
  positionals: '',
  options: {
    status: {
      value: 'status',
      help: `Only documents in this status (${OUTBOUND_STATUSES.join(', ')}); may be given several times.`,
    },
    'failure-code': { value: 'code', help: 'Only documents with this failure code.' },
    buyer: { value: 'EDB', help: 'Only documents to this buyer, by its tax number, however it is written.' },
    ...SEARCH_OPTIONS,
  },
  async run(operator, given) {
    const { search, limit } = await readSearch(operator, given);
    const statuses = readStatuses(given);
    const found = await operator.searchDocuments.outbound(
      { ...search, statuses, failureCode: given.option('failure-code'), partner: given.option('buyer') },
      limit,
    );
    const rows = found.documents.map((one) => [
      one.docUid,
      one.tenant,
      one.status === rejected || one.status === failed ? { alarming: one.status } : one.status,
      one.documentNumber,
      one.partnerEdb,
      one.sha256 === null ? null : toHex(one.sha256).slice(0, SHOWN_DIGITS),
      one.euid,
      showAge(found.now - one.createdAt),
      one.failureCode,
    ]);
    const text = rows.length === 0 ? 'There are none.' : [table(HEADINGS, rows), ...moreText(found.next)];
    return { text, json: { documents: found.documents.map((one) => outboundJson(one, found.now)), next: found.next } };
  },
};

function readStatuses(given: Arguments): readonly OutboundStatus[] | null {
  const statuses = new Set(given.options('status').map(readStatus));
  return statuses.size === 0 ? null : [...statuses];
}

function readStatus(text: string): OutboundStatus {
  const status = Number(text);
  if (!/^\d\d$/u.test(text) || !isOutboundStatus(status)) {
    throw new UsageError(`--status must be one of ${OUTBOUND_STATUSES.join(', ')}.`);
  }
  return status;
}

function outboundJson({ sha256, createdAt, archivedAt, ...facts }: ListedOutbound, now: number) {
  return {
    ...facts,
    sha256: sha256 === null ? null : toHex(sha256),
    createdAt: showInstant(createdAt),
    archivedAt: showInstant(archivedAt),
    ageSeconds: Math.floor((now - createdAt) / 1_000),
  };
}
