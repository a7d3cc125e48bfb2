import { type Command, type OptionHelp, requiredOptions } from './command.ts';
import { COMMANDS } from './commands.ts';
import { COMPLETION_SUMMARY } from './completion/completion-script.ts';

const SERVE_SUMMARY = 'Runs the service until it is asked to stop.';
const HELP_OPTION = ['--help', 'This text.'] as const;

export function serveHelp(): string {
  return `${SERVE_SUMMARY}

Usage: dostava serve [options]

Options:
${columns([['--json', 'Prints log lines alone, in the demo environment too.'], HELP_OPTION])}`;
}

/** The commands that begin with a word; null where none does. */
export function groupHelp(word: string): string | null {
  const group = COMMANDS.filter(({ name }) => `${name} `.startsWith(`${word} `));
  if (group.length === 0) return null;
  return `Usage: dostava ${word} <command> [options]

Commands:
${columns(group.map(({ name, summary }) => [name, summary]))}

Every command takes --help.`;
}

export function generalHelp(): string {
  const lines = [
    ['serve', SERVE_SUMMARY],
    ...COMMANDS.map(({ name, summary }) => [name, summary]),
    ['completion', COMPLETION_SUMMARY],
  ];
  return `dostava: the gateway for e-invoices

Usage: dostava <command> [options]

Commands:
${columns(lines)}

Every command takes --help, and every one but completion --json, for output that programs read. --version prints the version.
Commands use the same database as the service and may run while it runs.
Configuration comes from environment variables; see docs/operating.md.`;
}

export function commandHelp(command: Command): string {
  const written = ([name, { value }]: readonly [string, OptionHelp]) =>
    value === null ? `--${name}` : `--${name} <${value}>`;
  const options = Object.entries(command.options).map((option) => [
    written(option),
    option[1].isRequired === true ? `Required. ${option[1].help}` : option[1].help,
  ]);
  const required = requiredOptions(command.options).map(written);
  const usage = ['dostava', command.name, command.positionals, ...required, '[options]'].filter((part) => part !== '');
  return `${command.summary}

Usage: ${usage.join(' ')}

Options:
${columns([...options, ['--json', 'Output for programs.'], HELP_OPTION])}`;
}

function columns(lines: readonly (readonly string[])[]): string {
  const width = Math.max(...lines.map(([left = '']) => left.length));
  return lines.map(([left = '', right = '']) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
