import type { ApiKey } from '../../domain/accounts/api-key.ts';
import type { Hold } from '../../domain/operations/delivery-hold.ts';
import type { StoredBytes } from './recovery/stored-bytes.ts';
import type { AuditEntry } from './storage/audit-store.ts';
import type { StoreEnvironment } from './store-environment.ts';

export type BackupStep = {
  readonly act: 'copying' | 'checking';
  readonly what: string;
  readonly done: number;
  readonly total: number;
  readonly unit: string;
};

export type BackupProgress = (step: BackupStep) => void;

/** What a database holds; null where it cannot be counted because of damage. */
export type Inventory = {
  readonly outbound: number | null;
  readonly inbound: number | null;
  readonly files: number;
};

/** An unfinished copy, opened to be checked; closed, it is a single file. */
export type OpenCopy = AsyncDisposable & {
  readonly bytes: StoredBytes;
  readonly counted: () => Promise<Omit<Inventory, 'files'>>;
  /** The environment that it belongs to; null where it belongs to neither, or does not say so any more. */
  readonly environment: () => Promise<StoreEnvironment | null>;
};

type TenantAccess = {
  readonly edb: string;
  readonly environment: string;
  readonly outboundEnabled: boolean;
  readonly eujpId: string | null;
  /** Its serial number. */
  readonly certificate: string | null;
};

/** Who may use the service, and where the documents of a tenant go, by a database. */
export type Access = {
  /** Those that are not revoked. One without addresses may be used from everywhere. */
  readonly keys: readonly Pick<ApiKey, 'keyId' | 'expiresAt' | 'allowedAddresses'>[];
  readonly tenants: readonly TenantAccess[];
  /** `account` is another text when the password or the role is another one. */
  readonly operators: readonly { readonly name: string; readonly account: string }[];
};

export type QueuedDocument = { readonly tenant: string; readonly docUid: string };

/** The embedded database as a file, and its copies. `draft` is the name of an unfinished file. */
export type BackupFiles = {
  readonly exists: (file: string) => boolean;
  /** Keeps other runs from the draft until it is disposed of; refused while another has it. */
  readonly lock: (draft: string) => Disposable;
  /** Copies a consistent snapshot of the service's database, while the service may run. */
  readonly copyLive: (draft: string, progress: BackupProgress) => Promise<void>;
  /** Copies a file byte by byte. Returns its SHA-256. */
  readonly copyFile: (from: string, draft: string, progress: BackupProgress) => Promise<string>;
  /** Refuses, by the name of what was copied, what is no database of the service at all. */
  readonly openCopy: (draft: string, of: string) => Promise<OpenCopy>;
  /** The environment that the service's database belongs to; null where it belongs to neither, is missing or cannot be read. */
  readonly liveEnvironment: () => Promise<StoreEnvironment | null>;
  /** Who may use the service by a database file; null where it is missing or cannot be read. */
  readonly access: (file: string) => Promise<Access | null>;
  /** Documents that wait for delivery by one database file and are cancelled by the former; null where either cannot be read. */
  readonly queuedAgain: (file: string, former: string) => Promise<readonly QueuedDocument[] | null>;
  /** Whether a database file was restored itself, and is held still: it does not know what was before that. */
  readonly isRestored: (file: string) => Promise<boolean>;
  /** Writes an entry into the audit trail of the draft and holds delivery, after updating its tables. Refuses a draft that is newer. */
  readonly record: (draft: string, entry: AuditEntry, hold: Hold) => Promise<void>;
  /** Flushes the draft to disk, writes its checksum beside it and gives it its final name. */
  readonly publish: (draft: string, file: string) => Promise<{ readonly sha256: string; readonly bytes: number }>;
  /** The SHA-256 from the checksum file beside a file; null when there is none. */
  readonly checksum: (file: string) => Promise<string | null>;
  /** Whether a file that is there is the draft, also by a link to it. */
  readonly isDraft: (file: string, draft: string) => Promise<boolean>;
  /** The log beside a database that was not closed, with changes that the file itself may lack; null when there is none. */
  readonly logBeside: (file: string) => Promise<string | null>;
  /** Replaces the service's database by the draft; a former one is set aside. Refused while the service runs. */
  readonly install: (draft: string) => Promise<{ readonly setAside: string | null }>;
  readonly remove: (draft: string) => Promise<void>;
};
