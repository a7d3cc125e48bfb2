import type { StoreEnvironment } from '../ports/store-environment.ts';
import { OperatorError } from './operator-error.ts';

/** Refuses what belongs to the other environment; `owner` is null where nobody has claimed it. */
export function refuseOtherEnvironment(
  what: string,
  owner: StoreEnvironment | null,
  environment: StoreEnvironment,
): void {
  if (owner === null || owner === environment) return;
  const byDefault = environment === 'demo' ? ' unless it is set' : '';
  throw new OperatorError(
    'refused',
    `${what} belongs to the environment ${owner}, and ENVIRONMENT is ${environment}${byDefault}.`,
  );
}
