import type { PostalAddress } from '../../../../domain/documents/invoice-content.ts';
import type { RegistryCompany } from '../conversion-context.ts';
import { located, notExpressible } from '../conversion-failure.ts';
import type { UjpAddress } from '../payload.ts';
import { type StreetAndNumber, splitStreet } from './street-number.ts';

/** What an address carries where a house has no number (без број). */
const WITHOUT_NUMBER = 'бб';
/** For countries without postal codes: the authority's member is mandatory. */
const WITHOUT_POSTAL_CODE = '-';

/** The longest texts that the authority's field codebook gives. */
const LONGEST = { streetAddress: 60, streetNumber: 10, postalCode: 5, city: 60 } as const;

export type Addressee = {
  /** `seller` or `buyer`, for messages. */
  readonly role: string;
  readonly path: string;
  readonly address: PostalAddress | null;
  readonly registered: RegistryCompany | null;
  /** Of a natural person the authority skips some checks: what is missing is sent as missing. */
  readonly kind: 'company' | 'abroad' | 'person';
};

/** The registry's address where it has one: the authority compares with the same registry (E10004, E10005). */
export function partyAddress(party: Addressee, warnings: string[]): UjpAddress {
  const { address, registered } = party;
  const path = address?.path ?? `${party.path}/cac:PostalAddress`;
  const cityPath = `${path}/cbc:CityName`;
  const house =
    registeredHouse(registered) ?? writtenHouse(address) ?? missing(party, 'street', `${path}/cbc:StreetName`);
  const city = filled(registered?.city) ?? address?.city ?? missing(party, 'city', cityPath);
  const postal = postalCode(party, `${path}/cbc:PostalZone`, warnings);
  const town = postal.behindCity === null ? city : `${city ?? ''} ${postal.behindCity}`.trim();
  const number = house === null ? null : (house.number ?? WITHOUT_NUMBER);
  return {
    streetAddress: fitting(house?.street ?? null, LONGEST.streetAddress, 'street', `${path}/cbc:StreetName`),
    streetNumber: fitting(number, LONGEST.streetNumber, 'house number', `${path}/cbc:BuildingNumber`),
    postalCode: postal.code,
    city: fitting(town, LONGEST.city, 'city', cityPath),
  };
}

/** An address on one line, for places that are a single text. */
export function addressLine(address: PostalAddress): string | null {
  const street = [address.street, address.buildingNumber].filter((part) => part !== null).join(' ');
  const town = [address.postalZone, address.city].filter((part) => part !== null).join(' ');
  const parts = [street, address.additionalStreet ?? '', ...address.lines, town];
  return parts.filter((part) => part !== '').join(', ') || null;
}

function registeredHouse(registered: RegistryCompany | null): StreetAndNumber | null {
  return houseOf(filled(registered?.street), filled(registered?.number));
}

function writtenHouse(address: PostalAddress | null): StreetAndNumber | null {
  return houseOf(address?.street ?? address?.lines[0] ?? null, address?.buildingNumber ?? null);
}

function houseOf(street: string | null, number: string | null): StreetAndNumber | null {
  if (street === null) return null;
  return number === null ? splitStreet(street) : { street, number };
}

type PostalCode = { readonly code: string | null; readonly behindCity: string | null };

/** A foreign postal code that does not fit stays readable whole behind the city. */
function postalCode(party: Addressee, path: string, warnings: string[]): PostalCode {
  const isAbroad = party.kind === 'abroad';
  const stated =
    filled(party.registered?.postalCode) ?? party.address?.postalZone ?? (isAbroad ? WITHOUT_POSTAL_CODE : null);
  const code = stated ?? missing(party, 'postal code', path);
  if (code === null || code.length <= LONGEST.postalCode) return { code, behindCity: null };
  const compact = code.replace(/[\s-]/gu, '');
  if (compact.length <= LONGEST.postalCode) return { code: compact, behindCity: null };
  if (!isAbroad) return { code: fitting(code, LONGEST.postalCode, 'postal code', path), behindCity: null };
  warnings.push(located('The postal code is longer than the authority allows and was put behind the city', path));
  return { code: compact.slice(0, LONGEST.postalCode), behindCity: code };
}

function filled(text: string | null | undefined): string | null {
  return text === null || text === undefined || text.trim() === '' ? null : text;
}

function missing({ role, kind }: Addressee, what: string, path: string): null {
  if (kind === 'person') return null;
  return notExpressible(`The ${what} of the ${role} is missing, which the authority requires`, path);
}

function fitting(text: string | null, longest: number, what: string, path: string): string | null {
  const length = text === null ? 0 : [...text].length;
  if (length <= longest) return text;
  return notExpressible(`The ${what} has ${length} characters; the authority allows ${longest}`, path);
}
