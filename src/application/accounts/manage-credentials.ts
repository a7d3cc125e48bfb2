import { daysLeft } from '../../domain/accounts/certificate-expiry.ts';
import type { Edb } from '../../domain/accounts/edb.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { quotedText } from '../../domain/values/one-line-text.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import { beginningOn, FROM_FAR_BACK } from '../delivery/follow-authority-status.ts';
import { retryMended } from '../delivery/retry-waiting.ts';
import { WAITING_FOR_CREDENTIAL } from '../errors/failure-catalogue.ts';
import { OperatorError } from '../errors/operator-error.ts';
import { AuthorityCallError } from '../ports/authority.ts';
import type {
  CertificateFacts,
  CredentialReading,
  KeySealing,
  PrivateKeyFacts,
  SigningCommands,
} from '../ports/credentials.ts';
import type { Clock } from '../ports/platform.ts';
import type { SealedCredential } from '../ports/storage/credential-store.ts';
import type { RecurringTaskName } from '../ports/storage/recurring-task-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { changeTenant, readEdb, type TenantChanges } from './manage-tenants.ts';
import { readPkcs12File } from './read-pkcs12-file.ts';

type Needs = {
  readonly storage: Storage;
  readonly reading: CredentialReading;
  readonly sealing: Pick<KeySealing, 'seal' | 'sealCommand'>;
  readonly signingCommands: Pick<SigningCommands, 'names' | 'tryOut'>;
  readonly clock: Clock;
  readonly record: RecordCommand;
};

/** The public part of a credential. */
export type CredentialFacts = Pick<SealedCredential, 'serialNumber' | 'validTo' | 'changedAt'> & {
  /** Whole days until it expires; negative once it has expired. */
  readonly daysLeft: number;
};

/** Other changes of the tenant are made with the credential, in one transaction: all or nothing. */
export type ManageCredentials = {
  /** Stores the certificate and private key that a tenant's documents are signed with. */
  readonly set: (
    edbText: string,
    certificatePem: string,
    privateKeyPem: string,
    changes?: TenantChanges,
  ) => Promise<CredentialFacts>;
  /** The same from a PKCS #12 file. */
  readonly setPkcs12: (
    edbText: string,
    file: Uint8Array,
    password: string,
    changes?: TenantChanges,
  ) => Promise<CredentialFacts>;
  /** Stores the certificate, and the name of the command that signs with its private key. */
  readonly setCommand: (
    edbText: string,
    certificatePem: string,
    commandName: string,
    changes?: TenantChanges,
  ) => Promise<CredentialFacts>;
  readonly describe: (edb: Edb) => Promise<CredentialFacts | null>;
  readonly list: () => Promise<ReadonlyMap<Edb, CredentialFacts>>;
};

type Sealed = Pick<SealedCredential, 'sealedKey' | 'sealedBy'>;

/** Scheduled once a tenant has a certificate to call the authority with. */
const RECURRING_TASKS: readonly RecurringTaskName[] = ['lists', 'collect', 'follow'];

/** The authority accepts no weaker keys. */
const MIN_KEY_BITS = 2_048;

