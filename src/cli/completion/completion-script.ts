import type { Command } from '../command.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export const COMPLETION_SUMMARY = 'Prints a script that completes commands and options in bash, zsh or fish.';

/** What may follow the words that were typed. */
type Step = { readonly after: string; readonly next: readonly string[]; readonly isRepeated: boolean };

const OF_EVERY_COMMAND = ['--json', '--help'];

/** A script for a shell, made from the catalogue of commands, for example `source <(dostava completion bash)`. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  return SCRIPTS[shell](steps(commands));
}

function steps(commands: readonly Command[]): readonly Step[] {
  const names = ['serve', ...commands.map(({ name }) => name)];
  const first = [...new Set(names.map((name) => name.split(' ', 1)[0] ?? ''))];
  const below = (word: string) =>
    names.filter((name) => name.startsWith(`${word} `)).map((name) => name.slice(word.length + 1));
  const groups = first.filter((word) => below(word).length > 0);
  const optionsOf = ({ options }: Command) => [...Object.keys(options).map((name) => `--${name}`), ...OF_EVERY_COMMAND];
  const own = (word: string) => commands.filter(({ name }) => name === word).flatMap(optionsOf);
  return [
    { after: '', next: [...first, 'completion', '--help', '--version'], isRepeated: false },
    { after: 'completion', next: SHELLS, isRepeated: false },
    { after: 'serve', next: OF_EVERY_COMMAND, isRepeated: true },
    ...groups.map((word) => ({ after: word, next: [...below(word), ...own(word)], isRepeated: false })),
    // The longest first: `audit verify` before `audit`.
    ...commands
      .toSorted((a, b) => b.name.length - a.name.length)
      .map((command) => ({ after: command.name, next: optionsOf(command), isRepeated: true })),
  ];
}

const SCRIPTS: Readonly<Record<Shell, (all: readonly Step[]) => string>> = {
  bash: (all) => `_dostava() {
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" next=""
  case "$typed" in
${cases(all, (next) => `next="${next.join(' ')}"`)}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _dostava dostava`,
  zsh: (all) => `#compdef dostava
_dostava() {
  local typed="\${words[2,CURRENT-1]}"
  local -a next
  case "$typed" in
${cases(all, (next) => `next=(${next.join(' ')})`)}
  esac
  compadd -- $next
  _files
}
compdef _dostava dostava`,
  fish: (all) => `function __dostava_next
  set -l typed (commandline -opc)
  set -e typed[1]
  switch "$typed"
${all
  .map(({ after, next, isRepeated }) => {
    const patterns = isRepeated ? `'${after}' '${after} *'` : `'${after}'`;
    return `    case ${patterns}\n      printf '%s\\n' ${next.join(' ')}`;
  })
  .join('\n')}
  end
end
complete -c dostava -a '(__dostava_next)'`,
};

function cases(all: readonly Step[], set: (next: readonly string[]) => string): string {
  return all
    .map(({ after, next, isRepeated }) => {
      const pattern = isRepeated ? `"${after}"|"${after} "*` : `"${after}"`;
      return `    ${pattern}) ${set(next)} ;;`;
    })
    .join('\n');
}
