import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { type Arguments, type Command, requiredOptions, UsageError } from './command.ts';

type GivenOption = {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
};

/** Reads the words after the name of a command. What can be seen to be wrong with them without knowing the command closer is told here, before anything is opened. */
export function parseArguments(command: Command, words: readonly string[]): Arguments {
  const known = parserOptions(command);
  // Strict, it would end with messages of its own, which speak of positional arguments also where a command has none.
  const { tokens, positionals } = parseArgs({
    args: [...words],
    options: known,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const given = tokens.filter((token) => token.kind === 'option');
  for (const option of given) refuseWrong(option, known);
  if (positionals.some(isBlank)) throw new UsageError('An argument is blank.');
  const options = (name: string) => given.flatMap((option) => (option.name === name ? (option.value ?? 'true') : []));
  refuseMissing(command, { positionals, options });
  return {
    positionals,
    options,
    option(name) {
      const values = options(name);
      if (values.length > 1) throw new UsageError(`--${name} may be given once.`);
      return values[0] ?? null;
    },
  };
}

function parserOptions(command: Command): ParseArgsOptionsConfig {
  const own = Object.entries(command.options).map(
    ([name, { value }]) => [name, { type: value === null ? 'boolean' : 'string' }] as const,
  );
  return { ...Object.fromEntries(own), json: { type: 'boolean' } };
}

function refuseWrong({ name, rawName, value, inlineValue }: GivenOption, known: ParseArgsOptionsConfig): void {
  if (!Object.hasOwn(known, name) || rawName !== `--${name}`) throw new UsageError(`There is no option ${rawName}.`);
  if (known[name]?.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`--${name} takes no value.`);
    return;
  }
  if (value === undefined) throw new UsageError(`--${name} has no value.`);
  // Usually a variable of the shell that is not set: taken as it is, it would find nothing, or set nothing, without a word.
  if (isBlank(value)) throw new UsageError(`--${name} is blank.`);
  if (inlineValue === false && value.startsWith('-'))
    throw new UsageError(`--${name} has no value; one that begins with a hyphen is written --${name}=${value}.`);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Arguments as the help shows them: `<needed>`, `[not needed]`, and `…` after what may be repeated. */
const SHOWN = /(?:<[^<>]+>|\[[^[\]]+\])…?/gu;

/** All that is missing is named at once. */
function refuseMissing({ positionals, options }: Command, given: Pick<Arguments, 'positionals' | 'options'>): void {
  const shown = positionals.match(SHOWN) ?? [];
  const most = shown.some((part) => part.endsWith('…')) ? Number.POSITIVE_INFINITY : shown.length;
  if (given.positionals.length > most) throw new UsageError(`Unexpected argument: "${given.positionals[most]}".`);
  const needed = shown.filter((part) => part.startsWith('<')).map((part) => part.replace('…', ''));
  const missing = [
    ...needed.slice(given.positionals.length),
    ...requiredOptions(options).flatMap(([name]) => (given.options(name).length === 0 ? `--${name}` : [])),
  ];
  if (missing.length > 0)
    throw new UsageError(`${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing.`);
}
