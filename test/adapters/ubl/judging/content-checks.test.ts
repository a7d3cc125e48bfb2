import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  BETA_EDB,
  replaceElement,
  type SampleOptions,
  sampleCreditNote,
  sampleInvoice,
  without,
} from '../../../support/ubl-samples.ts';
import { factsOf, outcomeOn, refusalOf } from './judging.ts';

const nobody = { name: null, taxNumber: null };
const wrongVersion = { versionId: '2.3' };
const tenantField = { extension: '<t:TenantId xmlns:t="urn:example">7</t:TenantId>' };
const badNumber = { recipient: { taxNumber: '123' } };
const noType = { typeCode: null };
const noAmount = { amount: null };
const notValid = { issueDate: 'вчера' };

test('an amount of too many digits is said to have them, and is not called no number', () => {
  for (const amount of ['9'.repeat(31), `14160.${'0'.repeat(30)}`, `-${'1'.repeat(200)}`]) {
    assert.match(
      refusalOf(sampleInvoice({ amount }), 'ERR-2006'),
      /has too many digits; expected .*PayableAmount with at most 30/u,
    );
  }
  for (const amount of ['1,5', 'x', '1'.repeat(40).concat('x'), '.'])
    assert.match(refusalOf(sampleInvoice({ amount }), 'ERR-2006'), /is not a number/u);
});

