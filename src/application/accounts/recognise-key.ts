import type { ApiKey } from '../../domain/accounts/api-key.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { KeySecrets } from '../ports/access.ts';
import type { KeyStore } from '../ports/storage/key-store.ts';

type Needs = { readonly keys: Pick<KeyStore, 'findBySecret'>; readonly secrets: KeySecrets };

export type RecognisedKey = { readonly key: ApiKey; readonly tenant: Tenant };

/** Finds whose key it is, whether or not it may be used; null for a text that is no key of this service. */
export type RecogniseKey = (apiKey: string) => Promise<RecognisedKey | null>;

export function recogniseKey({ keys, secrets }: Needs): RecogniseKey {
  return async (apiKey) => (secrets.isWellFormed(apiKey) ? keys.findBySecret(secrets.hash(apiKey)) : null);
}
