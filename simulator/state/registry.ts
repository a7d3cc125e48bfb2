import { type CertificateInput, type RegisteredCertificate, readCertificate } from './certificate.ts';
import { type Company, PRIVILEGES, type Privilege, type UserInput } from './company.ts';

/** Companies, users with their privileges, and certificates. */
export type Registry = {
  readonly company: (taxNumber: string) => Company | undefined;
  readonly isUser: (eujpId: string) => boolean;
  /** Whether a user can act for the company, so that a document sent to it is seen. */
  readonly hasUsers: (taxNumber: string) => boolean;
  readonly hasPrivilege: (eujpId: string, edb: string, privilege: Privilege) => boolean;
  readonly certificates: (serial: string) => readonly RegisteredCertificate[];
  readonly putCompany: (company: Company) => void;
  readonly putUser: (user: UserInput) => void;
  readonly putCertificate: (input: CertificateInput) => void;
};

export function createRegistry(): Registry {
  const companies = new Map<string, Company>();
  const grants = new Map<string, Map<string, ReadonlySet<Privilege>>>();
  const companiesWithUsers = new Set<string>();
  const certificates = new Map<string, RegisteredCertificate[]>();

  const putUser = ({ eujpId, edb, privileges = PRIVILEGES }: UserInput) => {
    const ofUser = grants.get(eujpId) ?? new Map<string, ReadonlySet<Privilege>>();
    grants.set(eujpId, ofUser.set(edb, new Set(privileges)));
    companiesWithUsers.add(edb);
  };

  return {
    company: (taxNumber) => companies.get(taxNumber),
    isUser: (eujpId) => grants.has(eujpId),
    hasUsers: (taxNumber) => companiesWithUsers.has(taxNumber),
    hasPrivilege: (eujpId, edb, privilege) => grants.get(eujpId)?.get(edb)?.has(privilege) ?? false,
    certificates: (serial) => certificates.get(serial) ?? [],
    putCompany: (company) => void companies.set(company.taxNumber, company),
    putUser,
    putCertificate: (input) => {
      const certificate = readCertificate(input);
      const { serial, eujpId, edb } = certificate;
      const others = (certificates.get(serial) ?? []).filter((one) => one.eujpId !== eujpId || one.edb !== edb);
      certificates.set(serial, [...others, certificate]);
      if (!grants.get(eujpId)?.has(edb)) putUser({ eujpId, edb });
    },
  };
}
