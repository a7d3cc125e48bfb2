import type { Command } from '../command.ts';
import { table } from '../table.ts';

export const migrate: Command = {
  name: 'migrate',
  summary: 'Brings the tables to the version of this program. The service does this too when it starts.',
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
