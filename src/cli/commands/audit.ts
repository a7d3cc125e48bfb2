import { readEdb } from '../../application/accounts/manage-tenants.ts';
import { maskKeys } from '../../domain/audit/caller-text.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import type { Command } from '../command.ts';
import { table } from '../table.ts';
import { readDocUidValue, readPositiveValue, readTimeLimit } from '../values.ts';

const DEFAULT_LIMIT = 100;

export const audit: Command = {
  name: 'audit',
  summary: 'Prints the audit trail, newest first.',
  positionals: '',
  options: {
    tenant: { value: 'EDB', help: 'Only calls of this taxpayer.' },
    key: { value: 'keyId', help: 'Only calls with this key.' },
    document: { value: 'docUid', help: 'Only calls about this document.' },
    since: { value: 'date-time', help: 'Only calls from this time on, or from the beginning of this day in Skopje.' },
    until: { value: 'date-time', help: 'Only calls up to this time, or to the end of this day in Skopje.' },
    limit: { value: 'entries', help: `How many entries at most. Default: ${DEFAULT_LIMIT}.` },
  },
  async run({ readAudit }, given) {
    const tenant = given.option('tenant');
    const limit = readPositiveValue('limit', given.option('limit')) ?? DEFAULT_LIMIT;
    const found = await readAudit({
      tenant: tenant === null ? null : readEdb(tenant),
      keyId: given.option('key'),
      docUid: readDocUidValue('document', given.option('document')),
      since: readTimeLimit('since', given.option('since'), 'from'),
      until: readTimeLimit('until', given.option('until'), 'to'),
      limit: limit + 1,
    });
    const shown = found.slice(0, limit).map((entry) => ({
      ...entry,
      at: formatInstant(entry.at),
      // Entries from before migration 6 may hold what a caller sent in the wrong place.
      path: maskKeys(entry.path),
      softwareId: entry.softwareId === null ? null : maskKeys(entry.softwareId),
    }));
    const rows = shown.map((entry) => [
      entry.at,
      entry.tenant,
      entry.keyId,
      entry.softwareId,
      entry.address,
      entry.method,
      entry.path,
      entry.docUid,
      entry.httpStatus,
      entry.code,
      entry.durationMs,
      entry.calls,
      entry.operator,
    ]);
    const headings = [
      'AT',
      'TENANT',
      'KEY',
      'SOFTWARE',
      'ADDRESS',
      'METHOD',
      'PATH',
      'DOCUMENT',
      'HTTP',
      'CODE',
      'MS',
      'CALLS',
      'OPERATOR',
    ];
    const more =
      found.length > limit
        ? ['There are older ones: --limit <number> prints more, --until <time> those of before.']
        : [];
    return { text: [table(headings, rows), ...more], json: shown };
  },
};
