/** The item property by which an issuer asks that a product of North Macedonia is marked as such. */
export const DOMESTIC_PRODUCT_PROPERTY = 'UJP:domesticProduct';

/** The list of item classifications that holds codes of the customs tariff. */
export const TARIFF_LIST = 'HS';
