import { createKeySealing } from '../adapters/credentials/key-sealing.ts';
import { createSigners } from '../adapters/credentials/signers.ts';
import { createSigningCommands } from '../adapters/credentials/signing-commands.ts';
import { createPace, MOST_WAIT_OF_DRY_RUNS_MS } from '../adapters/limits/pace.ts';
import { createSemaphore } from '../adapters/threads/semaphore.ts';
import { createAuthorityDocuments } from '../adapters/ujp/as-ubl/authority-documents.ts';
import { createCodeListSource } from '../adapters/ujp/code-lists/code-list-source.ts';
import { type CallerNeeds, createAuthorityCaller, type ObserveCall } from '../adapters/ujp/gateway/authority-caller.ts';
import { createAnswerRoom, type Exchange, exchangeOverHttp } from '../adapters/ujp/gateway/authority-http.ts';
import { createCommandSigner } from '../adapters/ujp/gateway/command-signer.ts';
import { createPemSigner } from '../adapters/ujp/gateway/pem-signer.ts';
import { type Converter, createConverter } from '../adapters/ujp/preparation/converter.ts';
import { createDryRun } from '../adapters/ujp/preparation/dry-run.ts';
import { createLookUpContext } from '../adapters/ujp/preparation/look-up-context.ts';
import { prepareDocument } from '../adapters/ujp/preparation/prepare-document.ts';
import { refusedReferences } from '../adapters/ujp/preparation/refused-references.ts';
import { createAuthorityProbe } from '../adapters/ujp/probe/authority-probe.ts';
import { accountChecks } from '../adapters/ujp/services/account-checks.ts';
import { type AuthorityClient, createAuthorityClient } from '../adapters/ujp/services/authority-client.ts';
import { withStatusNames } from '../adapters/ujp/services/status-names.ts';
import type { WatchAnswer } from '../adapters/ujp/shapes/watch-answers.ts';
import { prepareVoid } from '../adapters/ujp/voiding/prepare-void.ts';
import { type KeyEvent, type KeyWatch, watchKeys } from '../application/accounts/watch-keys.ts';
import type { RecordCommand } from '../application/audit/record-command.ts';
import {
  CODE_LIST_FRESH_MS,
  cachedCodeList,
  type ReadCachedCodeList,
  type RefreshCodeList,
  refreshCodeList,
} from '../application/code-lists/cached-code-list.ts';
import type { Authority } from '../application/ports/authority.ts';
import type { AuthorityProbe } from '../application/ports/authority-probe.ts';
import type { SigningCommands } from '../application/ports/credentials.ts';
import type { AuthorityDocuments } from '../application/ports/inbound/authority-documents.ts';
import type { AuthorityRegister } from '../application/ports/recovery/authority-register.ts';
import type { Signer } from '../application/ports/signer.ts';
import type { DryRun } from '../application/ports/validation/dry-run.ts';
import type { RequestKind } from '../domain/accounts/request-line.ts';
import type { AuthorityEnvironment } from '../domain/accounts/tenant.ts';
import type { CodeListType } from '../domain/values/code-list.ts';
import type { Foundation } from './foundation.ts';

const MAX_QUERY_TIMEOUT_MS = 10_000;
const SECOND_MS = 1_000;
/** Lists of a month may have 32 MiB, and sixteen be under way. Whoever finds no room asks for less, or again. */
const ANSWER_MEMORY = { totalBytes: 64 * 1_048_576, smallBytes: 1_048_576 };
/** Two hours before a list has to be refreshed: the recurring task runs every hour. */
const REFRESHED_AHEAD_MS = CODE_LIST_FRESH_MS - 2 * 3_600_000;
/** Signatures are computed on libuv's four threads; one is left to files and to names of hosts. */
const MAX_SIGNATURES_AT_ONCE = 3;

export type AuthorityConnection = {
  readonly authority: Authority;
  readonly probe: AuthorityProbe;
  readonly register: AuthorityRegister;
  readonly dryRun: DryRun;
  readonly signingCommands: SigningCommands;
  readonly keyWatch: KeyWatch;
  /** For those who cannot wait long: clients and operators at an open connection, and the end of a void. */
  readonly lists: ReadCachedCodeList;
  /** The same, for the recurring task: refreshes so early that nobody else has to wait for it. */
  readonly listsAhead: ReadCachedCodeList;
  readonly refreshList: (record: RecordCommand) => RefreshCodeList;
  /** The time of one of the authority's installations, asked for now. */
  readonly serverTime: (environment: AuthorityEnvironment) => Promise<number>;
  /** Ends whatever waits for its turn at the authority, but for requests that are on record already. */
  readonly interrupt: () => void;
  /** Ends these as well, every request that has no answer and every signing command that runs: what was sent is looked up by whoever goes on. */
  readonly cutOff: () => void;
  /** Documents in the authority's own form. */
  readonly documents: AuthorityDocuments;
  readonly close: () => Promise<void>;
};

export type AuthorityEvents = {
  /** A code list could not be refreshed. */
  readonly onStale?: (type: CodeListType, cause: unknown) => void;
  /** A signing command began to fail, fails for another cause, or works again (null). */
  readonly onSigning?: (commandName: string, cause: string | null) => void;
  readonly onKey?: (event: KeyEvent) => void;
  readonly onSignatureFailed?: NonNullable<CallerNeeds['onSignatureFailed']>;
  readonly observe?: ObserveCall;
  /** Sees every answer of the authority. */
  readonly watch?: WatchAnswer;
};

