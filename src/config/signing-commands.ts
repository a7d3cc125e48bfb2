import type { Variables } from './variable-reader.ts';

/** A program that signs with a key outside of this process. */
export type SigningCommand = { readonly program: string; readonly arguments: readonly string[] };

export type SigningCommandSettings = {
  /** By name; tenants name one of them. */
  readonly commands: Readonly<Record<string, SigningCommand>>;
  /** All that the commands get of the environment: nothing of ours, which holds the keys of this service. */
  readonly environment: Readonly<Record<string, string>>;
  /** For one signature, from the start of the command to its end. */
  readonly timeoutSeconds: number;
};

type Reader = {
  readonly integer: (name: string, defaultValue: number, lowest: number, highest: number) => number;
  readonly error: (text: string) => void;
};

const PREFIX = 'SIGNING_COMMAND_';
const NAME = /^[A-Z0-9][A-Z0-9_]{0,39}$/u;
/** Where programs are found and how they write; and what the operator sets for the commands alone. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR'];
const PASSED_ON_PREFIX = 'SIGNER_';

/**
 * Commands are named here and nowhere else: were they in the database, whoever can write to it could run programs on this
 * machine.
 */
export function readSigningCommands(variables: Variables, { integer, error }: Reader): SigningCommandSettings {
  const set = Object.entries(variables).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()] as const] : []));
  const commands: Record<string, SigningCommand> = {};
  for (const [variable, text] of set.filter(([name]) => name.startsWith(PREFIX))) {
    const name = variable.slice(PREFIX.length);
    const command = parseCommand(text);
    if (!NAME.test(name)) error(`${variable}: after ${PREFIX} only A to Z, digits and _ may follow`);
    else if (command !== null) commands[name] = command;
    else {
      error(
        `${variable}: must be the absolute path of a program and its arguments, separated by blanks or as a JSON list`,
      );
    }
  }
  const passedOn = set.filter(([name]) => PASSED_ON.includes(name) || name.startsWith(PASSED_ON_PREFIX));
  return Object.freeze({
    commands: Object.freeze(commands),
    environment: Object.freeze(Object.fromEntries(passedOn)),
    timeoutSeconds: integer('SIGNING_TIMEOUT_SECONDS', 15, 1, 120),
  });
}

/** No shell reads it, so there are no quotation marks: arguments with blanks need the JSON list. */
function parseCommand(text: string): SigningCommand | null {
  const words = text.startsWith('[') ? parseList(text) : text.split(/\s+/u);
  const [program, ...rest] = words;
  return program?.startsWith('/') === true ? Object.freeze({ program, arguments: Object.freeze(rest) }) : null;
}

function parseList(text: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((word) => typeof word === 'string') ? list : [];
  } catch {
    return [];
  }
}
