export const PRIVILEGES = ['SIGN', 'DP', 'RD', 'DA'] as const;
/** In this order: to sign, and to download the PDF, the JSON payload and the ASiC container. */
export type Privilege = (typeof PRIVILEGES)[number];

export type Address = {
  readonly street: string;
  readonly number: string;
  readonly city: string;
  readonly zip: string;
};

export type Subsidiary = { readonly code: string; readonly name: string; readonly address: Address };

export type Company = {
  readonly taxNumber: string;
  /** Null for a company that is not registered for VAT. */
  readonly vatNumber: string | null;
  readonly registrationNumber: string;
  readonly name: string;
  readonly address: Address;
  readonly municipality: string;
  readonly subsidiaries: readonly Subsidiary[];
};

export type UserInput = {
  readonly eujpId: string;
  readonly edb: string;
  /** All by default; an empty list takes all rights for the company away. */
  readonly privileges?: readonly Privilege[];
};

export type CompanyInput = Partial<Company> & {
  readonly taxNumber: string;
  /** Users who get all privileges for the company. */
  readonly users?: readonly string[];
};

/** Fills in what is missing, so that a test needs to give no more than a tax number. */
export function completeCompany({ users: _users, ...input }: CompanyInput): Company {
  const { taxNumber } = input;
  if (!/^\d{13}$/u.test(taxNumber)) throw new Error(`'${taxNumber}' is not a tax number of 13 digits.`);
  return {
    vatNumber: `МК${taxNumber}`,
    registrationNumber: taxNumber.slice(-7),
    name: `ДРУШТВО ${taxNumber} ДОО Скопје`,
    address: { street: 'Илинденска', number: '1', city: 'Скопје', zip: '1000' },
    municipality: 'Центар',
    subsidiaries: [],
    ...input,
  };
}
