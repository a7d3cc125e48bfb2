import { describedVariable } from './variable-catalogue.ts';

const HIDDEN = '(set)';

/** The variables of the service that are set, for its log; of secrets only that they are. */
export function shownVariables(
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables).toSorted()) {
    const described = describedVariable(name);
    if (described === null || value === undefined || value === '') continue;
    shown[name] = described.isSecret === true ? HIDDEN : value;
  }
  return shown;
}
