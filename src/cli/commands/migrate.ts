import type { Command, Output } from '../command.ts';
import type { Operator } from '../operator.ts';
import { table } from '../table.ts';

export const init: Command = {
  name: 'init',
  summary:
    'Makes the database. In production the service does not start without one: an empty place is more often the wrong one, or a disk that is missing.',
  mayCreate: true,
  positionals: '',
  options: {},
  run: async (operator) => applied(operator, 'There is a database already.'),
};

export const migrate: Command = {
  name: 'migrate',
  summary: 'Brings the tables of the database to the version of this program. So does the service when it starts.',
  positionals: '',
  options: {},
  run: async (operator) => applied(operator, 'The tables are up to date.'),
};

/** What was done when the database was opened. */
function applied({ migrated }: Operator, ifNothing: string): Output {
  const rows = migrated.map(({ version, name }) => [version, name]);
  const text = rows.length === 0 ? ifNothing : table(['VERSION', 'APPLIED'], rows);
  return { text, json: { applied: migrated } };
}
