import { randomBytes } from 'node:crypto';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/simulator.ts';
import { createCertificate } from '../support/certificate.ts';

export const ALFA = '4030026000018';

/** A simulator for worker processes, and the variables by which they find it. */
export async function startAuthority(options: Partial<SimulatorOptions> = {}): Promise<{
  readonly simulator: Simulator;
  readonly variables: Readonly<Record<string, string>>;
  readonly pems: Pems;
}> {
  const { certificatePem, privateKeyPem } = createCertificate();
  const simulator = await startSimulator({
    host: '127.0.0.1',
    port: 0,
    certificates: [{ eujpId: 'demo-alfa', edb: ALFA, certificatePem }],
    ...options,
  });
  const { url, receiverUrl, portalUrl } = simulator;
  return {
    simulator,
    pems: { certificatePem, privateKeyPem },
    variables: {
      ENVIRONMENT: 'production',
      PUBLIC_URL: 'https://invoices.example',
      ALLOW_PLAIN_HTTP: 'i-know-that-others-can-read-and-change-it',
      CREDENTIALS_KEY: randomBytes(32).toString('base64'),
      AUTHORITY_PRODUCTION_URL: url,
      AUTHORITY_PRODUCTION_RECEIVER_URL: receiverUrl,
      AUTHORITY_PRODUCTION_PORTAL_URL: portalUrl,
      AUTHORITY_PACE_MS: '0',
      ALLOW_ANY_PACE: 'i-know-that-the-authority-refuses-faster-requests',
      AUTHORITY_TIMEOUT_SECONDS: '300',
    },
  };
}

export type Pems = { readonly certificatePem: string; readonly privateKeyPem: string };

type Registered = { readonly docNumber: string; readonly docId: string; readonly euid: string };

/** What the authority has, by document number. */
export async function registrations(simulator: Simulator): Promise<ReadonlyMap<string, readonly Registered[]>> {
  const answer = await fetch(`${simulator.adminUrl}/documents`);
  const { documents } = (await answer.json()) as { readonly documents: readonly Registered[] };
  return Map.groupBy(documents, ({ docNumber }) => docNumber);
}
