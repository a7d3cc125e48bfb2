import type { Command } from '../command.ts';
import { table } from '../table.ts';

export const migrate: Command = {
  name: 'migrate',
  summary:
    'Creates the database, or brings its tables to the version of this program. So does the service when it starts.',
  mayCreate: true,
  positionals: '',
  options: {},
  async run({ migrated }) {
    const text =
      migrated.length === 0
        ? 'The tables are up to date.'
        : table(
            ['VERSION', 'APPLIED'],
            migrated.map(({ version, name }) => [version, name]),
          );
    return { text, json: { applied: migrated } };
  },
};