export function manageCredentials(needs: Needs): ManageCredentials {
  const { storage, reading, sealing, signingCommands, clock, record } = needs;
  const change = changeTenant(needs);

  async function store(
    edb: Edb,
    certificate: CertificateFacts,
    sealed: Sealed,
    changes: TenantChanges,
  ): Promise<CredentialFacts> {
    const changedAt = clock.now();
    const { pem, serialNumber, validTo } = certificate;
    await storage.transaction(async (tx) => {
      if ((await tx.tenants.find(edb)) === null) throw new OperatorError('not-found', `There is no tenant ${edb}.`);
      if (Object.keys(changes).length > 0) await change(tx, edb, changes);
      const isFirst = (await tx.credentials.find(edb)) === null;
      await tx.credentials.save({ tenant: edb, certificate: pem, serialNumber, validTo, ...sealed, changedAt });
      await record(tx, { command: 'tenant set', target: `${edb} certificate ${serialNumber}`, tenant: edb });
      // Delivery was stopped because of the former certificate, or waits for the former signing command.
      await tx.tenants.resume(edb, changedAt);
      await retryMended(tx, edb, WAITING_FOR_CREDENTIAL, changedAt);
      await tx.recurringTasks.schedule(edb, RECURRING_TASKS, changedAt);
      if (isFirst) await followStatuses(tx, edb, changedAt);
    });
    return facts({ serialNumber, validTo, changedAt }, changedAt);
  }

  async function setKey(
    edbText: string,
    certificatePem: string,
    privateKeyPem: string,
    changes: TenantChanges = {},
  ): Promise<CredentialFacts> {
    const edb = readEdb(edbText);
    const key = readKey(reading, privateKeyPem);
    const certificate = certificateOf(readCertificates(reading, certificatePem), key);
    refuseUnsuitable(certificate, clock.now());
    return store(edb, certificate, sealing.seal(edb, key.pem), changes);
  }

  return {
    set: setKey,
    async setPkcs12(edbText, file, password, changes) {
      const { certificatePem, privateKeyPem } = readPkcs12File(reading, file, password);
      return setKey(edbText, certificatePem, privateKeyPem, changes);
    },
    async setCommand(edbText, certificatePem, commandName, changes = {}) {
      const edb = readEdb(edbText);
      const certificates = readCertificates(reading, certificatePem);
      const key = await tryOut(signingCommands, edb, commandName, certificates[0]?.serialNumber ?? '');
      const certificate = certificateOf(certificates, key);
      refuseUnsuitable(certificate, clock.now());
      return store(edb, certificate, sealing.sealCommand(edb, commandName), changes);
    },
    async describe(edb) {
      const credential = await storage.credentials.find(edb);
      return credential === null ? null : facts(credential, clock.now());
    },
    async list() {
      const credentials = await storage.credentials.facts();
      return new Map(credentials.map((credential) => [credential.tenant, facts(credential, clock.now())]));
    },
  };
}

/**
 * Of one that had no certificate for a while nobody asked meanwhile what became of its documents. Of a new one the authority may not give it for
 * weeks: from which day on it is missing is known now.
 */
async function followStatuses(tx: Storage, edb: Edb, now: number): Promise<void> {
  const isBack = await hasRegistered(tx, edb);
  await tx.recurringTasks.followFrom(edb, isBack ? FROM_FAR_BACK : beginningOn(now), now);
  if (isBack) await tx.deliveries.askForContainers(edb, now);
}

async function hasRegistered({ outbound }: Storage, edb: Edb): Promise<boolean> {
  const filter = { created: { from: null, to: null }, statuses: [OUTBOUND_STATUS.accepted], partnerEdb: null };
  return (await outbound.list(edb, filter, { page: 1, pageSize: 1 })).totalCount > 0;
}

function facts({ serialNumber, validTo, changedAt }: Omit<CredentialFacts, 'daysLeft'>, now: number): CredentialFacts {
  return { serialNumber, validTo, changedAt, daysLeft: daysLeft(validTo, now) };
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

/** A command that does not sign now would be found out by the first document, so it is tried before it is stored. */
async function tryOut(
  { names, tryOut: sign }: Pick<SigningCommands, 'names' | 'tryOut'>,
  tenant: Edb,
  name: string,
  serialNumber: string,
): Promise<Pick<PrivateKeyFacts, 'belongsTo'>> {
  if (!names.includes(name)) {
    const known = names.length === 0 ? 'none is configured' : `there are ${names.join(', ')}`;
    return refuse(`There is no signing command ${quotedText(name, 40)}; ${known}.`);
  }
  try {
    return await sign(name, { tenant, serialNumber });
  } catch (error) {
    if (error instanceof AuthorityCallError) return refuse(error.message);
    throw error;
  }
}

/** PEM files often hold the certificates of the issuers too, in any order. */
function certificateOf(
  certificates: readonly CertificateFacts[],
  key: Pick<PrivateKeyFacts, 'belongsTo'>,
): CertificateFacts {
  const certificate = certificates.find((candidate) => key.belongsTo(candidate));
  return certificate ?? refuse('The private key does not belong to the certificate.');
}

function refuseUnsuitable(certificate: CertificateFacts, now: number): void {
  const { serialNumber, validFrom, validTo, keyType, keyBits } = certificate;
  if (keyType !== 'rsa')
    refuse(`The certificate ${serialNumber} holds a key of type ${keyType}; the authority accepts only RSA.`);
  if (keyBits < MIN_KEY_BITS) {
    refuse(`The key of certificate ${serialNumber} has ${keyBits} bits; at least ${MIN_KEY_BITS} are needed.`);
  }
  // Often got before the present one ends, which the authority takes until then.
  if (validFrom > now) {
    refuse(`The certificate ${serialNumber} is not valid before ${formatInstant(validFrom)}: set it then.`);
  }
  if (validTo <= now) refuse(`The certificate ${serialNumber} expired at ${formatInstant(validTo)}.`);
}
