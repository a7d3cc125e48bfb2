import type { InvoiceLine, LineItem } from '../../../../domain/documents/invoice-content.ts';
import { notExpressible } from '../conversion-failure.ts';
import { HOME } from '../parties/party-identity.ts';
import type { LineText } from './priced-line.ts';
import { unitLabel } from './unit-labels.ts';

const TARIFF_LIST = 'HS';

/** A product of North Macedonia is marked as such only where the issuer asks for it, as an item property of this name. */
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

function isMarkedDomestic({ originCountry, properties }: LineItem): boolean {
  return (
    originCountry === HOME && properties.some(({ name, value }) => name === DOMESTIC_PRODUCT && value === DOMESTIC_MARK)
  );
}
