import { generateKeyPair, type KeyPairKeyObjectResult } from 'node:crypto';
import { promisify } from 'node:util';
import { issueCertificate } from '../../simulator/state/issue-certificate.ts';
import type { Platform } from '../application/ports/platform.ts';
import type { Operator } from '../cli/operator.ts';
import type { NewTenant } from '../domain/accounts/tenant.ts';
import { callSimulatorAdmin } from './simulator-admin.ts';

const KEY_BITS = 2_048;
/** As issuers do: a certificate must not be too young for an authority whose clock is behind. */
const BACKDATED_MS = 86_400_000;
const COMMON_NAME = 'Dostava demo';

/** The admin interfaces of the two simulated installations. */
export type AdminUrls = { readonly test: string; readonly production: string };

/** Gives all tenants without a certificate the same one, which is registered at both installations of the authority. */
export async function seedCredentials(
  { clock, timers }: Pick<Platform, 'clock' | 'timers'>,
  { credentials }: Pick<Operator, 'credentials'>,
  admin: AdminUrls,
  tenants: readonly NewTenant[],
  existingKeys: KeyPairKeyObjectResult | null,
): Promise<void> {
  const known = await credentials.list();
  const without = tenants.filter(({ edb }) => !known.has(edb));
  if (without.length === 0) return;
  const users = without.map(({ edb, eujpId }) => ({ edb, eujpId }));
  const keys = existingKeys ?? (await generateKeys());
  const validFrom = new Date(clock.now() - BACKDATED_MS);
  const { certificatePem, privateKeyPem } = issueCertificate({ commonName: COMMON_NAME, validFrom, keys });
  const certificates = users.map((user) => ({ ...user, certificatePem }));
  // The admin interface also works while an installation is out of order.
  for (const url of [admin.test, admin.production])
    await callSimulatorAdmin(timers, `${url}/certificates`, certificates);
  for (const { edb } of without) await credentials.set(edb, certificatePem, privateKeyPem);
}

/** Takes a tenth of a second or more; libuv's threads do it while the service is loaded. */
function generateKeys(): Promise<KeyPairKeyObjectResult> {
  return promisify(generateKeyPair)('rsa', { modulusLength: KEY_BITS });
}
