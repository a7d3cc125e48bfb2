import type { Clock } from '../../src/application/ports/platform.ts';
import type { CallInit, Variables } from '../support/process.ts';
import { as, startTestService, WITH_BACKGROUND } from '../support/service.ts';

export type ServiceHere = {
  readonly call: (key: string, path: string, init?: CallInit) => Promise<Response>;
  readonly stop: () => Promise<void>;
};

/** A test, or the whole file. */
type Scope = { readonly after: (stop: () => Promise<void>) => void };

/** The service in this process, on the database that the variables name; it stops at the end of its scope at the latest. */
export async function serviceHere(scope: Scope, variables: Variables, clock?: Clock): Promise<ServiceHere> {
  const service = await startTestService({
    variables: WITH_BACKGROUND,
    database: variables,
    ...(clock === undefined ? {} : { clock }),
  });
  let stopping: Promise<void> | null = null;
  const stop = () => {
    stopping ??= service.stop();
    return stopping;
  };
  scope.after(stop);
  return {
    call: (key, path, { headers, ...init } = {}) =>
      fetch(`${service.api}${path}`, { ...init, headers: as(key, headers) }),
    stop,
  };
}
