import { basename } from 'node:path';
import type { ImportedFile } from '../../../application/inbound/import-inbound.ts';
import { type Command, required } from '../../command.ts';
import { progressLines } from '../../progress-lines.ts';
import { readWholeFile } from '../../read-whole-file.ts';
import { table } from '../../table.ts';

type Row = ImportedFile & { readonly file: string };

export const inboundImport: Command = {
  name: 'inbound import',
  summary: 'Imports files as documents received for a taxpayer: UBL, PDF or anything else.',
  positionals: '<file>…',
  options: { tenant: { value: 'EDB', help: 'The taxpayer they were sent to.', isRequired: true } },
  async run({ tenants, importInbound, timers }, given, report) {
    const tenant = await tenants.find(required(given, 'tenant'));
    // All files are read before the first is stored: a misspelt name must not leave half of them imported.
    const files = await Promise.all(
      given.positionals.map(async (file) => ({ file, bytes: await readWholeFile(file) })),
    );
    const rows: Row[] = [];
    const show = progressLines(report, timers);
    for (const [done, { file, bytes }] of files.entries()) {
      if (files.length > 1) show({ act: 'importing', what: 'files', done, total: files.length, unit: 'files' });
      rows.push({ file, ...(await importInbound(tenant.edb, basename(file), bytes)) });
    }
    const cells = rows.map(({ file, docUid, shape, isNew }) => [file, docUid, shape, isNew ? 'new' : 'known already']);
    return { text: table(['FILE', 'DOCUMENT', 'SHAPE', 'RESULT'], cells), json: rows };
  },
};
