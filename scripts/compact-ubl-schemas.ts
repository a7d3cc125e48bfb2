/** Writes schemas/: `node scripts/compact-ubl-schemas.ts [directory of the official UBL 2.1 xsd files]`. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generateSchemas } from './ubl-schemas/generate-schemas.ts';

const officialDirectory = process.argv[2] ?? fileURLToPath(new URL('../../shared/ubl-2.1/xsd', import.meta.url));
const schemaFolder = new URL('../schemas/', import.meta.url);

for (const [file, text] of generateSchemas(officialDirectory)) {
  writeFileSync(new URL(file, schemaFolder), text);
  console.log(`${file}: ${Buffer.byteLength(text)} bytes`);
}
