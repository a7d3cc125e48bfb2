import type { Operator } from '../cli/operator.ts';
import type { TenantSettings } from '../domain/accounts/tenant.ts';
import { callSimulatorAdmin } from './simulator-admin.ts';

type Issued = { readonly certificatePem: string; readonly privateKeyPem: string };

/** The admin interfaces of the two simulated installations. */
export type AdminUrls = { readonly test: string; readonly production: string };

/** Gives all tenants without a certificate the same one, which is registered at both installations of the authority. */
export async function seedCredentials(
  { credentials }: Pick<Operator, 'credentials'>,
  admin: AdminUrls,
  tenants: readonly TenantSettings[],
): Promise<void> {
  const known = await credentials.list();
  const without = tenants.filter(({ edb }) => !known.has(edb));
  if (without.length === 0) return;
  const users = without.map(({ edb, eujpId }) => ({ edb, eujpId }));
  const issued = (await callSimulatorAdmin(`${admin.test}/certificates/issue`, users)) as Issued;
  const { certificatePem, privateKeyPem } = issued;
  // The admin interface works also while an installation is out of order.
  await callSimulatorAdmin(
    `${admin.production}/certificates`,
    users.map((user) => ({ ...user, certificatePem })),
  );
  for (const { edb } of without) await credentials.set(edb, certificatePem, privateKeyPem);
}
