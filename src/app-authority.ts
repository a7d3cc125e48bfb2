import { createKeySealing } from './adapters/system/key-sealing.ts';
import { createPace } from './adapters/system/pace.ts';
import { createSigners } from './adapters/system/signers.ts';
import { accountChecks } from './adapters/ujp/account-checks.ts';
import { createAuthorityClient } from './adapters/ujp/authority-client.ts';
import { createCodeListSource } from './adapters/ujp/code-list-source.ts';
import { createConverter } from './adapters/ujp/converter.ts';
import { withStatusNames } from './adapters/ujp/named-status.ts';
import { createPemSigner } from './adapters/ujp/pem-signer.ts';
import { prepareDocument } from './adapters/ujp/prepare-document.ts';
import type { Foundation } from './app.ts';
import type { Authority } from './application/authority.ts';
import {
  cachedCodeList,
  type ReadCachedCodeList,
  type RefreshCodeList,
  refreshCodeList,
} from './application/cached-code-list.ts';
import type { CodeListType } from './domain/code-list.ts';

const LONGEST_QUERY_MS = 10_000;
const SECOND_MS = 1_000;

export type AuthoritySide = {
  readonly authority: Authority;
  readonly lists: ReadCachedCodeList;
  readonly refreshList: RefreshCodeList;
  readonly close: () => Promise<void>;
};

/** Everything that talks to the tax authority. */
export function openAuthority(
  { config, clock, storage }: Foundation,
  onStale: (type: CodeListType, cause: unknown) => void = () => undefined,
): AuthoritySide {
  const sealing = createKeySealing(config.credentialsKeys ?? []);
  const signers = createSigners({ credentials: storage.credentials, sealing, createSigner: createPemSigner, clock });
  const pace = createPace({ storage, clock, intervalMs: config.authorityPaceMs });
  const sendMs = config.authorityTimeoutSeconds * SECOND_MS;
  const timeouts = { sendMs, queryMs: Math.min(LONGEST_QUERY_MS, sendMs) };
  const client = createAuthorityClient({ urls: config.authorityUrls, signers, pace, clock, timeouts });
  const converter = createConverter();
  const source = createCodeListSource(client);
  const lists = cachedCodeList({ storage, source, clock, onStale });
  const authority = {
    ...withStatusNames(client, lists, clock),
    prepare: prepareDocument({ converter, queries: client, lists, clock }),
    check: accountChecks({ client, clock }),
  };
  return { authority, lists, refreshList: refreshCodeList({ storage, source, clock }), close: converter.close };
}
