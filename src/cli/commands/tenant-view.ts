import type { CredentialFacts } from '../../application/accounts/manage-credentials.ts';
import type { FailingDocuments } from '../../application/ports/storage/delivery-store.ts';
import { EXPIRY_WARNING_DAYS } from '../../domain/accounts/certificate-expiry.ts';
import { FAILURES_TO_TELL } from '../../domain/accounts/failures-in-a-row.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import { counted } from '../../domain/messages/message.ts';
import { type Table, table } from '../table.ts';
import { showInstant } from '../values.ts';

/** A tenant with the public part of its certificate and what its queue shows. */
export type TenantView = {
  readonly tenant: Tenant;
  readonly certificate: CredentialFacts | null;
  readonly failing: FailingDocuments | null;
  /** Nothing is sent for it: it was not compared with the authority when the others were, after a restore. */
  readonly isUncompared: boolean;
};

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

const UNCOMPARED = 'held: not compared since the restore; "dostava reconcile --since <time of the backup>" ends that';

export function tenantTable(views: readonly TenantView[]): Table {
  const rows = views.map(({ tenant, certificate, failing, isUncompared }) => [
    tenant.edb,
    tenant.name,
    tenant.environment,
    tenant.outboundEnabled ? 'on' : 'off',
    tenant.eujpId,
    `${tenant.reverseChargeRate} %`,
    tenant.foreignCurrency ? 'yes' : 'no',
    tenant.language,
    certificate?.serialNumber ?? null,
    expiry(certificate),
    isUncompared ? UNCOMPARED : delivery(tenant, failing),
  ]);
  return table(HEADINGS, rows);
}

export function tenantJson({ tenant, certificate, failing, isUncompared }: TenantView): unknown {
  const { stopped } = tenant;
  return {
    ...tenant,
    stopped: stopped && { ...stopped, until: showInstant(stopped.until), since: showInstant(stopped.since) },
    certificate: certificate && {
      serialNumber: certificate.serialNumber,
      validTo: showInstant(certificate.validTo),
      daysLeft: certificate.daysLeft,
      changedAt: showInstant(certificate.changedAt),
    },
    failing,
    isUncompared,
  };
}

/** With the days that are left once they are few. */
function expiry(certificate: CredentialFacts | null): string | null {
  if (certificate === null) return null;
  const { validTo, daysLeft } = certificate;
  const at = showInstant(validTo);
  if (daysLeft < 0) return `${at} (EXPIRED)`;
  return daysLeft <= Math.max(...EXPIRY_WARNING_DAYS) ? `${at} (${counted(daysLeft, 'day')} left)` : at;
}

function delivery({ stopped }: Tenant, failing: FailingDocuments | null): string {
  if (stopped !== null) return `stopped until ${showInstant(stopped.until)}: ${stopped.reason}`;
  if (failing === null) return 'on';
  const { documents, failureMessage } = failing;
  return `on, but failing; documents that failed ${FAILURES_TO_TELL} times or more: ${documents}; ${failureMessage}`;
}
