import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { PostalAddress } from '../../../../domain/documents/invoice-content.ts';
import { message } from '../../../../domain/messages/message.ts';
import type { RegistryCompany } from '../conversion-context.ts';
import { notExpressible, warning } from '../conversion-failure.ts';
import type { UjpAddress } from '../payload.ts';
import { CODEBOOK_LENGTH, lengthOf, shortened, shortenedIfAny } from '../text-limits.ts';
import { type StreetAndNumber, splitStreet } from './street-number.ts';

/** The usual abbreviation of "without number" (без број). */
export const NO_HOUSE_NUMBER = 'бб';
/** For countries without postal codes: the authority requires the member. */
export const NO_POSTAL_CODE = '-';

export type AddressedParty = {
  readonly role: 'seller' | 'buyer';
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
    registeredStreet(registered) ?? statedStreet(address) ?? missing(party, 'street-missing', `${path}/cbc:StreetName`);
  const city = nonBlank(registered?.city) ?? address?.city ?? missing(party, 'city-missing', cityPath);
  const postal = postalCode(party, `${path}/cbc:PostalZone`, warnings);
  const town = postal.cityAppendix === null ? city : `${city ?? ''} ${postal.cityAppendix}`.trim();
  if (registeredStreet(registered) === null) warnOfAddress(party, street, path, warnings);
  return {
    ...fittedStreet(party, street, path, warnings),
    postalCode: postal.code,
    city: shortenedIfAny(
      town,
      CODEBOOK_LENGTH.city,
      { what: message('text-city', { party: message(party.role) }), path: cityPath },
      warnings,
    ),
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
    warnings.push(warning('ADDRESS-LINE-LEFT-OUT', message('address-lines-left-out', { party: message(role) }), path));
  }
  if (street !== null && street.number === null) {
    const assumed = message('house-number-assumed', { party: message(role), sent: NO_HOUSE_NUMBER });
    warnings.push(warning('HOUSE-NUMBER-ASSUMED', assumed, `${path}/cbc:BuildingNumber`));
  }
}

/**
 * A house number that is too long, which says nothing when it is cut, goes behind the street. That of the register, which no document can
 * correct and with which the authority compares neither, is cut there where it has to be.
 */
function fittedStreet(
  { role, registered }: AddressedParty,
  street: StreetAndNumber | null,
  path: string,
  warnings: ConversionWarning[],
): Pick<UjpAddress, 'streetAddress' | 'streetNumber'> {
  if (street === null) return { streetAddress: null, streetNumber: null };
  const party = message(role);
  const place = { what: message('text-street', { party }), path: `${path}/cbc:StreetName` };
  const number = street.number ?? NO_HOUSE_NUMBER;
  if (lengthOf(number) <= CODEBOOK_LENGTH.houseNumber) {
    return { streetAddress: shortened(street.street, CODEBOOK_LENGTH.street, place, warnings), streetNumber: number };
  }
  const together = `${street.street} ${number}`;
  const numberPath = `${path}/cbc:BuildingNumber`;
  if (lengthOf(together) > CODEBOOK_LENGTH.street && registeredStreet(registered) === null) {
    const values = { party, length: lengthOf(number), limit: CODEBOOK_LENGTH.houseNumber };
    notExpressible(message('house-number-too-long', values), numberPath);
  }
  warnings.push(warning('HOUSE-NUMBER-MOVED', message('house-number-moved', { party }), numberPath));
  const streetAddress = shortened(together, CODEBOOK_LENGTH.street, place, warnings);
  return { streetAddress, streetNumber: NO_HOUSE_NUMBER };
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

/** That of the register as it stands: the authority compares it. A foreign one that is too long is cut, and appended to the city in full. */
function postalCode(party: AddressedParty, path: string, warnings: ConversionWarning[]): PostalCode {
  const isForeign = party.kind === 'foreign';
  const registered = nonBlank(party.registered?.postalCode);
  if (registered !== null) return { code: registered, cityAppendix: null };
  const stated = party.address?.postalZone ?? null;
  if (stated === null && isForeign) {
    const assumed = message('postal-code-assumed', { party: message(party.role), sent: NO_POSTAL_CODE });
    warnings.push(warning('POSTAL-CODE-ASSUMED', assumed, path));
    return { code: NO_POSTAL_CODE, cityAppendix: null };
  }
  const code = stated ?? missing(party, 'postal-code-missing', path);
  const maxLength = CODEBOOK_LENGTH.postalCode;
  if (code === null || lengthOf(code) <= maxLength) return { code, cityAppendix: null };
  const compact = code.replace(/[\s-]/gu, '');
  if (lengthOf(compact) <= maxLength) return { code: compact, cityAppendix: null };
  if (!isForeign) {
    const values = { party: message(party.role), length: lengthOf(code), limit: maxLength };
    notExpressible(message('postal-code-too-long', values), path);
  }
  warnings.push(warning('POSTAL-CODE-MOVED', message('postal-code-moved', { party: message(party.role) }), path));
  return { code: [...compact].slice(0, maxLength).join(''), cityAppendix: code };
}

function nonBlank(text: string | null | undefined): string | null {
  return text === null || text === undefined || text.trim() === '' ? null : text;
}

function missing(
  { role, kind }: AddressedParty,
  key: 'street-missing' | 'city-missing' | 'postal-code-missing',
  path: string,
): null {
  if (kind === 'person') return null;
  return notExpressible(message(key, { party: message(role) }), path);
}
