import type { DatabaseTools } from './database-tools.ts';
import type { Operator } from './operator.ts';
import type { OutputText } from './screen/output-text.ts';

/** The result of a command, for people and for programs. */
export type Output = {
  readonly text: OutputText;
  readonly json: unknown;
  /** The command ran, but what it checked is not in order. */
  readonly isFailure?: boolean;
  /** The command did what it should, and what it worked on is damaged. */
  readonly isDamaged?: boolean;
};

export type OptionHelp = {
  readonly value: string | null;
  readonly help: string;
  /** The command cannot do without it. */
  readonly isRequired?: true;
};

export type Arguments = {
  /** The value of an option that may be given once. */
  readonly option: (name: string) => string | null;
  readonly options: (name: string) => readonly string[];
  /** None of them is blank, and no value of an option. */
  readonly positionals: readonly string[];
};

/** Prints a line of progress. */
export type Report = (line: string) => void;

type Description = {
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name, for example `<docUid>`. */
  readonly positionals: string;
  readonly options: Readonly<Record<string, OptionHelp>>;
};

/** Works on the database of the service. */
type OperatorCommand = Description & {
  /** The command may create the database. All others refuse one that is not there: it would be an empty one. */
  readonly mayCreate?: true;
  readonly run: (operator: Operator, given: Arguments, report: Report) => Promise<Output>;
};

/** Works on whole databases or files, which the tools open themselves. */
type ToolCommand = Description & {
  readonly runTool: (databaseTools: DatabaseTools, given: Arguments, report: Report) => Promise<Output>;
};

export type Command = OperatorCommand | ToolCommand;

/** Wrong or missing arguments. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An option that is marked as required, or that another one makes so. */
export function required(given: Arguments, name: string): string {
  const value = given.option(name);
  if (value === null) throw new UsageError(`--${name} is missing.`);
  return value;
}

export function requiredOptions(options: Command['options']): readonly (readonly [string, OptionHelp])[] {
  return Object.entries(options).filter(([, { isRequired }]) => isRequired === true);
}

export function onePositional(given: Arguments, name: string): string {
  const [value] = given.positionals;
  if (value === undefined) throw new UsageError(`<${name}> is missing.`);
  return value;
}
