import type { CredentialFacts } from '../../application/accounts/manage-credentials.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import { table } from '../table.ts';
import { showInstant } from '../values.ts';

/** A tenant with the public part of its certificate. */
export type TenantView = { readonly tenant: Tenant; readonly certificate: CredentialFacts | null };

const HEADINGS = [
  'EDB',
  'NAME',
  'ENVIRONMENT',
  'OUTBOUND',
  'EUJP-ID',
  'REVERSE CHARGE',
  'FOREIGN CURRENCY',
  'LANGUAGE',
  'CERTIFICATE',
  'EXPIRES',
  'DELIVERY',
];

export function tenantTable(views: readonly TenantView[]): string {
  const rows = views.map(({ tenant, certificate }) => [
    tenant.edb,
    tenant.name,
    tenant.environment,
    tenant.outboundEnabled ? 'on' : 'off',
    tenant.eujpId,
    `${tenant.reverseChargeRate} %`,
    tenant.foreignCurrency ? 'yes' : 'no',
    tenant.language,
    certificate?.serialNumber ?? null,
    showInstant(certificate?.validTo ?? null),
    delivery(tenant),
  ]);
  return table(HEADINGS, rows);
}

export function tenantJson({ tenant, certificate }: TenantView): unknown {
  const { stopped } = tenant;
  return {
    ...tenant,
    stopped: stopped && { ...stopped, until: showInstant(stopped.until), since: showInstant(stopped.since) },
    certificate: certificate && {
      serialNumber: certificate.serialNumber,
      validTo: showInstant(certificate.validTo),
      changedAt: showInstant(certificate.changedAt),
    },
  };
}

function delivery({ stopped }: Tenant): string {
  return stopped === null ? 'on' : `stopped until ${showInstant(stopped.until)}: ${stopped.reason}`;
}
