import type { DocumentReference, InvoiceContent } from '../../../../src/domain/documents/invoice-content.ts';
import type { Random } from '../../../support/seeds.ts';
import { address, delivery, means, party, reference, terms } from '../conversion/sample-content.ts';
import { drawInvoice } from '../conversion/totals/drawn-invoice.ts';
import { pick, upTo } from '../conversion/totals/drawn-line.ts';

const EUID = '0199f2a0-7b1c-7def-8123-456789abcd';
const TEXTS = ['Плаќање до 15 дена', 'a < b & c > d "e"', 'ѓ ќ 😀', 'x', `${'долг текст '.repeat(30)}крај`];
const UNITS = ['C62', 'KGM', 'HUR', 'XPP', 'пакет', null];

type Parts = Partial<InvoiceContent>;

/** A document that is consistent by EN 16931, with texts, parties, references and terms of many kinds. */
export function drawContent(random: Random, lineCount: number): InvoiceContent {
  const { content } = drawInvoice(random, lineCount);
  const maybe = (part: () => Parts): Parts => (random() < 0.4 ? part() : {});
  const some = (): string => pick(random, TEXTS);
  return {
    ...content,
    ...maybe(() => ({ notes: [some(), some()].slice(0, random() < 0.5 ? 1 : 2) })),
    ...maybe(() => ({ taxPointDate: '2026-10-28' })),
    ...maybe(() => ({ dueDate: '2026-12-02' })),
    ...maybe(() => ({ period: { path: '/p', start: '2026-10-01', end: random() < 0.5 ? '2026-10-31' : null } })),
    ...maybe(() => ({ deliveryTerms: some() })),
    ...maybe(() => ({ delivery: drawDelivery(random) })),
    ...maybe(() => ({ customer: drawCustomer(random) })),
    ...maybe(() => ({ references: drawReferences(random) })),
    ...maybe(() => ({ paymentTerms: drawTerms(random) })),
    ...maybe(() => ({
      paymentMeans: [
        means(pick(random, ['10', '30', '48', '68', '97', '1', 'P13']), {
          instructionNotes: random() < 0.5 ? [some()] : [],
          paymentIds: random() < 0.5 ? ['00 2026-7001'] : [],
        }),
      ],
    })),
    lines: content.lines.map((line) => ({
      ...line,
      quantity: line.quantity && { ...line.quantity, unit: pick(random, UNITS) },
      item: {
        ...line.item,
        name: some(),
        sellersId: random() < 0.3 ? 'S-1' : null,
        buyersId: random() < 0.3 ? 'B-1' : null,
        standardId: random() < 0.3 ? '5310000000017' : null,
        ...(random() < 0.2 ? { originCountry: 'MK', properties: [{ name: 'UJP:domesticProduct', value: 'MP' }] } : {}),
        classifications: random() < 0.2 ? [{ code: '4802', list: 'HS' }] : [],
      },
    })),
  };
}

function drawDelivery(random: Random): InvoiceContent['delivery'] {
  return delivery({
    actualDate: random() < 0.5 ? '2026-10-30' : null,
    locationId: random() < 0.3 ? 'L-7' : null,
    locationName: random() < 0.4 ? 'Магацин' : null,
    partyName: random() < 0.3 ? 'Подружница Охрид' : null,
    address: random() < 0.5 ? address({ lines: random() < 0.3 ? ['л'.repeat(120)] : [] }) : null,
  });
}

/** Companies abroad with and without a number, and persons. */
function drawCustomer(random: Random): InvoiceContent['customer'] {
  const country = pick(random, ['DE', 'DE', 'MK']);
  const value = random() < 0.6 ? 'DE123456789' : null;
  return party({
    country,
    contactName: random() < 0.5 ? 'Ана' : null,
    telephone: random() < 0.5 ? '02 123' : null,
    email: random() < 0.5 ? 'ana@example.com' : null,
    address: address({
      postalZone: pick(random, ['6000', '10115', 'SW1A 1AA', null]) ?? (country === 'MK' ? '6000' : null),
      buildingNumber: random() < 0.5 ? '7' : null,
    }),
    identifiers:
      country === 'MK' || value === null ? [] : [{ path: '/i', source: 'tax-scheme', value, taxScheme: 'VAT' }],
  });
}

function drawReferences(random: Random): readonly DocumentReference[] {
  const sources = [
    'billing',
    'billing',
    'order',
    'contract',
    'originator',
    'despatch',
    'additional',
    'additional',
  ] as const;
  const count = Number(upTo(random, 4));
  return Array.from({ length: count }, (_, index) =>
    reference(pick(random, sources), `R-${index}`, {
      uuid: random() < 0.5 ? `${EUID}${String(index).padStart(2, '0')}` : null,
      typeCode: pick(random, [null, '50', '105', '310', '325', '830', '270']),
    }),
  );
}

function drawTerms(random: Random): InvoiceContent['paymentTerms'] {
  return Array.from({ length: Number(upTo(random, 2)) }, () =>
    terms({
      notes: random() < 0.5 ? [pick(random, TEXTS)] : [],
      settlementPeriod: random() < 0.5 ? { value: '15', unit: 'DAY' } : null,
      penaltyPercent: random() < 0.3 ? '0.05' : null,
      discountPercent: random() < 0.3 ? '2.5' : null,
    }),
  );
}
