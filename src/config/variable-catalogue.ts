import { DELIVERY_VARIABLES } from './variables/delivery-variables.ts';
import { DEMO_VARIABLES } from './variables/demo-variables.ts';
import type { DescribedVariable, VariableGroup } from './variables/described-variable.ts';
import { LIMIT_VARIABLES } from './variables/limit-variables.ts';
import { PROCESS_VARIABLES } from './variables/process-variables.ts';
import { REQUIRED_VARIABLES } from './variables/required-variables.ts';
import { SIGNING_VARIABLES } from './variables/signing-variables.ts';
import { STORAGE_VARIABLES } from './variables/storage-variables.ts';
import { TRACE_VARIABLES } from './variables/trace-variables.ts';

/**
 * All environment variables, as the operator is told of them: the tables of docs/operating.md and deploy/example.env are made
 * from here. A test holds it to what the configuration reads, in both directions.
 */
export const VARIABLE_CATALOGUE: readonly VariableGroup[] = [
  REQUIRED_VARIABLES,
  PROCESS_VARIABLES,
  STORAGE_VARIABLES,
  LIMIT_VARIABLES,
  DELIVERY_VARIABLES,
  SIGNING_VARIABLES,
  TRACE_VARIABLES,
  DEMO_VARIABLES,
];

export const ALL_VARIABLES: readonly DescribedVariable[] = VARIABLE_CATALOGUE.flatMap(({ variables }) => variables);

/** What stands for the part of a name that the operator chooses. */
const CHOSEN = '<NAME>';

/** The variable of the catalogue that a name is, also as one of a family; null for a name that is not ours. */
export function describedVariable(name: string): DescribedVariable | null {
  return (
    ALL_VARIABLES.find((one) =>
      one.name.endsWith(CHOSEN) ? name.startsWith(one.name.slice(0, -CHOSEN.length)) : one.name === name,
    ) ?? null
  );
}
