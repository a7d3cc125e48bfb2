import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileUblSchemas } from '../src/adapters/ubl/judging/compile-schemas.ts';
import { judgeDocument } from '../src/adapters/ubl/judging/judge-document.ts';
import { parseXml } from '../src/adapters/ubl/xml/libxml2.ts';
import { largeInvoice, sampleInvoice } from '../test/support/ubl-samples.ts';

/** What judging a document costs on one thread, against native xmllint on the same file and the same schemas. */
const ROUNDS = 1_000;
const REPEATS = 5;
const MIB = 1_048_576;
const schemas = compileUblSchemas();

const invoice = Buffer.from(sampleInvoice());
judgeMany(invoice, ROUNDS);
const figures = Array.from({ length: REPEATS }, () => ({
  judged: judgeMany(invoice, ROUNDS),
  validated: validateMany(invoice, ROUNDS),
  native: xmllintMs(),
}));
const judged = Math.min(...figures.map((figure) => figure.judged));
const validated = Math.min(...figures.map((figure) => figure.validated));
console.log(`an invoice of ${invoice.length} bytes, best of ${REPEATS} turns`);
console.log(`  parsed and validated:                   ${validated.toFixed(3)} ms`);
console.log(`  guarded, parsed, validated, facts read: ${judged.toFixed(3)} ms`);
const native = Math.min(...figures.map((figure) => figure.native ?? Number.NaN));
if (Number.isNaN(native)) console.log('  native xmllint: not on this machine');
else {
  console.log(`  native xmllint --schema:                ${native.toFixed(3)} ms`);
  console.log(
    `  ratio: ${(validated / native).toFixed(2)} for the same work, ${(judged / native).toFixed(2)} for all of it`,
  );
}

for (const size of [1, 2, 5, 10]) {
  const large = Buffer.from(largeInvoice(size * MIB - 4_096));
  const lines = large.toString().split('<cac:InvoiceLine>').length - 1;
  judgeMany(large, 2);
  const ms = judgeMany(large, 3);
  console.log(
    `${String(size).padStart(2)} MiB, ${lines} lines: ${ms.toFixed(0)} ms, ${((ms / lines) * 1000).toFixed(1)} µs a line`,
  );
}

function judgeMany(document: Buffer, rounds: number): number {
  const started = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    const judgement = judgeDocument(document, schemas);
    if (judgement.outcome !== 'document') throw new Error(judgement.detail);
  }
  return (performance.now() - started) / rounds;
}

/** What xmllint does as well, and no more. */
function validateMany(document: Buffer, rounds: number): number {
  const started = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    const parsed = parseXml(document, true);
    if (!('root' in parsed)) throw new Error('The sample is not well-formed.');
    if (parsed.validate(schemas.Invoice).length > 0) throw new Error('The sample is not valid.');
    parsed[Symbol.dispose]();
  }
  return (performance.now() - started) / rounds;
}

/** Many times the same file in one call, less the time of one: what the start and the schemas cost falls out. */
function xmllintMs(): number | null {
  const folder = mkdtempSync(join(tmpdir(), 'dostava-bench-'));
  const file = join(folder, 'invoice.xml');
  writeFileSync(file, invoice);
  const schema = fileURLToPath(new URL('../schemas/ubl-invoice-2.1.xsd', import.meta.url));
  const run = (times: number) => {
    const started = performance.now();
    execFileSync('xmllint', ['--noout', '--schema', schema, ...Array.from({ length: times }, () => file)], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    return performance.now() - started;
  };
  try {
    run(1);
    return (run(ROUNDS + 1) - run(1)) / ROUNDS;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
