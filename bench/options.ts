import { parseArgs } from 'node:util';
import { SETTINGS, type Settings } from './settings.ts';

export const USAGE = `Measures the service against baselines in the same run, and prints one table.

Usage: npm run bench -- [options]

  --quick            a short look: under two minutes on two idle cores; less of everything, and of PostgreSQL least
  --large            lists of ten million documents instead of one million (30 GB of disk for SQLite, more for PostgreSQL)
  --only <pattern>   scenarios whose name matches this regular expression, without regard to case
  --list             the names of the scenarios, and nothing else
  --json <file>      writes all figures there too
  --check            compares ratios with bench/expected-ratios.json; ends with 1 when one is beyond its range
  --write-expected   writes the ratios of this run there
  --write-page       writes the table into docs/performance.md
  --help             show this text

A ratio is how many times as long, or as much, as the baseline. Ctrl-C stops, and prints what was measured until then.
`;

export type Options = {
  readonly settings: Settings;
  readonly isWanted: (name: string) => boolean;
  readonly lists: boolean;
  readonly json: string | null;
  readonly checks: boolean;
  readonly writesExpected: boolean;
  readonly writesPage: boolean;
};

/** Null where help is asked for. Throws where the arguments cannot be understood. */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      large: { type: 'boolean', default: false },
      only: { type: 'string' },
      list: { type: 'boolean', default: false },
      json: { type: 'string' },
      check: { type: 'boolean', default: false },
      'write-expected': { type: 'boolean', default: false },
      'write-page': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  if (values.quick && values.large) throw new Error('--quick and --large exclude each other.');
  const pattern = new RegExp(values.only ?? '', 'iu');
  return {
    settings: SETTINGS[values.quick ? 'quick' : values.large ? 'large' : 'full'],
    isWanted: (name) => pattern.test(name),
    lists: values.list,
    json: values.json ?? null,
    checks: values.check,
    writesExpected: values['write-expected'],
    writesPage: values['write-page'],
  };
}
