import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentCode } from '../../src/application/ports/document-reader.ts';

const folder = fileURLToPath(new URL('../../../shared/corpus/', import.meta.url));
const manifest = join(folder, 'manifest.tsv');
/** Why tests over the corpus do not run, or false where they do: a fresh clone has none. */
export const corpusMissing = existsSync(manifest) ? false : 'the corpus is not in ../shared';

export type CorpusRow = {
  readonly file: string;
  readonly reason: string;
  readonly pdf: string;
  readonly sha256: string;
};

/** Documents of the corpus that an earlier check refuses, each looked at: what its code says is true of it. */
const EXCEPTIONS: ReadonlyArray<readonly [ContentCode, string, readonly string[]]> = [
  [
    'ERR-2002',
    'says in UBLVersionID that it is 2.0',
    [
      ...[
        'at-mapping__creditnote-with-all-elements',
        'at-mapping__id10305',
        'at-mapping__id13481',
        'at-mapping__id14205',
      ],
      ...['derived-enc-utf16__UBL-Invoice-2.0-Example-NS4-utf-16be', 'ehf-no__ehf-invoice-no-sbdh'],
      ...['erp__oioubl-creditnote-0', 'oasis-example__UBL-CreditNote-2.0-Example'],
      ...['oasis-example__UBL-Invoice-2.0-Example-NS3', 'oioubl-dk__BASPRO_03_01_06_CreditNote_v2p2'],
      ...['oioubl-dk__excise-registration-tax_real', 'ph-ubl__BII04-XML-example-full-core-data-01'],
      ...['sunat-pe__20480072872-07-FB99-00001', 'sunat-pe__20505310072-01-F001-00019772'],
    ],
  ],
  [
    'ERR-2003',
    'has a recipient without name and number, or none',
    ['derived-enc-utf8bom__Simplified_Credit_Note-2-bom', 'neg-xsd-invalid__20123456789-07-FF01-123'],
  ],
  [
    'ERR-2004',
    'has a placeholder of more than 30 characters for a tax number',
    [
      ...['derived-cyrillic__faktura-kat-e-cyr', 'derived-enc-win1250__invoice-warn-UBL-CR-663-cp1250'],
      'rs-sef__invoice-warn-UBL-CR-663',
    ],
  ],
  [
    'ERR-2004',
    'has a foreign tax number and no country code for the recipient',
    [
      ...[
        'hr-eracun__ubl-invoice-allowance-charge',
        'sunat-pe__20606433094-01-F001-10',
        'sunat-pe__20606433094-01-F001-3',
      ],
      ...['sunat-pe__20606433094-01-F001-5', 'sunat-pe__20606433094-01-F001-6', 'ubl-tr__IHRACAT', 'ubl-tr__output-10'],
      ...['ubl-tr__output-9', 'ubl-tr__output', 'neg-xsd-invalid__output-2', 'neg-xsd-invalid__output'],
    ],
  ],
  [
    'ERR-2005',
    'has no type code',
    [
      ...[
        'ehf-no__Reminder-Example-with-REM',
        'ehf-no__T14-BII05-gyldig-kreditnota',
        'oasis-example__UBL-CreditNote-2.1-Example',
      ],
      ...['oasis-example__UBL-Invoice-2.1-Example-Trivial', 'oioubl-dk__OIOUBL_CreditNoteCertificate'],
      ...['sk__invoice-rules-violation', 'neg-ubl22plus-element__cn-DueDate'],
    ],
  ],
  ['ERR-2006', 'has no PayableAmount', ['neg-xsd-invalid__SI-UBL-1.1-error-BII2-T10-R013']],
  ['ERR-2011', 'is two documents', ['neg-stream-derived__two-invoices-concatenated']],
  [
    'ERR-2011',
    'has two root elements: a header and a body that lost theirs',
    ['neg-malformed-real__3', 'neg-malformed-real__4', 'neg-malformed-real__5'],
  ],
  ['ERR-2011', 'wraps several documents', ['neg-wrapper__BR-CL-16', 'neg-wrapper__BR-E-04']],
  ['ERR-2001', 'ends in a NUL byte', ['neg-malformed-libxml2__trailing-null-1']],
  ['ERR-2001', 'ends within a character of UTF-16', ['neg-malformed-libxml2__truncated-utf16']],
];

export const corpusExceptions = new Map(EXCEPTIONS.flatMap(([code, , files]) => files.map((file) => [file, code])));

export function corpusRows(): CorpusRow[] {
  const lines = readFileSync(manifest, 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => {
    const columns = line.split('\t');
    const [file = '', , , reason = ''] = columns;
    return { file, reason, pdf: columns[10] ?? '', sha256: columns[12] ?? '' };
  });
}

/** The outcome that follows from the reason for which the manifest says a document must be refused. */
export function expectedOutcome({ file, reason }: CorpusRow): 'document' | ContentCode {
  const exception = corpusExceptions.get(corpusName(file));
  if (exception !== undefined) return exception;
  if (reason === '') return 'document';
  return /doctype|not-well-formed|namespace-error|not-xml|resource-limit|policy/u.test(reason)
    ? 'ERR-2001'
    : 'ERR-2002';
}

export function corpusName(file: string): string {
  return file.replace(/^.*\//u, '').replace(/\.\w+$/u, '');
}

export function corpusBytes({ file }: CorpusRow): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(folder, file)));
}
