import { X509Certificate } from 'node:crypto';
import { ServiceStopping } from '../../application/errors/service-unavailable.ts';
import { AuthorityCallError } from '../../application/ports/authority.ts';
import type { SignatureOwner, SigningCommands } from '../../application/ports/credentials.ts';
import type { Random, Timers } from '../../application/ports/platform.ts';
import { isSignatureOf, sha256DigestInfo } from '../platform/rsa-signature.ts';
import { createSemaphore, type Semaphore } from '../threads/semaphore.ts';
import { type Command, CommandFailure, runSigningCommand } from './run-signing-command.ts';

type Needs = {
  readonly timers: Timers;
  readonly random: Random;
  readonly commands: Readonly<Record<string, Command>>;
  readonly environment: Readonly<Record<string, string>>;
  /** For the wait for a free place, and once more for the command. */
  readonly timeoutMs: number;
  /** Aborted when a stop of the service waits no longer: commands that run are ended, with what they have started. */
  readonly cutOff: AbortSignal;
  /** Called when a command begins to fail, fails for another cause, or works again (null). */
  readonly onChange: (name: string, cause: string | null) => void;
};

/** Tokens take one request after the other; a few at once let other tokens behind the same command work meanwhile. */
const MAX_AT_ONCE = 4;
const DIGEST_BYTES = 32;
/** By this exit code a command says that trying again does harm: a token locks itself after a few wrong PINs. */
const NEVER_AGAIN = 'exit 3';
const BARRED = ' (it is not started again before the service is)';
/** The same of the token of one taxpayer, where the command serves several tokens. */
const NEVER_AGAIN_FOR_TENANT = 'exit 4';
const BARRED_FOR_TENANT = ' (it is not started again for this taxpayer before the service is)';

/**
 * Signs by starting the named command once for every signature. A start costs milliseconds where the authority allows one request
 * a second, and a process that has died, hangs or lost its token needs no care: the next signature starts another one.
 */
export function createSigningCommands(needs: Needs): SigningCommands {
  const { timers, random, commands, environment, timeoutMs, cutOff, onChange } = needs;
  const permits = new Map<string, Semaphore>();
  const causes = new Map<string, string>();
  const barred = new Map<string, CommandFailure>();
  const proven = new Set<string>();

  /** One at a time until it has signed once, for each taxpayer too: several that try a wrong PIN together would lock the token. */
  function permitsOf(name: string): Semaphore {
    const known = permits.get(name) ?? createSemaphore(1);
    permits.set(name, known);
    return known;
  }

  async function runOnce(name: string, command: Command, owner: SignatureOwner, line: string): Promise<Uint8Array> {
    const failure = barred.get(name) ?? barred.get(forTenant(name, owner));
    if (failure !== undefined) throw failure;
    const own = { ...environment, SIGNER_TENANT: owner.tenant, SIGNER_SERIAL_NUMBER: owner.serialNumber };
    try {
      return await runSigningCommand(timers, { ...command, environment: own, timeoutMs, cutOff }, line);
    } catch (error) {
      // While the permit is held: the next one must know it before it starts.
      if (error instanceof CommandFailure) bar(name, owner, error);
      throw error;
    }
  }

  function bar(name: string, owner: SignatureOwner, { kind, message }: CommandFailure): void {
    if (kind === NEVER_AGAIN) barred.set(name, new CommandFailure(kind, `${message}${BARRED}`));
    if (kind !== NEVER_AGAIN_FOR_TENANT) return;
    barred.set(forTenant(name, owner), new CommandFailure(kind, `${message}${BARRED_FOR_TENANT}`));
  }

  function noteSuccess(name: string, owner: SignatureOwner): void {
    for (const one of [name, forTenant(name, owner)]) {
      if (!proven.has(one)) permits.set(one, createSemaphore(MAX_AT_ONCE));
      proven.add(one);
    }
    note(name, null, null);
  }

  /** Told once for each change, not for every document. */
  function note(name: string, kind: string | null, cause: string | null): void {
    if ((causes.get(name) ?? null) === kind) return;
    if (kind === null) causes.delete(name);
    else causes.set(name, kind);
    onChange(name, cause);
  }

  const sign: SigningCommands['sign'] = async (name, owner, digestInfo) => {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    const waiting = new AbortController();
    const timer = timers.after(timeoutMs, () => waiting.abort(), { keepsProcess: false });
    try {
      if (command === undefined) throw new CommandFailure('missing', 'SIGNING_COMMAND has none of this name');
      const line = Buffer.from(digestInfo).toString('base64');
      const run = () => runOnce(name, command, owner, line);
      const signal = AbortSignal.any([waiting.signal, cutOff]);
      // Always the taxpayer's first, so that no two wait for each other.
      const inTurn = () => permitsOf(name).run(owner.tenant, run, signal);
      const signature = await permitsOf(forTenant(name, owner)).run(owner.tenant, inTurn, signal);
      noteSuccess(name, owner);
      return signature;
    } catch (error) {
      // It says nothing about the command, nor about the account.
      if (cutOff.aborted) throw new ServiceStopping();
      const failure = failureOf(error);
      // What concerns one taxpayer is no change for the others, for whom it goes on signing.
      const concerned = failure.kind === NEVER_AGAIN_FOR_TENANT ? forTenant(name, owner) : name;
      note(concerned, failure.kind, failure.message);
      const sentence = `The signing command ${name} did not sign: ${failure.message}`;
      throw new AuthorityCallError(sentence, { kind: 'signing', cause: error });
    } finally {
      timer.cancel();
    }
  };

  return {
    names: Object.keys(commands),
    sign,
    async tryOut(name, owner) {
      const digestInfo = sha256DigestInfo(random.bytes(DIGEST_BYTES));
      const signature = await sign(name, owner, digestInfo);
      return { belongsTo: ({ pem }) => isSignatureOf(new X509Certificate(pem).publicKey, digestInfo, signature) };
    },
  };
}

function forTenant(name: string, { tenant }: SignatureOwner): string {
  return `${name} for ${tenant}`;
}

/** Whatever it is, it happened here: it must not count as the authority's refusal of the account. */
function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof DOMException) return new CommandFailure('busy', 'too many documents wait for it');
  return new CommandFailure('start', `it could not be started (${error instanceof Error ? error.message : error})`);
}
