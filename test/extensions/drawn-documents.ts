import { type Random, seededRandom } from '../support/seeds.ts';
import { mutateUbl } from '../support/ubl-mutations.ts';
import { type SampleOptions, sampleCreditNote, sampleInvoice } from '../support/ubl-samples.ts';

type Draw = { readonly random: Random; readonly number: string; readonly supplier: string };

const EDITS: readonly ((xml: string) => string)[] = [
  (xml) => xml.replaceAll('<cbc:Percent>18<', '<cbc:Percent>5<'),
  (xml) => xml.replaceAll('<cbc:ID>S</cbc:ID>', '<cbc:ID>E</cbc:ID>'),
  (xml) => xml.replaceAll('<cbc:ID>S</cbc:ID>', '<cbc:ID>AE</cbc:ID>'),
  (xml) => xml.replace(/(<cbc:TaxExclusiveAmount[^>]*>)[^<]*/u, '$1123.45'),
  (xml) => xml.replace(/(<cbc:LineExtensionAmount[^>]*>)[^<]*/u, '$17.00'),
  (xml) => xml.replace(/<cbc:PriceAmount[^>]*>[^<]*<\/cbc:PriceAmount>/u, ''),
  (xml) => xml.replace(/unitCode="C62"/u, 'unitCode="XYZ"'),
  (xml) => xml.replace('<cbc:PaymentMeansCode>30<', '<cbc:PaymentMeansCode>999<'),
  (xml) => xml.replace(/(<cbc:InvoicedQuantity[^>]*>)/u, '$1-'),
];

/** Each is wrong or unusual in another way; some are refused, some fail, some are sent with a warning. */
const FLAWS: readonly ((draw: Draw) => SampleOptions)[] = [
  () => ({ number: '' }),
  ({ number }) => ({ number: `${number}-${'9'.repeat(20)}` }),
  () => ({ issueDate: '2026-11-02' }),
  () => ({ issueDate: '2016-01-15' }),
  () => ({ issueDate: '2026-02-30' }),
  () => ({ supplier: { taxNumber: '4080026000023' } }),
  () => ({ supplier: { taxNumber: null } }),
  () => ({ recipient: { taxNumber: '4999999999999' } }),
  () => ({ recipient: { taxNumber: null } }),
  () => ({ recipient: { taxNumber: null, name: null } }),
  () => ({ recipient: { taxNumber: 'DE123456789', country: 'DE' } }),
  () => ({ recipient: { country: 'XX' } }),
  () => ({ recipient: { taxNumber: '12' } }),
  () => ({ currency: 'EUR' }),
  () => ({ currency: 'XXX' }),
  () => ({ amount: '1.00' }),
  () => ({ amount: 'much' }),
  () => ({ typeCode: '325' }),
  () => ({ typeCode: null }),
  () => ({ typeCode: '383' }),
  () => ({ typeCode: '384' }),
  () => ({ versionId: '2.0' }),
  () => ({ extension: '<x:tenantId xmlns:x="urn:x"/>' }),
];

/** A document of a tenant as an accounting program might make it: often right, often wrong in one or several ways. */
export function drawDocument(draw: Draw): string {
  const { random, number, supplier } = draw;
  const one = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const flaws = Array.from({ length: Math.floor(random() ** 2 * 3) }, () => one(FLAWS)(draw));
  const options: SampleOptions = Object.assign({ number, supplier: { taxNumber: supplier } }, ...flaws);
  const plain = random() < 0.8 ? sampleInvoice(options) : sampleCreditNote(options);
  const edited = random() < 0.3 ? one(EDITS)(plain) : plain;
  return random() < 0.4 ? mutateUbl(random, edited).xml : edited;
}

/** Numbers that depend on the seed alone, however many documents are drawn at the same time. */
export function randomOf(seed: number, place: number): Random {
  return seededRandom(seed + place * 7919);
}
