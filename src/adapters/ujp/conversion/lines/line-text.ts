import type { InvoiceLine, LineItem } from '../../../../domain/documents/invoice-content.ts';
import { notExpressible } from '../conversion-failure.ts';
import { HOME_COUNTRY } from '../parties/party-identity.ts';
import type { LineText } from './priced-line.ts';

/** The authority takes units as free text. These are the usual Macedonian labels of common UN/ECE codes. */
const UNIT_LABELS: ReadonlyMap<string, string> = new Map([
  ['C62', 'бр.'],
  ['H87', 'бр.'],
  ['KGM', 'кг'],
  ['LTR', 'л'],
  ['MTR', 'м'],
  ['HUR', 'час'],
  ['DAY', 'ден'],
  ['MON', 'месец'],
]);

export const PIECE = 'бр.';

const TARIFF_LIST = 'HS';

/** A product of North Macedonia is marked as such only if the issuer asks for it with an item property of this name. */
const DOMESTIC_PRODUCT = 'UJP:domesticProduct';
const DOMESTIC_MARK = 'MP';

export function lineText({ item, quantity }: InvoiceLine): LineText {
  const description = item.name ?? (item.descriptions.join(' ') || null);
  if (description === null) notExpressible('The name of the item is missing', `${item.path}/cbc:Name`);
  return {
    sku: item.sellersId ?? item.standardId,
    sellersCode: item.sellersId,
    buyersCode: item.buyersId,
    description,
    unit: unitLabel(quantity?.unit ?? null),
    domesticProduct: isMarkedDomestic(item) ? DOMESTIC_MARK : null,
    tariffCode: item.classifications.find(({ list }) => list === TARIFF_LIST)?.code ?? null,
  };
}

function unitLabel(code: string | null): string {
  return code === null ? PIECE : (UNIT_LABELS.get(code) ?? code);
}

function isMarkedDomestic({ originCountry, properties }: LineItem): boolean {
  return (
    originCountry === HOME_COUNTRY &&
    properties.some(({ name, value }) => name === DOMESTIC_PRODUCT && value === DOMESTIC_MARK)
  );
}
