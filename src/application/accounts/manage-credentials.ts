import type { Edb } from '../../domain/accounts/edb.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import { WAITING_FOR_RESUMPTION } from '../errors/failure-catalogue.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { CertificateFacts, CredentialReading, KeySealing, PrivateKeyFacts } from '../ports/credentials.ts';
import type { Clock } from '../ports/platform.ts';
import type { SealedCredential } from '../ports/storage/credential-store.ts';
import type { RecurringTaskName } from '../ports/storage/recurring-task-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { readEdb } from './manage-tenants.ts';

type Needs = {
  readonly storage: Storage;
  readonly reading: CredentialReading;
  readonly sealing: Pick<KeySealing, 'seal'>;
  readonly clock: Clock;
  readonly record: RecordCommand;
};

/** The public part of a credential. */
export type CredentialFacts = Pick<SealedCredential, 'serialNumber' | 'validTo' | 'changedAt'>;

export type ManageCredentials = {
  /** Stores the certificate and private key that a tenant's documents are signed with. */
  readonly set: (edbText: string, certificatePem: string, privateKeyPem: string) => Promise<CredentialFacts>;
  readonly describe: (edb: Edb) => Promise<CredentialFacts | null>;
  readonly list: () => Promise<ReadonlyMap<Edb, CredentialFacts>>;
};

/** Scheduled once a tenant has a certificate to call the authority with. */
const RECURRING_TASKS: readonly RecurringTaskName[] = ['lists', 'collect', 'follow'];

/** The authority accepts no weaker keys. */
const MIN_KEY_BITS = 2_048;

export function manageCredentials({ storage, reading, sealing, clock, record }: Needs): ManageCredentials {
  return {
    async set(edbText, certificatePem, privateKeyPem) {
      const edb = readEdb(edbText);
      const key = readKey(reading, privateKeyPem);
      const certificate = certificateOf(readCertificates(reading, certificatePem), key);
      const changedAt = clock.now();
      refuseUnsuitable(certificate, changedAt);
      const { pem, serialNumber, validTo } = certificate;
      const sealed = sealing.seal(edb, key.pem);
      await storage.transaction(async (tx) => {
        if ((await tx.tenants.find(edb)) === null) throw new OperatorError('not-found', `There is no tenant ${edb}.`);
        await tx.credentials.save({ tenant: edb, certificate: pem, serialNumber, validTo, ...sealed, changedAt });
        await record(tx, { command: 'tenant set', target: `${edb} certificate ${serialNumber}`, tenant: edb });
        // Delivery was stopped because of the former certificate.
        await tx.tenants.resume(edb);
        for (const code of WAITING_FOR_RESUMPTION) await tx.deliveries.retryNow(edb, code, changedAt);
        await tx.recurringTasks.schedule(edb, RECURRING_TASKS, changedAt);
      });
      return { serialNumber, validTo, changedAt };
    },
    async describe(edb) {
      const credential = await storage.credentials.find(edb);
      return credential === null ? null : facts(credential);
    },
    async list() {
      const credentials = await storage.credentials.list();
      return new Map(credentials.map((credential) => [credential.tenant, facts(credential)]));
    },
  };
}

function facts({ serialNumber, validTo, changedAt }: SealedCredential): CredentialFacts {
  return { serialNumber, validTo, changedAt };
}

function refuse(reason: string): never {
  throw new OperatorError('refused', reason);
}

function readKey(reading: CredentialReading, pem: string): PrivateKeyFacts {
  const key = reading.privateKey(pem);
  if (key === 'none') return refuse('The private key is not in PEM: there is no "-----BEGIN PRIVATE KEY-----" in it.');
  if (key === 'unreadable') return refuse('The private key is in PEM but cannot be read.');
  if (key === 'encrypted') {
    return refuse(
      'The private key is encrypted. Decrypt it first: openssl pkey -in <encrypted.pem> -out <decrypted.pem>',
    );
  }
  return key;
}

function readCertificates(reading: CredentialReading, pem: string): readonly CertificateFacts[] {
  const certificates = reading.certificates(pem);
  if (certificates === null) return refuse('The certificate is in PEM but cannot be read.');
  if (certificates.length > 0) return certificates;
  return refuse('The certificate is not in PEM: there is no "-----BEGIN CERTIFICATE-----" in it.');
}

/** PEM files often hold the certificates of the issuers too, in any order. */
function certificateOf(certificates: readonly CertificateFacts[], key: PrivateKeyFacts): CertificateFacts {
  const certificate = certificates.find((candidate) => key.belongsTo(candidate));
  return certificate ?? refuse('The private key does not belong to the certificate.');
}

function refuseUnsuitable({ serialNumber, validTo, keyType, keyBits }: CertificateFacts, now: number): void {
  if (keyType !== 'rsa')
    refuse(`The certificate ${serialNumber} holds a key of type ${keyType}; the authority accepts only RSA.`);
  if (keyBits < MIN_KEY_BITS) {
    refuse(`The key of certificate ${serialNumber} has ${keyBits} bits; at least ${MIN_KEY_BITS} are needed.`);
  }
  if (validTo <= now) refuse(`The certificate ${serialNumber} expired at ${formatInstant(validTo)}.`);
}
