import type { Finding } from '../../authority-error.ts';
import type { ListsInForce } from '../../catalogue/catalogue.ts';
import type { Company } from '../../state/company.ts';
import type { Registry } from '../../state/registry.ts';
import type { InvoiceDocument } from './document-schema.ts';
import { HOME_COUNTRY, NATURAL_PERSON_TYPE } from './mandatory-fields.ts';

type Party = {
  readonly role: 'seller' | 'buyer';
  readonly countryCode: string;
  readonly countryName: string;
  readonly tin: string | null | undefined;
  readonly vatNumber: string | null | undefined;
  readonly name: string;
  readonly city: string | null | undefined;
  readonly postalCode: string | null | undefined;
};

const NAME_CODES = { seller: 'E10002', buyer: 'E10006' };
const VAT_CODES = { seller: 'E10003', buyer: 'E10007' };

/**
 * Compares the parties with the list of countries and the register of companies (the authority's published reference, §3.5).
 * Which checks are skipped for natural persons is not published: here all but the country.
 */
export function checkParties(
  { header, seller, buyer }: InvoiceDocument,
  registry: Registry,
  lists: ListsInForce,
): readonly Finding[] {
  const parties: readonly Party[] = [
    {
      role: 'seller',
      countryCode: seller.sellerCCode,
      countryName: seller.sellerCName,
      tin: seller.sellerTin,
      vatNumber: seller.sellerVatNumber,
      name: seller.sellerName,
      city: seller.sellerAddress.city,
      postalCode: seller.sellerAddress.postalCode,
    },
    {
      role: 'buyer',
      countryCode: buyer.buyerCCode,
      countryName: buyer.buyerCName,
      tin: buyer.buyerTin,
      vatNumber: buyer.buyerVatNumber,
      name: buyer.buyerName,
      city: buyer.buyerAddress?.city,
      postalCode: buyer.buyerAddress?.postalCode,
    },
  ];
  return parties.flatMap((party) => {
    const isRegistered =
      party.role === 'seller' || (party.countryCode === HOME_COUNTRY && header.docType !== NATURAL_PERSON_TYPE);
    return [...checkCountry(party, lists), ...(isRegistered ? checkRegistered(party, registry) : [])];
  });
}

function checkCountry({ role, countryCode, countryName }: Party, lists: ListsInForce): readonly Finding[] {
  const country = lists.find('countries', countryCode);
  if (country === undefined) return [finding('E10011', role, 'CCode', `Country ${countryCode} does not exist`)];
  if (country.name !== countryName) {
    return [finding('E10012', role, 'CName', `Country ${countryCode} is not called '${countryName}'`)];
  }
  // Every seller is a company of the register, and that is domestic (§2.1).
  if (role === 'buyer' || countryCode === HOME_COUNTRY) return [];
  return [finding('E10012', role, 'CCode', `The ${role} is not of country ${countryCode}`)];
}

function checkRegistered(party: Party, registry: Registry): readonly Finding[] {
  const { role, tin } = party;
  if (!tin) return [finding('E10001', role, 'Tin', `Tax number of the ${role} is missing`)];
  const company = registry.company(tin);
  if (company === undefined) return [finding('E1000', role, 'Tin', `Company ${tin} not found`)];
  return [...checkVatNumber(party, company), ...checkNameAndAddress(party, company)];
}

function checkVatNumber({ role, vatNumber }: Party, company: Company): readonly Finding[] {
  if ((vatNumber ?? null) === company.vatNumber) return [];
  if (!vatNumber) return [finding('E10008', role, 'VatNumber', `VAT number of the ${role} is missing`)];
  return [finding(VAT_CODES[role], role, 'VatNumber', `VAT number '${vatNumber}' of the ${role} is wrong`)];
}

function checkNameAndAddress({ role, name, city, postalCode }: Party, company: Company): readonly Finding[] {
  const { address } = company;
  const checks = [
    [name === company.name, NAME_CODES[role], 'Name', `Name '${name}' of the ${role} is not the registered one`],
    [city === address.city, 'E10004', 'Address.city', `City '${city}' of the ${role} is wrong`],
    [postalCode === address.zip, 'E10005', 'Address.postalCode', `Postal code '${postalCode}' of the ${role} is wrong`],
  ] as const;
  return checks.flatMap(([isRight, code, member, message]) => (isRight ? [] : [finding(code, role, member, message)]));
}

function finding(code: string, role: Party['role'], member: string, message: string): Finding {
  return { code, message, parameter: `document.${role}.${role}${member}` };
}
