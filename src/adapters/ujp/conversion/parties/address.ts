import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { PostalAddress } from '../../../../domain/documents/invoice-content.ts';
import type { RegistryCompany } from '../conversion-context.ts';
import { notExpressible, warning } from '../conversion-failure.ts';
import type { UjpAddress } from '../payload.ts';
import { type StreetAndNumber, splitStreet } from './street-number.ts';

/** The usual abbreviation of "without number" (без број). */
const NO_HOUSE_NUMBER = 'бб';
/** For countries without postal codes: the authority requires the member. */
const NO_POSTAL_CODE = '-';

/** From the authority's field codebook. */
const MAX_LENGTH = { streetAddress: 60, streetNumber: 10, postalCode: 5, city: 60 } as const;

export type AddressedParty = {
  /** `seller` or `buyer`, for messages. */
  readonly role: string;
  readonly path: string;
  readonly address: PostalAddress | null;
  readonly registered: RegistryCompany | null;
  /** A person's address may be incomplete: the authority checks less of it. */
  readonly kind: 'company' | 'foreign' | 'person';
};

/** The registry's address takes precedence: the authority compares the document with it (E10004, E10005). */
export function partyAddress(party: AddressedParty, warnings: ConversionWarning[]): UjpAddress {
  const { address, registered } = party;
  const path = address?.path ?? `${party.path}/cac:PostalAddress`;
  const cityPath = `${path}/cbc:CityName`;
  const street =
    registeredStreet(registered) ?? statedStreet(address) ?? missing(party, 'street', `${path}/cbc:StreetName`);
  const city = nonBlank(registered?.city) ?? address?.city ?? missing(party, 'city', cityPath);
  const postal = postalCode(party, `${path}/cbc:PostalZone`, warnings);
  const town = postal.cityAppendix === null ? city : `${city ?? ''} ${postal.cityAppendix}`.trim();
  const number = street === null ? null : (street.number ?? NO_HOUSE_NUMBER);
  return {
    streetAddress: limited(street?.street ?? null, MAX_LENGTH.streetAddress, 'street', `${path}/cbc:StreetName`),
    streetNumber: limited(number, MAX_LENGTH.streetNumber, 'house number', `${path}/cbc:BuildingNumber`),
    postalCode: postal.code,
    city: limited(town, MAX_LENGTH.city, 'city', cityPath),
  };
}

/** An address on one line, for members that take a single text. */
export function addressLine(address: PostalAddress): string | null {
  const street = [address.street, address.buildingNumber].filter((part) => part !== null).join(' ');
  const town = [address.postalZone, address.city].filter((part) => part !== null).join(' ');
  const parts = [street, address.additionalStreet ?? '', ...address.lines, town];
  return parts.filter((part) => part !== '').join(', ') || null;
}

function registeredStreet(registered: RegistryCompany | null): StreetAndNumber | null {
  return streetAndNumber(nonBlank(registered?.street), nonBlank(registered?.number));
}

function statedStreet(address: PostalAddress | null): StreetAndNumber | null {
  return streetAndNumber(address?.street ?? address?.lines[0] ?? null, address?.buildingNumber ?? null);
}

function streetAndNumber(street: string | null, number: string | null): StreetAndNumber | null {
  if (street === null) return null;
  return number === null ? splitStreet(street) : { street, number };
}

type PostalCode = { readonly code: string | null; readonly cityAppendix: string | null };

/** A foreign postal code that is too long is cut, and appended to the city in full. */
function postalCode(party: AddressedParty, path: string, warnings: ConversionWarning[]): PostalCode {
  const isForeign = party.kind === 'foreign';
  const stated =
    nonBlank(party.registered?.postalCode) ?? party.address?.postalZone ?? (isForeign ? NO_POSTAL_CODE : null);
  const code = stated ?? missing(party, 'postal code', path);
  if (code === null || code.length <= MAX_LENGTH.postalCode) return { code, cityAppendix: null };
  const compact = code.replace(/[\s-]/gu, '');
  if (compact.length <= MAX_LENGTH.postalCode) return { code: compact, cityAppendix: null };
  if (!isForeign) return { code: limited(code, MAX_LENGTH.postalCode, 'postal code', path), cityAppendix: null };
  warnings.push(
    warning(
      'POSTAL-CODE-MOVED',
      'The postal code is longer than the authority allows and was appended to the city',
      path,
    ),
  );
  return { code: compact.slice(0, MAX_LENGTH.postalCode), cityAppendix: code };
}

function nonBlank(text: string | null | undefined): string | null {
  return text === null || text === undefined || text.trim() === '' ? null : text;
}

function missing({ role, kind }: AddressedParty, what: string, path: string): null {
  if (kind === 'person') return null;
  return notExpressible(`The ${what} of the ${role} is missing, which the authority requires`, path);
}

function limited(text: string | null, maxLength: number, what: string, path: string): string | null {
  const length = text === null ? 0 : [...text].length;
  if (length <= maxLength) return text;
  return notExpressible(`The ${what} has ${length} characters; the authority allows ${maxLength}`, path);
}
