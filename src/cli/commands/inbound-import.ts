import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ImportedFile } from '../../application/import-inbound.ts';
import { OperatorError } from '../../application/operator-error.ts';
import { type Command, required, UsageError } from '../command.ts';
import { table } from '../table.ts';

type Row = ImportedFile & { readonly file: string };

export const inboundImport: Command = {
  name: 'inbound import',
  summary: 'Takes files in as documents received for a taxpayer: UBL, PDF or anything else.',
  positionals: '<file>…',
  options: { tenant: { value: 'EDB', help: 'The taxpayer they were sent to.' } },
  async run({ tenants, importInbound }, given) {
    const tenant = await tenants.find(required(given, 'tenant'));
    if (given.positionals.length === 0) throw new UsageError('At least one file is needed.');
    // All files are read before the first is taken in: a misspelt name loses nothing and takes in nothing.
    const files = await Promise.all(given.positionals.map(async (file) => ({ file, bytes: await readAll(file) })));
    const rows: Row[] = [];
    for (const { file, bytes } of files) {
      rows.push({ file, ...(await importInbound(tenant.edb, basename(file), bytes)) });
    }
    const cells = rows.map(({ file, docUid, shape, isNew }) => [file, docUid, shape, isNew ? 'new' : 'known already']);
    return { text: table(['FILE', 'DOCUMENT', 'SHAPE', 'RESULT'], cells), json: rows };
  },
};

async function readAll(file: string): Promise<Uint8Array> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError('refused', `${file} cannot be read: ${error.code ?? error.message}.`);
  });
  if (bytes.length === 0) throw new OperatorError('refused', `${file} is empty.`);
  return bytes;
}
