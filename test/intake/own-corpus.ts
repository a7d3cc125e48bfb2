import { gzipSync } from 'node:zlib';
import {
  bytesOf,
  PDF_ATTACHMENT,
  replaceElement,
  SAMPLE_PDF,
  sampleCreditNote,
  sampleInvoice,
  without,
} from '../support/ubl-samples.ts';

export type OwnDocument = {
  readonly peculiarity: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** `document`, or the code of the refusal. */
  readonly outcome: string;
  readonly hasPdf?: true;
};

const INVOICE = sampleInvoice();
const BODY = INVOICE.replace(/^<\?xml.*?\?>\n/u, '');
const LATIN_INVOICE = INVOICE.replaceAll(/[^\n\x20-\x7e]/gu, 'x');

/** One document of our own writing for each peculiarity that docs/intake.md speaks of. */
export const OWN_CORPUS: readonly OwnDocument[] = [
  accepted('an ordinary invoice', INVOICE),
  accepted('an ordinary credit note', sampleCreditNote()),
  accepted('no UBLVersionID', sampleInvoice({ versionId: null })),
  accepted('UBLVersionID with the name of the standard', sampleInvoice({ versionId: 'UBL 2.1' })),
  refused('UBLVersionID of another version', sampleInvoice({ versionId: '2.0' }), 'ERR-2002'),
  accepted(
    'a CustomizationID of others',
    INVOICE.replace('<cbc:ID>', '<cbc:CustomizationID>urn:others:rules:1.0</cbc:CustomizationID>\n  <cbc:ID>'),
  ),
  refused(
    'an element of UBL 2.2',
    sampleCreditNote().replace(
      '<cbc:CreditNoteTypeCode>',
      '<cbc:DueDate>2026-11-29</cbc:DueDate>\n<cbc:CreditNoteTypeCode>',
    ),
    'ERR-2002',
  ),
  accepted('an extension of others', sampleInvoice({ extension: '<a xmlns="urn:others" b="c">d<e/></a>' })),
  accepted('a recipient abroad', sampleInvoice({ recipient: { country: 'DE', taxNumber: 'DE 811 569 869' } })),
  refused(
    'a number abroad without a country',
    sampleInvoice({ recipient: { country: null, taxNumber: 'DE811569869' } }),
    'ERR-2004',
  ),
  accepted(
    'an EDB with the Cyrillic prefix and blanks',
    sampleInvoice({ recipient: { taxNumber: 'МК 4080026 000023' } }),
  ),
  accepted('a natural person', sampleInvoice({ recipient: { name: 'Петар Петровски', taxNumber: null } })),
  refused('neither name nor number', sampleInvoice({ recipient: { name: null, taxNumber: null } }), 'ERR-2003'),
  refused('no document type', sampleInvoice({ typeCode: null }), 'ERR-2005'),
  refused('no amount', sampleInvoice({ amount: null }), 'ERR-2006'),
  refused('an amount that is no number', sampleInvoice({ amount: '1.234,50' }), 'ERR-2006'),
  accepted('a zero amount', sampleInvoice({ amount: '0.00' })),
  accepted('a negative amount', sampleInvoice({ amount: '-139216.40' })),
  accepted(
    'other prefixes',
    INVOICE.replaceAll('cbc:', 'b:').replaceAll(':cbc=', ':b=').replaceAll('cac:', 'a:').replaceAll(':cac=', ':a='),
  ),
  accepted('a byte order mark', `\u{FEFF}${INVOICE}`),
  refused('two byte order marks', `\u{FEFF}\u{FEFF}${INVOICE}`, 'ERR-2001'),
  { peculiarity: 'UTF-16 with its mark', bytes: utf16(INVOICE.replace('UTF-8', 'UTF-16')), outcome: 'document' },
  { peculiarity: 'windows-1252', bytes: latin1(LATIN_INVOICE.replace('UTF-8', 'windows-1252')), outcome: 'document' },
  { peculiarity: 'a declaration that lies', bytes: utf16(INVOICE), outcome: 'ERR-2001' },
  refused('XML 1.1', INVOICE.replace('version="1.0"', 'version="1.1"'), 'ERR-2001'),
  refused('a DOCTYPE', `<!DOCTYPE Invoice>${BODY}`, 'ERR-2001'),
  accepted('an instruction that asks for fetching', `<?xml-stylesheet href="http://127.0.0.1:9/x.xsl"?>${BODY}`),
  refused('two documents in a row', INVOICE + INVOICE, 'ERR-2011'),
  refused('a wrapper around two', `<Batch>${BODY}${BODY}</Batch>`, 'ERR-2011'),
  refused('a wrapper around one', `<Batch>${BODY}</Batch>`, 'ERR-2002'),
  refused(
    'a tenant in an extension',
    sampleInvoice({ extension: '<x xmlns="urn:x"><Tenant-Id>7</Tenant-Id></x>' }),
    'ERR-1007',
  ),
  refused('an unknown element', INVOICE.replace('<cbc:Note ', '<cbc:Remark>x</cbc:Remark><cbc:Note '), 'ERR-2002'),
  refused('no supplier', without(INVOICE, 'cac:AccountingSupplierParty'), 'ERR-2002'),
  refused('cut short', INVOICE.slice(0, 4_000), 'ERR-2001'),
  { peculiarity: 'compressed', bytes: new Uint8Array(gzipSync(INVOICE)), outcome: 'ERR-2001' },
  refused('a PDF', SAMPLE_PDF, 'ERR-2001'),
  refused('JSON', '{"invoice": 1}', 'ERR-2001'),
  { ...accepted('an embedded PDF', sampleInvoice({ attachments: [PDF_ATTACHMENT] })), hasPdf: true },
  accepted(
    'an embedded PDF that is none',
    sampleInvoice({ attachments: [{ mimeCode: 'application/pdf', content: 'AAAA' }] }),
  ),
  accepted('another currency', sampleInvoice({ currency: 'EUR' })),
  accepted('an empty note', replaceElement(INVOICE, 'cbc:Note', '<cbc:Note></cbc:Note>')),
];

function accepted(peculiarity: string, xml: string): OwnDocument {
  return { peculiarity, bytes: bytesOf(xml), outcome: 'document' };
}

function refused(peculiarity: string, text: string, outcome: string): OwnDocument {
  return { peculiarity, bytes: bytesOf(text), outcome };
}

function utf16(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`\u{FEFF}${text}`, 'utf16le'));
}

function latin1(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
