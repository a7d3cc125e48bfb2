import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bytesOf, sampleInvoice } from '../../../support/ubl-samples.ts';
import { outcomeOn } from '../judging/judging.ts';
import { agrees } from './scanning.ts';

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const PROLOG = '?>';
/** What the parser allows in a name, and one more. */
const TOO_LONG = 'p'.repeat(50_001);

/** Attributes of the root that the parser takes, and those right next to them that it refuses. */
const TAKEN_ATTRIBUTES = [
  `xmlns:a="${XSI}" a:schemaLocation="urn:x y"`,
  `xmlns:a="${XSI}" xmlns:b="${XSI}" a:schemaLocation="urn:x y" b:noNamespaceSchemaLocation="z"`,
  'xmlns:a="http://www.example.mk/2026#"',
  'xmlns:a="http://www.example.mk/2026#types"',
  `xmlns:${'p'.repeat(60)}="urn:x:y"`,
];
const REFUSED_ATTRIBUTES = [
  `xmlns:a="${XSI}" xmlns:b="${XSI}" a:schemaLocation="urn:x y" b:schemaLocation="urn:x y"`,
  `xmlns:a="${XSI}" a:schemaLocation:b="urn:x y"`,
  `xmlns:a="${XSI}" a:schemaLocation:="urn:x y"`,
  'xmlns:a="http://www.example.mk/2026#types#more"',
  'xmlns:a="http://##"',
  `xmlns:${TOO_LONG}="urn:x:y"`,
];

describe('the scanner stops where the parser does:', () => {
  test('attributes of the root', () => {
    for (const attributes of TAKEN_ATTRIBUTES) assert.ok(isTaken(withAttributes(attributes)), attributes);
    for (const attributes of REFUSED_ATTRIBUTES) assertRefused(withAttributes(attributes));
  });

  test('a colon before an attribute, where the namespace without a prefix is that of schema locations', () => {
    const prefixed = sampleInvoice()
      .replace('<Invoice xmlns=', '<i:Invoice xmlns:i=')
      .replace('</Invoice>', '</i:Invoice>');
    assert.ok(isTaken(prefixed));
    assertRefused(prefixed.replace('<i:Invoice ', `<i:Invoice xmlns="${XSI}" :schemaLocation="urn:x y" `));
  });

  test('declarations further below', () => {
    const below = (declaration: string) => sampleInvoice().replace('<cbc:ID>', `<cbc:ID ${declaration}>`);
    assert.ok(isTaken(below('xmlns:a="http://www.example.mk/2026#types"')));
    assertRefused(below('xmlns:a="http://www.example.mk/2026#types#more"'));
    assertRefused(below(`xmlns:${TOO_LONG}="urn:x:y"`));
  });

  test('many instructions in a row, also among comments', () => {
    const after = (text: string) => sampleInvoice().replace(PROLOG, PROLOG + text);
    assert.ok(isTaken(after('<?xml-model a?><!-- b -->'.repeat(5))));
    assertRefused(after('<?xml-model a?>'.repeat(65)));
    assertRefused(after('<?xml-model a?><!-- b -->'.repeat(33)));
  });
});

function withAttributes(attributes: string): string {
  return sampleInvoice().replace('<Invoice ', `<Invoice ${attributes} `);
}

function isTaken(xml: string): boolean {
  return agrees(bytesOf(xml), () => xml.slice(0, 400));
}

/** By the parser, so that the scanner may not take it. */
function assertRefused(xml: string): void {
  assert.equal(outcomeOn(xml), 'ERR-2001', xml.slice(0, 400));
  assert.ok(!isTaken(xml));
}
