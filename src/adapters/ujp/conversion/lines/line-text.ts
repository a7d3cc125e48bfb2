import { isHomeCountry } from '../../../../domain/accounts/tax-number.ts';
import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { InvoiceLine, LineItem } from '../../../../domain/documents/invoice-content.ts';
import { DOMESTIC_PRODUCT_PROPERTY, TARIFF_LIST } from '../../../../domain/documents/item-marks.ts';
import { message } from '../../../../domain/messages/message.ts';
import { notExpressible, warning } from '../conversion-failure.ts';
import { CHOSEN_LENGTH, leftOutIfLonger, shortened } from '../text-limits.ts';
import type { LineText } from './priced-line.ts';

/** The authority takes units as free text. These are the usual Macedonian labels of common UN/ECE codes. */
export const UNIT_LABELS: ReadonlyMap<string, string> = new Map([
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

export const DOMESTIC_MARK = 'MP';

export function lineText({ item, quantity, path }: InvoiceLine, warnings: ConversionWarning[]): LineText {
  const sellersCode = itemCode(item.sellersId, 'cac:SellersItemIdentification', item, warnings);
  if (sellersCode !== null && item.standardId !== null) {
    const leftOut = message('item-code-left-out');
    warnings.push(warning('ITEM-CODE-LEFT-OUT', leftOut, `${item.path}/cac:StandardItemIdentification`));
  }
  return {
    sku: sellersCode ?? itemCode(item.standardId, 'cac:StandardItemIdentification', item, warnings),
    sellersCode,
    buyersCode: itemCode(item.buyersId, 'cac:BuyersItemIdentification', item, warnings),
    description: itemDescription(item, warnings),
    unit: unitLabel(quantity?.unit ?? null, path, warnings),
    domesticProduct: isMarkedDomestic(item) ? DOMESTIC_MARK : null,
    tariffCode: tariffCode(item, warnings),
  };
}

/** The first; others have no member. */
function tariffCode({ classifications, path }: LineItem, warnings: ConversionWarning[]): string | null {
  const stated = classifications.filter(({ list }) => list === TARIFF_LIST).map(({ code }) => code);
  const [first = null] = stated;
  const place = { what: message('text-tariff-code'), path: `${path}/cac:CommodityClassification` };
  if (stated.some((code) => code !== first)) {
    const leftOut = message('no-member', { what: message('item-details') });
    warnings.push(warning('ITEM-DETAIL-LEFT-OUT', leftOut, place.path));
  }
  return leftOutIfLonger(first, CHOSEN_LENGTH.tariffCode, place, warnings);
}

function itemDescription({ name, descriptions, path }: LineItem, warnings: ConversionWarning[]): string {
  const described = descriptions.join(' ') || null;
  const text = name ?? described;
  if (text === null) notExpressible(message('item-name-missing'), `${path}/cbc:Name`);
  if (described !== null && described !== text) {
    warnings.push(
      warning('ITEM-DESCRIPTION-LEFT-OUT', message('item-description-left-out'), `${path}/cbc:Description`),
    );
  }
  const place = { what: message('text-item-name'), path: `${path}/cbc:Name` };
  return shortened(text, CHOSEN_LENGTH.text, place, warnings);
}

/** The beginning of a code is another code, often that of several items. */
function itemCode(
  code: string | null,
  element: string,
  { path }: LineItem,
  warnings: ConversionWarning[],
): string | null {
  return leftOutIfLonger(
    code,
    CHOSEN_LENGTH.itemCode,
    { what: message('text-item-code'), path: `${path}/${element}` },
    warnings,
  );
}

function unitLabel(code: string | null, path: string, warnings: ConversionWarning[]): string {
  if (code === null) {
    warnings.push(warning('UNIT-ASSUMED', message('unit-assumed', { sent: PIECE }), path));
    return PIECE;
  }
  const place = { what: message('text-unit'), path };
  return shortened(UNIT_LABELS.get(code) ?? code, CHOSEN_LENGTH.unit, place, warnings);
}

function isMarkedDomestic({ originCountry, properties }: LineItem): boolean {
  return (
    originCountry !== null &&
    isHomeCountry(originCountry) &&
    properties.some(({ name, value }) => name === DOMESTIC_PRODUCT_PROPERTY && value === DOMESTIC_MARK)
  );
}
