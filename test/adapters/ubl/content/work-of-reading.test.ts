import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { invoiceContent } from '../../../../src/adapters/ubl/content/invoice-content.ts';
import { readRecognised } from '../../../../src/adapters/ubl/judging/judge-document.ts';
import type { ReadableTree } from '../../../../src/adapters/ubl/xml/readable-tree.ts';
import { bytesOf, sampleInvoice } from '../../../support/ubl-samples.ts';

/** So many that what grows with their square would be most of the work. */
const MANY = 200;

const ORIGIN =
  '<cac:OriginCountry><cbc:IdentificationCode>MK</cbc:IdentificationCode></cac:OriginCountry><cac:ClassifiedTaxCategory>';

/** Documents with as many elements of one kind, or as long a text, as is asked for. */
const DOCUMENTS: Readonly<Record<string, (count: number) => string>> = {
  'reasons of an exemption beside a long code': (count) =>
    sampleInvoice().replace(
      /<cac:ClassifiedTaxCategory>.*?<\/cbc:Percent>/su,
      `$&${repeated('cbc:TaxExemptionReasonCode', 1, 'x'.repeat(count))}${repeated('cbc:TaxExemptionReason', count)}`,
    ),
  'blank reasons of an allowance': (count) => withAllowance(repeated('cbc:AllowanceChargeReason', count)),
  'reasons of an allowance': (count) => withAllowance(repeated('cbc:AllowanceChargeReason', count, 'x')),
  'properties of an item': (count) =>
    sampleInvoice()
      .replace('<cac:ClassifiedTaxCategory>', ORIGIN)
      .replace('</cac:Item>', `${properties(count)}$&`),
  notes: (count) => sampleInvoice().replace('<cbc:DocumentCurrencyCode>', `${repeated('cbc:Note', count, 'x')}$&`),
};

function repeated(name: string, count: number, text = ''): string {
  return `<${name}>${text}</${name}>`.repeat(count);
}

function properties(count: number): string {
  return repeated('cac:AdditionalItemProperty', count, '<cbc:Name>x</cbc:Name><cbc:Value>y</cbc:Value>');
}

function withAllowance(reasons: string): string {
  const allowance = `<cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator>${reasons}<cbc:Amount currencyID="MKD">5</cbc:Amount></cac:AllowanceCharge>`;
  return sampleInvoice().replace('<cac:TaxTotal>', `${allowance}$&`);
}

/** How often a tree is asked for something, and how many characters it gives, to read all content of the document. */
function workOf(xml: string): number {
  let work = 0;
  function counting<Given extends unknown[], Answer>(ask: (...given: Given) => Answer) {
    return (...given: Given) => {
      const answer = ask(...given);
      work += typeof answer === 'string' ? 1 + answer.length : 1;
      return answer;
    };
  }
  const content = readRecognised(bytesOf(xml), (tree, kind) => {
    const counted: ReadableTree = {
      root: tree.root,
      childrenNamed: counting((parent, name) => tree.childrenNamed(parent, name)),
      childNames: counting((parent) => tree.childNames(parent)),
      text: counting((element) => tree.text(element)),
      attribute: counting((element, name) => tree.attribute(element, name)),
    };
    return invoiceContent(counted, kind);
  });
  assert.ok(content !== null);
  return work;
}

describe('the work of reading a content grows with its size, not with the square:', () => {
  for (const [what, document] of Object.entries(DOCUMENTS)) {
    test(what, () => {
      const [few, many] = [workOf(document(MANY)), workOf(document(2 * MANY))];
      assert.ok(few > MANY && many <= 2 * few, `${few} for ${MANY}, ${many} for twice as many`);
    });
  }
});
