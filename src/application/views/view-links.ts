import { type ApiKey, whyUnusable } from '../../domain/accounts/api-key.ts';
import { type Edb, parseEdb } from '../../domain/accounts/edb.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { ReadInbound } from '../inbound/read-inbound.ts';
import type { ReadOutbound } from '../outbound/read-outbound.ts';
import type { LinkSigning } from '../ports/access.ts';
import type { Clock } from '../ports/platform.ts';
import type { KeyStore } from '../ports/storage/key-store.ts';
import type { TenantStore } from '../ports/storage/tenant-store.ts';
import type { Direction } from './view-document.ts';

const HOUR_MS = 3_600_000;
/** A week: until it was read, forwarded and booked. */
export const DEFAULT_LINK_HOURS = 168;
/** A link cannot be taken back by itself, only with its key: none lives longer than a month. */
export const MOST_LINK_HOURS = 720;

type Needs = {
  readonly readOutbound: Pick<ReadOutbound, 'detail'>;
  readonly readInbound: Pick<ReadInbound, 'detail'>;
  readonly keys: Pick<KeyStore, 'find'>;
  readonly tenants: Pick<TenantStore, 'find'>;
  readonly signing: LinkSigning;
  readonly clock: Clock;
};

type Subject = { readonly direction: Direction; readonly docUid: DocUid };

export type ViewLinks = {
  /** The token of a link to a document of the key's tenant, and when it ends: with the key at the latest. */
  readonly make: (
    key: ApiKey,
    subject: Subject,
    lifetimeHours: number,
  ) => Promise<{ readonly token: string; readonly expiresAt: number }>;
  /** Whose document the link shows; null where it shows none, for whatever reason. */
  readonly open: (token: string, subject: Subject) => Promise<Tenant | null>;
};

type Claims = { readonly tenant: Edb; readonly keyId: string; readonly expiresAt: number };

/** Time and signature in characters that need no encoding in an address; the longest token there is has about 130 of them. */
const TOKEN = /^([0-9a-z]{1,10})\.(\d{13})\.([\w-]{1,64})\.([\w-]{43})$/u;
const BASE = 36;

/** Links by which a document is viewed without a key, for a time. Nothing is stored of them: they say themselves what they are for. */
export function viewLinks({ readOutbound, readInbound, keys, tenants, signing, clock }: Needs): ViewLinks {
  return {
    async make(key, subject, lifetimeHours) {
      const { tenant, keyId } = key;
      const reading = subject.direction === 'outbound' ? readOutbound : readInbound;
      await reading.detail(tenant, subject.docUid);
      const wanted = clock.now() + lifetimeHours * HOUR_MS;
      const expiresAt = Math.min(wanted, key.expiresAt ?? wanted);
      const claims = { tenant, keyId, expiresAt };
      return { token: `${claimsText(claims)}.${signing.sign(signedText(claims, subject))}`, expiresAt };
    },
    async open(token, subject) {
      const [, time = '', edb = '', keyId = '', signature = ''] = TOKEN.exec(token) ?? [];
      const tenant = parseEdb(edb);
      if (tenant === null) return null;
      const claims = { tenant, keyId, expiresAt: Number.parseInt(time, BASE) };
      // First of all: whoever has no link of ours learns nothing of keys, tenants and documents, not even by the time it takes.
      if (!signing.isSignatureOf(signedText(claims, subject), signature)) return null;
      if (claims.expiresAt <= clock.now()) return null;
      const key = await keys.find(keyId);
      // From where the key may be used does not matter: whoever opens the link does not have the key.
      if (key === null || key.tenant !== tenant || whyUnusable(key, clock.now(), () => true) !== null) return null;
      return tenants.find(tenant);
    },
  };
}

function claimsText({ expiresAt, tenant, keyId }: Claims): string {
  return [expiresAt.toString(BASE), tenant, keyId].join('.');
}

/** No language: one link serves all. */
function signedText(claims: Claims, { direction, docUid }: Subject): string {
  return `view ${direction} ${docUid} ${claimsText(claims)}`;
}
