import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { createAddressList } from '../../adapters/credentials/address-list.ts';
import { createPasswordHashing } from '../../adapters/credentials/password-hashing.ts';
import { createAddressLimiter } from '../../adapters/limits/address-limiter.ts';
import { systemHasher } from '../../adapters/platform/platform.ts';
import { commandEntry } from '../../application/audit/record-command.ts';
import { announceProcess } from '../../application/operations/announce-process.ts';
import { type ConsoleEntry, operatorSessions } from '../../application/operators/operator-sessions.ts';
import { isLoopback } from '../../config/is-loopback.ts';
import { createConsole, isForConsole } from '../../console/console.ts';
import { consoleView } from '../../console/pages/view.ts';
import { signingIn } from '../../console/routes/signing-in.ts';
import type { Visit } from '../../console/visit.ts';
import { randomUuid } from '../../domain/values/random-values.ts';
import { createCallerAddress } from '../../http/requests/caller-address.ts';
import { packageVersion } from '../states/package-version.ts';
import { consoleRoutes, type RouteNeeds } from './console-routes.ts';

/** From one network, and for one name: more than a person mistypes, far fewer than guessing takes. */
const ATTEMPTS_PER_MINUTE = { network: 20, name: 6 } as const;

export type OpenConsole = {
  /** Answers what is for the console, and returns whether it is. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly close: () => Promise<void>;
};

/** The operators' console, on the port of health and metrics. */
export function openConsole(needs: Omit<RouteNeeds, 'entryOf' | 'viewOf'>): OpenConsole {
  const { foundation, log } = needs;
  const { config, clock, timers, random, storage } = foundation;
  const newId = () => randomUuid(random);
  const addresses = createAddressList();
  const isTrustedProxy = (address: string) => addresses.includes(config.trustedProxies, address);
  const callerAddress = createCallerAddress({
    timers,
    isTrustedProxy,
    onUnreadable: (count) =>
      log.warn({ count }, 'a proxy named callers of the console by something that is no address'),
  });
  const entryOf: ConsoleEntry = ({ name, address }, command) =>
    commandEntry({ operator: name, clock, newId, from: { method: 'CONSOLE', address } })(command);
  const sessions = operatorSessions({
    storage,
    passwords: createPasswordHashing(random),
    attempts: {
      byNetwork: createAddressLimiter(clock, ATTEMPTS_PER_MINUTE.network),
      byName: createAddressLimiter(clock, ATTEMPTS_PER_MINUTE.name),
    },
    random,
    hasher: systemHasher,
    clock,
    entryOf,
  });
  const viewOf = (visit: Visit) => consoleView(visit, clock.now(), config.environment === 'demo');
  const report = (error: unknown) => {
    const eventId = newId();
    log.error({ err: error, eventId }, 'the console failed unexpectedly');
    return eventId;
  };
  const serve = createConsole({
    sessions,
    routes: [...signingIn({ sessions, viewOf }), ...consoleRoutes({ ...needs, entryOf, viewOf })],
    viewOf,
    isLoopback,
    isTrustedProxy,
    addressOf: (request) => callerAddress(request).address ?? 'unknown',
    report,
  });
  const process = { id: newId(), role: config.role, version: packageVersion(), host: hostname() };
  const announced = announceProcess({ storage, clock, timers }, process);
  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    if (!isForConsole(request.url ?? '')) return false;
    serve(request, response).catch((error: unknown) => {
      report(error);
      response.destroy();
    });
    return true;
  }
  return { answer, close: announced.stop };
}