/** How requests are signed and leave the process; others where no byte may leave it. */
export type AuthorityParts = {
  readonly exchange?: Exchange;
  readonly createSigner?: (certificatePem: string, privateKeyPem: string) => Promise<Signer>;
};

type DryRunNeeds = Pick<Foundation, 'clock' | 'timers'> & {
  readonly converter: Converter;
  readonly client: AuthorityClient;
  readonly lists: ReadCachedCodeList;
};

/** Builds everything that talks to the tax authority. */
export function openAuthority(
  foundation: Foundation,
  events: AuthorityEvents = {},
  parts: AuthorityParts = {},
): AuthorityConnection {
  const { config, clock, timers, storage } = foundation;
  const { onStale = () => undefined } = events;
  const { signals, ...stop } = createStop();
  const { signingCommands, keyWatch } = openSigners(foundation, events, parts, signals.cutOff);
  const pace = createPace({ storage, clock, timers, intervalMs: config.authorityPaceMs, ...signals });
  const sendMs = config.authorityTimeoutSeconds * SECOND_MS;
  const timeouts = { sendMs, queryMs: Math.min(MAX_QUERY_TIMEOUT_MS, sendMs) };
  const signatures = createSemaphore(MAX_SIGNATURES_AT_ONCE);
  const limits = { room: createAnswerRoom(ANSWER_MEMORY), cutOff: signals.cutOff };
  const exchange = parts.exchange ?? ((request) => exchangeOverHttp(timers, request, limits));
  const needs = {
    ...events,
    urls: config.authorityUrls,
    signers: keyWatch.signers,
    signatures,
    clock,
    exchange,
    timeouts,
  };
  const clientFor = (kind: RequestKind) => createAuthorityClient({ ...needs, pace: pace[kind] });
  const [sending, waitedFor] = [clientFor('send'), clientFor('dry-run')];
  const source = createCodeListSource(clientFor('lists'));
  const cached = { storage, source, clock, onStale };
  // With requests of its own, so that a document that is to be sent does not wait for one that gives way to everything else.
  const listsForSending = cachedCodeList({ ...cached, source: createCodeListSource(sending) });
  const lists = cachedCodeList({ ...cached, source: createCodeListSource(waitedFor) });
  const probe = createAuthorityProbe({
    caller: createAuthorityCaller({ ...needs, pace: pace.lists }),
    queries: clientFor('lists'),
    clock,
  });
  const converter = createConverter({ timers });
  const documents = createAuthorityDocuments({ timers });
  const { arrivals, arrived, arrivedInAnyShape, arrivedPdf } = clientFor('collect');
  return {
    authority: {
      ...withStatusNames(sending, listsForSending, clock),
      prepare: prepareDocument({
        converter,
        lookUpContext: createLookUpContext({ queries: sending, lists: listsForSending, clock }),
      }),
      prepareVoid: prepareVoid({ queries: sending, lists: listsForSending, clock }),
      refusedReferences,
      container: clientFor('container').container,
      arrivals,
      arrived,
      arrivedInAnyShape,
      arrivedPdf,
      statusChanges: clientFor('follow').statusChanges,
      check: accountChecks({ client: clientFor('check'), clock }),
    },
    probe,
    register: clientFor('follow'),
    dryRun: openDryRun({ converter, client: waitedFor, clock, timers, lists }),
    signingCommands,
    keyWatch,
    lists,
    listsAhead: cachedCodeList({ ...cached, freshMs: REFRESHED_AHEAD_MS }),
    refreshList: (record) => refreshCodeList({ storage, source, clock, record }),
    serverTime: sending.serverTime,
    ...stop,
    documents,
    async close() {
      await converter.close();
      await documents.close();
    },
  };
}

function createStop() {
  const [stopping, cutOff] = [new AbortController(), new AbortController()];
  return {
    signals: { stopping: stopping.signal, cutOff: cutOff.signal },
    interrupt: () => stopping.abort(),
    cutOff: () => cutOff.abort(),
  };
}

/**
 * With requests and answers of its own: a delivery that shared an answer could wait for a request that gives way to the sends of
 * others.
 */
function openDryRun({ converter, client, clock, timers, lists }: DryRunNeeds): DryRun {
  const lookUpContext = createLookUpContext({ queries: client, lists, clock });
  return createDryRun({ converter, lookUpContext, timers, longestMs: MOST_WAIT_OF_DRY_RUNS_MS });
}

/** Those who sign for tenants, and a watch over whether their keys open. */
function openSigners(
  { config, clock, timers, random, storage }: Foundation,
  { onSigning = () => undefined, onKey = () => undefined }: AuthorityEvents,
  parts: AuthorityParts,
  cutOff: AbortSignal,
): Pick<AuthorityConnection, 'signingCommands' | 'keyWatch'> {
  const sealing = createKeySealing(config.credentialsKeys ?? [], random);
  const signingCommands = createSigningCommands({
    timers,
    random,
    ...config.signing,
    timeoutMs: config.signing.timeoutSeconds * SECOND_MS,
    cutOff,
    onChange: onSigning,
  });
  const signers = createSigners({
    credentials: storage.credentials,
    sealing,
    createSigner: parts.createSigner ?? createPemSigner,
    createCommandSigner: (pem, name, tenant) => createCommandSigner(pem, { name, tenant }, signingCommands),
    clock,
  });
  const keyWatch = watchKeys({
    credentials: storage.credentials,
    sealing,
    nextTurn: timers.nextTurn,
    signers,
    clock,
    report: onKey,
  });
  return { signingCommands, keyWatch };
}
