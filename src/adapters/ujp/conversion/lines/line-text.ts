import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { InvoiceLine, LineItem } from '../../../../domain/documents/invoice-content.ts';
import { notExpressible, warning } from '../conversion-failure.ts';
import { HOME_COUNTRY } from '../parties/party-identity.ts';
import { CHOSEN_LENGTH, leftOutIfLonger, shortened, shortenedIfAny } from '../text-limits.ts';
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

export function lineText({ item, quantity, path }: InvoiceLine, warnings: ConversionWarning[]): LineText {
  const tariffCode = item.classifications.find(({ list }) => list === TARIFF_LIST)?.code ?? null;
  const tariff = { what: 'tariff code of the item', path: `${item.path}/cac:CommodityClassification` };
  const sellersCode = itemCode(item.sellersId, 'cac:SellersItemIdentification', item, warnings);
  if (sellersCode !== null && item.standardId !== null) {
    const sentence = "The standard code of the item was left out: its member holds the seller's code";
    warnings.push(warning('ITEM-CODE-LEFT-OUT', sentence, `${item.path}/cac:StandardItemIdentification`));
  }
  return {
    sku: sellersCode ?? itemCode(item.standardId, 'cac:StandardItemIdentification', item, warnings),
    sellersCode,
    buyersCode: itemCode(item.buyersId, 'cac:BuyersItemIdentification', item, warnings),
    description: itemDescription(item, warnings),
    unit: unitLabel(quantity?.unit ?? null, path, warnings),
    domesticProduct: isMarkedDomestic(item) ? DOMESTIC_MARK : null,
    tariffCode: leftOutIfLonger(tariffCode, CHOSEN_LENGTH.tariffCode, tariff, warnings),
  };
}

function itemDescription({ name, descriptions, path }: LineItem, warnings: ConversionWarning[]): string {
  const described = descriptions.join(' ') || null;
  const text = name ?? described;
  if (text === null) notExpressible('The name of the item is missing', `${path}/cbc:Name`);
  if (described !== null && described !== text) {
    const sentence = 'The description of the item was left out: its member holds the name';
    warnings.push(warning('ITEM-DESCRIPTION-LEFT-OUT', sentence, `${path}/cbc:Description`));
  }
  return shortened(text, CHOSEN_LENGTH.text, { what: 'name of the item', path: `${path}/cbc:Name` }, warnings);
}

function itemCode(
  code: string | null,
  element: string,
  { path }: LineItem,
  warnings: ConversionWarning[],
): string | null {
  return shortenedIfAny(
    code,
    CHOSEN_LENGTH.itemCode,
    { what: 'code of the item', path: `${path}/${element}` },
    warnings,
  );
}

function unitLabel(code: string | null, path: string, warnings: ConversionWarning[]): string {
  if (code === null) {
    warnings.push(warning('UNIT-ASSUMED', `The line states no unit; "${PIECE}" (pieces) was sent`, path));
    return PIECE;
  }
  return shortened(UNIT_LABELS.get(code) ?? code, CHOSEN_LENGTH.unit, { what: 'unit of the line', path }, warnings);
}

function isMarkedDomestic({ originCountry, properties }: LineItem): boolean {
  return (
    originCountry === HOME_COUNTRY &&
    properties.some(({ name, value }) => name === DOMESTIC_PRODUCT && value === DOMESTIC_MARK)
  );
}
