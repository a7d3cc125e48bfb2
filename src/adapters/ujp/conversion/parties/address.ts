import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { PostalAddress } from '../../../../domain/documents/invoice-content.ts';
import type { RegistryCompany } from '../conversion-context.ts';
import { notExpressible, warning } from '../conversion-failure.ts';
import type { UjpAddress } from '../payload.ts';
import { CODEBOOK_LENGTH, lengthOf, shortened, shortenedIfAny } from '../text-limits.ts';
import { type StreetAndNumber, splitStreet } from './street-number.ts';

/** The usual abbreviation of "without number" (без број). */
const NO_HOUSE_NUMBER = 'бб';
/** For countries without postal codes: the authority requires the member. */
const NO_POSTAL_CODE = '-';

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
  if (registeredStreet(registered) === null) warnOfAddress(party, street, path, warnings);
  return {
    ...fittedStreet(street, path, warnings),
    postalCode: postal.code,
    city: shortenedIfAny(town, CODEBOOK_LENGTH.city, { what: 'city', path: cityPath }, warnings),
  };
}

/** What of the document's own address has no member, or is not stated. */
function warnOfAddress(
  { address, role }: AddressedParty,
  street: StreetAndNumber | null,
  path: string,
  warnings: ConversionWarning[],
): void {
  const lines = [address?.additionalStreet ?? null, ...(address?.lines ?? [])].filter((text) => text !== null);
  if (lines.length > (address?.street === null ? 1 : 0)) {
    const sentence = `The further lines of the address of the ${role} were left out`;
    warnings.push(warning('ADDRESS-LINE-LEFT-OUT', sentence, path));
  }
  if (street !== null && street.number === null) {
    const sentence = `The address of the ${role} has no house number; "${NO_HOUSE_NUMBER}" (without number) was sent`;
    warnings.push(warning('HOUSE-NUMBER-ASSUMED', sentence, `${path}/cbc:BuildingNumber`));
  }
}

/** A house number that is too long, which says nothing when it is cut, goes behind the street. */
function fittedStreet(
  street: StreetAndNumber | null,
  path: string,
  warnings: ConversionWarning[],
): Pick<UjpAddress, 'streetAddress' | 'streetNumber'> {
  if (street === null) return { streetAddress: null, streetNumber: null };
  const place = { what: 'street', path: `${path}/cbc:StreetName` };
  const number = street.number ?? NO_HOUSE_NUMBER;
  if (lengthOf(number) <= CODEBOOK_LENGTH.houseNumber) {
    return { streetAddress: shortened(street.street, CODEBOOK_LENGTH.street, place, warnings), streetNumber: number };
  }
  const together = `${street.street} ${number}`;
  const numberPath = `${path}/cbc:BuildingNumber`;
  if (lengthOf(together) > CODEBOOK_LENGTH.street) {
    const sentence = `The house number has ${lengthOf(number)} characters, more than ${CODEBOOK_LENGTH.houseNumber}, and does not fit behind the street either`;
    notExpressible(sentence, numberPath);
  }
  warnings.push(
    warning(
      'HOUSE-NUMBER-MOVED',
      'The house number is too long for its member and was sent behind the street',
      numberPath,
    ),
  );
  return { streetAddress: together, streetNumber: NO_HOUSE_NUMBER };
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
  const stated = nonBlank(party.registered?.postalCode) ?? party.address?.postalZone ?? null;
  if (stated === null && isForeign) {
    const sentence = `The address of the ${party.role} has no postal code; "${NO_POSTAL_CODE}" was sent`;
    warnings.push(warning('POSTAL-CODE-ASSUMED', sentence, path));
    return { code: NO_POSTAL_CODE, cityAppendix: null };
  }
  const code = stated ?? missing(party, 'postal code', path);
  const maxLength = CODEBOOK_LENGTH.postalCode;
  if (code === null || lengthOf(code) <= maxLength) return { code, cityAppendix: null };
  const compact = code.replace(/[\s-]/gu, '');
  if (lengthOf(compact) <= maxLength) return { code: compact, cityAppendix: null };
  if (!isForeign) {
    notExpressible(`The postal code has ${lengthOf(code)} characters; the authority allows ${maxLength}`, path);
  }
  warnings.push(
    warning(
      'POSTAL-CODE-MOVED',
      'The postal code is longer than the authority allows and was appended to the city',
      path,
    ),
  );
  return { code: [...compact].slice(0, maxLength).join(''), cityAppendix: code };
}

function nonBlank(text: string | null | undefined): string | null {
  return text === null || text === undefined || text.trim() === '' ? null : text;
}

function missing({ role, kind }: AddressedParty, what: string, path: string): null {
  if (kind === 'person') return null;
  return notExpressible(`The ${what} of the ${role} is missing, which the authority requires`, path);
}
