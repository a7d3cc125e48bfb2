import { ALFA_EDB, BETA_EDB, CAC, CBC, largeInvoice, sampleInvoice } from '../../test/support/ubl-samples.ts';

/** A document to submit, with the place of its number. */
export type SizedDocument = {
  readonly size: string;
  readonly bytes: Uint8Array;
  readonly numberAt: number;
  /** Clients that send such documents at a time. */
  readonly connections: number;
};

const MIB = 1_048_576;
const NUMBER = '000000000';
/** The limit is meant for the whole document; the largest one stays just below. */
const ALMOST = 4_096;

const SMALLEST =
  `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:a="${CAC}" xmlns:b="${CBC}">` +
  `<b:ID>${NUMBER}</b:ID><b:IssueDate>2026-10-30</b:IssueDate><b:InvoiceTypeCode>380</b:InvoiceTypeCode>` +
  `<b:DocumentCurrencyCode>MKD</b:DocumentCurrencyCode>${party('Supplier', 'Alfa', ALFA_EDB)}${party('Customer', 'Beta', BETA_EDB)}` +
  '<a:LegalMonetaryTotal><b:PayableAmount currencyID="MKD">118.00</b:PayableAmount></a:LegalMonetaryTotal>' +
  '<a:InvoiceLine><b:ID>1</b:ID><b:InvoicedQuantity unitCode="C62">1</b:InvoicedQuantity>' +
  '<b:LineExtensionAmount currencyID="MKD">100.00</b:LineExtensionAmount><a:Item><b:Name>Paper</b:Name></a:Item></a:InvoiceLine></Invoice>';

function party(role: string, name: string, taxNumber: string): string {
  return (
    `<a:Accounting${role}Party><a:Party><a:PartyName><b:Name>${name}</b:Name></a:PartyName><a:PartyTaxScheme>` +
    `<b:CompanyID>${taxNumber}</b:CompanyID><a:TaxScheme><b:ID>VAT</b:ID></a:TaxScheme></a:PartyTaxScheme></a:Party></a:Accounting${role}Party>`
  );
}

export const SIZES = ['1 kB', '9 kB', '100 kB', '1 MiB', '10 MiB'] as const;
export type Size = (typeof SIZES)[number];

const MADE: Readonly<Record<Size, { readonly text: () => string; readonly connections: number }>> = {
  '1 kB': { text: () => SMALLEST, connections: 32 },
  '9 kB': { text: () => sampleInvoice(), connections: 32 },
  '100 kB': { text: () => largeInvoice(100_000), connections: 16 },
  '1 MiB': { text: () => largeInvoice(MIB), connections: 8 },
  '10 MiB': { text: () => largeInvoice(10 * MIB - ALMOST), connections: 2 },
};

const known = new Map<Size, SizedDocument>();

/** Made when it is first needed: the largest takes a while. */
export function documentOf(size: Size): SizedDocument {
  const document = known.get(size) ?? make(size);
  known.set(size, document);
  return document;
}

function make(size: Size): SizedDocument {
  const { text, connections } = MADE[size];
  const markup = text().replace(/(<(?:cbc|b):ID>)[^<]*/u, `$1${NUMBER}`);
  const bytes = new Uint8Array(Buffer.from(markup));
  return { size, bytes, numberAt: Buffer.from(bytes.buffer).indexOf(NUMBER), connections };
}
