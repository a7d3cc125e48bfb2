import { authorityError } from '../authority-error.ts';
import type { JsonObject } from '../json-object.ts';
import type { Company } from '../state/company.ts';
import type { Registry } from '../state/registry.ts';
import { getService, type Services } from './service.ts';

const COUNTRY = { countryId: 132, countryCode: 'MK' };
const CHANGE_DATE = '2026-01-15T09:00:00';

/** The register of companies, which every caller may read. */
export function registryServices(registry: Registry): Services {
  const companyOf = (taxNumber: string) => {
    const company = registry.company(taxNumber);
    if (company === undefined) throw authorityError('E1000', `Company ${taxNumber} not found`);
    return company;
  };
  return [
    ['/api/v1/companies/{}', getService(({ variable }) => ({ company: companyAnswer(companyOf(variable)) }))],
    ['/api/v1/subsidiary/{}', getService(({ variable }) => ({ subsidiary: subsidiaries(companyOf(variable)) }))],
  ];
}

function companyAnswer({ taxNumber, vatNumber, registrationNumber, name, address, municipality }: Company): JsonObject {
  return {
    taxNumber,
    vatNumber,
    registrationNumber,
    name,
    address,
    countryId: COUNTRY.countryId,
    changeDate: CHANGE_DATE,
    municipality,
    golemina: '0',
    countryCode: COUNTRY.countryCode,
  };
}

function subsidiaries({ taxNumber, subsidiaries: branches }: Company): readonly JsonObject[] {
  return branches.map(({ code, name, address }, index) => ({
    taxPayerId: Number(taxNumber.slice(-6)),
    taxNumber,
    subsidiaryCode: code,
    subsidiaryName: name,
    subsidiaryStreet: address.street,
    subsidiaryNumber: address.number,
    subsidiaryCity: address.city,
    countryId: COUNTRY.countryId,
    zip: address.zip,
    taxpayerSubsidiaryCode: `${taxNumber}-${index + 1}`,
    taxpayerSubsidiaryType: '1',
    countryCode: COUNTRY.countryCode,
  }));
}
