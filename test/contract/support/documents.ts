import { sampleInvoice } from '../../support/ubl-samples.ts';

let invoices = 0;

/** A valid invoice with a number that no other has. */
export function freshInvoice(): string {
  invoices += 1;
  return sampleInvoice({ number: `C-${invoices}` });
}

/** The document without its XML declaration, as it stands inside another. */
export function bare(xml: string): string {
  return xml.replace(/^<\?xml.*?\?>/u, '');
}