test('a value is quoted with what nobody sees in it', () => {
  const said = /“14160.00&#xA0;” is not a valid value of cbc:PayableAmount; expected a decimal number such as/u;
  assert.match(refusalOf(sampleInvoice({ amount: '14160.00&#160;' }), 'ERR-2002'), said);
  assert.match(refusalOf(sampleInvoice({ amount: '14&#160;160.00' }), 'ERR-2006'), /“14&#xA0;160.00” is not a number/u);
  assert.match(refusalOf(sampleInvoice({ issueDate: '2026-11-02\u200b' }), 'ERR-2002'), /“2026-11-02&#x200B;” is not/u);
});

test('a recipient abroad is taken with whatever its tax number reads, also words of our own', () => {
  for (const taxNumber of ['malformed', 'foreign', 'none', 'null']) {
    assert.equal(outcomeOn(sampleInvoice({ recipient: { taxNumber, country: 'DE' } })), 'document');
  }
});

describe('the tax number of a recipient in North Macedonia', () => {
  const EMBS = '7123456';
  const places: readonly ((number: string) => string)[] = [
    (number) => `<cbc:EndpointID>${number}</cbc:EndpointID>`,
    (number) => `<cac:PartyIdentification><cbc:ID>${number}</cbc:ID></cac:PartyIdentification>`,
    (number) =>
      `<cac:PartyTaxScheme><cbc:CompanyID>${number}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>`,
    (number) => `<cac:PartyLegalEntity><cbc:CompanyID>${number}</cbc:CompanyID></cac:PartyLegalEntity>`,
  ];
  /** In the order of the schema: endpoint, identification, tax scheme, legal entity. */
  const recipient = (...numbers: readonly (string | null)[]) =>
    replaceElement(
      sampleInvoice(),
      'cac:AccountingCustomerParty',
      `<cac:AccountingCustomerParty><cac:Party>${numbers.map((number, place) => (number === null ? '' : places[place]?.(number))).join('')}</cac:Party></cac:AccountingCustomerParty>`,
    );

  test('is the EDB in whichever of the four places holds one, also beside a company number', () => {
    for (const [place] of places.entries()) {
      const numbers = places.map((_, other) => (other === place ? `MK ${BETA_EDB}` : EMBS));
      assert.equal(outcomeOn(recipient(...numbers)), 'document');
      assert.equal(factsOf(recipient(...numbers)).recipient.taxNumber, `MK ${BETA_EDB}`);
    }
  });

  test('is the first EDB of several: tax scheme, legal entity, identification, endpoint', () => {
    const edbs = ['4000000000001', '4000000000002', '4000000000003', '4000000000004'];
    const chosen = (...numbers: readonly (string | null)[]) => factsOf(recipient(...numbers)).recipient.taxNumber;
    assert.equal(chosen(...edbs), '4000000000003');
    assert.equal(chosen(edbs[0] ?? '', edbs[1] ?? '', EMBS, edbs[3] ?? ''), '4000000000004');
    assert.equal(chosen(edbs[0] ?? '', edbs[1] ?? '', EMBS, null), '4000000000002');
    assert.equal(chosen(edbs[0] ?? '', EMBS, null, EMBS), '4000000000001');
  });

  test('is the EDB among several elements of one place', () => {
    const twice = recipient(null, EMBS, null, null).replace(
      '<cac:PartyIdentification>',
      `<cac:PartyIdentification><cbc:ID>${EMBS}</cbc:ID></cac:PartyIdentification><cac:PartyIdentification><cbc:ID>${BETA_EDB}</cbc:ID></cac:PartyIdentification><cac:PartyIdentification>`,
    );
    assert.equal(outcomeOn(twice), 'document');
    assert.equal(factsOf(twice).recipient.taxNumber, BETA_EDB);
  });

  test('is malformed only where a place holds something and none holds an EDB', () => {
    assert.match(refusalOf(recipient(null, EMBS, null, '12'), 'ERR-2004'), /“12”/u);
    assert.equal(outcomeOn(recipient(null, null, ' ', null)), 'ERR-2003');
  });

  test('is told apart from a registration number, which software states for buyers without a VAT number', () => {
    const of = (number: string) => refusalOf(recipient(null, number, null, null), 'ERR-2004');
    for (const number of ['7000023', ' 700 0023 ']) {
      assert.match(
        of(number),
        /expected an EDB of 13 digits, .*, and not the registration number \(EMBS\), which has 7/u,
      );
    }
    assert.doesNotMatch(of('70000234'), /EMBS/u);
  });

  test('of seven digits may also be one from abroad: that the country is not given is said beside it', () => {
    assert.match(
      refusalOf(recipient(null, '7000023', null, null), 'ERR-2004'),
      /for a recipient whose country is not given, and not the registration number/u,
    );
    const atHome = sampleInvoice({ recipient: { taxNumber: '7000023', country: 'MK' } });
    assert.match(refusalOf(atHome, 'ERR-2004'), /for a recipient in MK, and not the registration number/u);
  });
});

describe('a document is refused', () => {
  for (const sample of [sampleInvoice, sampleCreditNote]) {
    const kind = sample === sampleInvoice ? 'Invoice' : 'CreditNote';
    const refused = (code: Parameters<typeof refusalOf>[1], options: SampleOptions) => refusalOf(sample(options), code);

    test(`ERR-2002 when it says it is another version of UBL (${kind})`, () => {
      assert.match(refused('ERR-2002', wrongVersion), /“2\.3”; expected 2\.1/u);
    });
    test(`ERR-1007 when it identifies a tenant (${kind})`, () => {
      assert.match(refused('ERR-1007', tenantField), /“t:TenantId”/u);
    });
    test(`ERR-2003 when it names no recipient (${kind})`, () => {
      assert.match(refused('ERR-2003', { recipient: nobody }), /AccountingCustomerParty/u);
    });
    test(`ERR-2004 when the recipient's tax number is malformed (${kind})`, () => {
      assert.match(refused('ERR-2004', badNumber), /“123”.*13 digits/u);
    });
    test(`ERR-2005 when it has no type (${kind})`, () => {
      assert.match(refused('ERR-2005', noType), new RegExp(`cbc:${kind}TypeCode`, 'u'));
    });
    test(`ERR-2006 when it has no amount (${kind})`, () => {
      assert.match(refused('ERR-2006', noAmount), /cbc:PayableAmount/u);
    });
    test(`ERR-2002 when it breaks the schema (${kind})`, () => {
      assert.match(refused('ERR-2002', notValid), /“вчера” is not a valid value of cbc:IssueDate/u);
    });
    test(`with the code of the first check that fails, in the promised order (${kind})`, () => {
      const steps: [Parameters<typeof refusalOf>[1], SampleOptions][] = [
        ['ERR-2002', wrongVersion],
        ['ERR-1007', tenantField],
        ['ERR-2003', { recipient: nobody }],
        ['ERR-2004', badNumber],
        ['ERR-2005', noType],
        ['ERR-2006', noAmount],
        ['ERR-2002', notValid],
      ];
      steps.forEach(([code], index) => {
        const faults = steps.slice(index).map(([, options]) => options);
        refused(code, Object.assign({}, ...faults.toReversed()));
      });
    });
  }

  test('as malformed before anything in it is looked at', () => {
    assert.equal(
      outcomeOn(sampleInvoice({ ...wrongVersion, ...tenantField }).replace('</cbc:ID>', '</cbc:Id>')),
      'ERR-2001',
    );
  });

  test('for its root before its fields', () => {
    assert.equal(outcomeOn('<Order xmlns="urn:example" tenantId="1"/>'), 'ERR-2002');
  });
});

describe('the version stated in UBLVersionID', () => {
  for (const versionId of [null, '2.1', ' 2.1 ', 'UBL 2.1', 'UBL  2.1', ' UBL\n2.1', '', ' ']) {
    test(`may be ${JSON.stringify(versionId)}`, () => {
      assert.equal(outcomeOn(sampleInvoice({ versionId })), 'document');
    });
  }
  for (const versionId of ['2.0', '2.2', '2', '2.10', '1.0', 'latest']) {
    test(`must not be ${versionId}`, () => {
      assert.equal(outcomeOn(sampleInvoice({ versionId })), 'ERR-2002');
    });
  }
});

describe('a tenant-identifying field is found', () => {
  const names = [
    'tenant',
    'TenantID',
    'tenant-uid',
    'TENANT_CODE',
    'te-nant_Key',
    '_tenant',
    'TaxpayerId',
    'tax_payer-UID',
  ];
  for (const name of names) {
    test(`as the element ${name} in an extension`, () => {
      assert.equal(outcomeOn(sampleInvoice({ extension: `<${name} xmlns="urn:example"/>` })), 'ERR-1007');
    });
    test(`as the attribute ${name} of an extension`, () => {
      assert.equal(
        outcomeOn(sampleInvoice({ extension: `<a xmlns="urn:example" b='1'\n ${name} = '1'/>` })),
        'ERR-1007',
      );
    });
  }
  test('under a prefix, on the root, or where the schema would refuse it', () => {
    assert.equal(outcomeOn(sampleInvoice().replace('<Invoice ', '<Invoice tenantId="1" ')), 'ERR-1007');
    assert.equal(outcomeOn(sampleInvoice().replace('<cbc:ID>', '<cbc:ID cac:taxpayerUid="1">')), 'ERR-1007');
  });
  test('with a letter that only becomes ASCII in lower case', () => {
    assert.equal(outcomeOn(sampleInvoice({ extension: '<tenant\u{212A}ey xmlns="urn:example"/>' })), 'ERR-1007');
  });
  test('and named with line, column and path', () => {
    const detail = refusalOf(sampleInvoice({ extension: '<a xmlns="urn:example">\n<b tenant="x"/></a>' }), 'ERR-1007');
    assert.match(
      detail,
      /^Line 6, column 4, \/Invoice\/ext:UBLExtensions\/ext:UBLExtension\/ext:ExtensionContent\/a\/b: /u,
    );
    assert.match(detail, /attribute “tenant”/u);
  });
  test('even in a JSON body', () => {
    assert.match(refusalOf('{"invoice":[{"tenantUid":1}]}', 'ERR-1007'), /“tenantUid”/u);
  });
});

describe('no tenant-identifying field is', () => {
  const harmless = [
    '<tenants xmlns="urn:example"/>',
    '<TaxTotal xmlns="urn:example" taxpayer="1"/>',
    '<a xmlns="urn:example" xmlns:tenant="urn:other"/>',
    '<tenant:a xmlns:tenant="urn:example"/>',
    '<a xmlns="urn:example">tenantId="1" <!-- <tenant/> --><![CDATA[<tenant>]]><?tenant id?></a>',
    '<a xmlns="urn:example" b="&lt;tenant tenantId=\'1\'>"/>',
  ];
  for (const extension of harmless) {
    test(extension, () => {
      assert.equal(outcomeOn(sampleInvoice({ extension })), 'document');
    });
  }
});

describe('the amount', () => {
  for (const amount of ['0', '0.00', '-12.5', '+5', ' 5.00 ', '.5', '5.', '123456789012345678.123456789']) {
    test(`may be ${JSON.stringify(amount)}`, () => {
      assert.equal(outcomeOn(sampleInvoice({ amount })), 'document');
    });
  }
  for (const amount of ['', ' ', '.', '-', '1,5', '1e3', 'INF', 'NaN', '0x10', '1 000', '9'.repeat(31), '١']) {
    test(`must not be ${JSON.stringify(amount)}`, () => {
      assert.equal(outcomeOn(sampleInvoice({ amount })), 'ERR-2006');
    });
  }
  test('is the first where there are several, and the schema judges the rest', () => {
    const total =
      '<cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="MKD">7</cbc:PayableAmount></cac:LegalMonetaryTotal>';
    assert.equal(
      outcomeOn(sampleInvoice().replace('<cac:LegalMonetaryTotal>', `${total}<cac:LegalMonetaryTotal>`)),
      'ERR-2002',
    );
  });
  test('counts only in the namespace of UBL', () => {
    assert.equal(
      outcomeOn(replaceElement(sampleInvoice(), 'cbc:PayableAmount', '<PayableAmount>1</PayableAmount>')),
      'ERR-2006',
    );
  });
});

test('a recipient without a party is none', () => {
  assert.equal(
    outcomeOn(replaceElement(sampleInvoice(), 'cac:AccountingCustomerParty', '<cac:AccountingCustomerParty/>')),
    'ERR-2003',
  );
  assert.equal(outcomeOn(without(sampleInvoice(), 'cac:AccountingCustomerParty')), 'ERR-2003');
});

test('a blank document type is none', () => {
  assert.equal(outcomeOn(sampleInvoice({ typeCode: ' \n ' })), 'ERR-2005');
});
