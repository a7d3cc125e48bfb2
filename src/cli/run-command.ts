import { OperatorError } from '../application/errors/operator-error.ts';
import { type Arguments, type Command, type Output, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { COMPLETION_SUMMARY, completionScript, SHELLS } from './completion/completion-script.ts';
import type { DatabaseTools } from './database-tools.ts';
import { commandHelp, generalHelp, groupHelp, serveHelp } from './help.ts';
import type { Operator } from './operator.ts';
import { messageWithHint } from './option-hints.ts';
import { parseArguments } from './parse-arguments.ts';
import { jsonText, stillText } from './screen/json-text.ts';
import { outputText } from './screen/output-text.ts';
import type { Screen } from './screen/screen.ts';

export const EXIT = { done: 0, failed: 1, usage: 2, notFound: 3, damaged: 4 } as const;

const INDENTATION = 2;
const JSON_OPTION = '--json';

export type Terminal = {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  readonly screen: Screen;
};

type Needs = {
  readonly terminal: Terminal;
  /** Opens the database for the command and closes it afterwards. One that is not there is created only with `mayCreate`. */
  readonly withOperator: <Result>(
    work: (operator: Operator) => Promise<Result>,
    options: { readonly mayCreate: boolean },
  ) => Promise<Result>;
  readonly databaseTools: DatabaseTools;
  readonly serve: (options: { readonly asJson: boolean }) => Promise<number>;
  readonly version: () => string;
};

/** Runs one command line and returns its exit code. Results go to standard output, errors and progress to standard error. */
export async function runCommand(given: readonly string[], all: Needs): Promise<number> {
  const terminal: Terminal = { ...all.terminal, error: (text) => all.terminal.error(stillText(text)) };
  const needs: Needs = { ...all, terminal };
  const asJson = given.includes(JSON_OPTION);
  const words = withoutJsonBeforeArguments(given);
  const wantsHelp = words.includes('--help') || words.includes('-h');
  if (words[0] === 'serve') return runService(words.slice(1), { wantsHelp, asJson }, needs);
  if (words[0] === '--version' && words.slice(1).every((word) => word === JSON_OPTION)) {
    const version = needs.version();
    terminal.out(asJson ? jsonText({ version }, INDENTATION) : `dostava ${version}`);
    return EXIT.done;
  }
  if (words[0] === 'completion') return printCompletion(words.slice(1), { wantsHelp, asJson }, terminal);
  const command = COMMANDS.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  if (command === undefined) return reportUnknownCommand(words, { wantsHelp, asJson }, terminal);
  if (wantsHelp) {
    terminal.out(commandHelp(command));
    return EXIT.done;
  }
  try {
    const read = parseArguments(command, words.slice(command.name.split(' ').length));
    const output = await execute(command, read, asJson, needs);
    terminal.out(asJson ? jsonText(output.json, INDENTATION) : outputText(output.text, terminal.screen));
    if (output.isDamaged === true) return EXIT.damaged;
    return output.isFailure === true ? EXIT.failed : EXIT.done;
  } catch (error) {
    return reportError(error, command, asJson, terminal);
  }
}

/** Of every command, so that it may stand before or within its name, however often. Behind the other words it could be taken for the value of the last one. */
function withoutJsonBeforeArguments(given: readonly string[]): readonly string[] {
  const [, second = given.length] = given.flatMap((word, index) => (word === JSON_OPTION ? [] : index));
  return given.filter((word, index) => word !== JSON_OPTION || index > second);
}

type Wishes = { readonly wantsHelp: boolean; readonly asJson: boolean };

async function runService(
  words: readonly string[],
  { wantsHelp, asJson }: Wishes,
  { terminal, serve }: Needs,
): Promise<number> {
  if (wantsHelp) {
    terminal.out(serveHelp());
    return EXIT.done;
  }
  const unexpected = words.find((word) => word !== JSON_OPTION);
  if (unexpected === undefined) return serve({ asJson });
  const message = `Unexpected argument: "${unexpected}".`;
  terminal.error(asJson ? jsonError(message) : `${message}\n\n${serveHelp()}`);
  return EXIT.usage;
}

function execute(command: Command, given: Arguments, asJson: boolean, needs: Needs): Promise<Output> {
  const { terminal, withOperator, databaseTools } = needs;
  // Programs that read JSON need no progress.
  const report = asJson ? () => undefined : terminal.error;
  return 'runTool' in command
    ? command.runTool(databaseTools, given, report)
    : withOperator((operator) => command.run(operator, given, report), { mayCreate: command.mayCreate === true });
}

function reportUnknownCommand(words: readonly string[], { wantsHelp, asJson }: Wishes, terminal: Terminal): number {
  const [word = ''] = words;
  const help = groupHelp(word) ?? generalHelp();
  const named = words.filter((part) => part !== JSON_OPTION);
  const unknown = `There is no command "${named.join(' ')}".`;
  const isHelpRequest = wantsHelp || named.length === 0 || word === 'help';
  if (isHelpRequest) terminal.out(help);
  // Whoever names a group alone wants to know what is in it.
  else if (!asJson && words.length === 1 && groupHelp(word) !== null) terminal.error(help);
  else terminal.error(asJson ? jsonError(unknown) : `${unknown}\n\n${help}`);
  return isHelpRequest ? EXIT.done : EXIT.usage;
}

/** A script for a shell is no JSON. */
function printCompletion(
  [given, ...more]: readonly string[],
  { wantsHelp, asJson }: Wishes,
  terminal: Terminal,
): number {
  const shell = asJson || more.length > 0 ? undefined : SHELLS.find((known) => known === given);
  const usage = `${COMPLETION_SUMMARY}\n\nUsage: dostava completion ${SHELLS.join('|')}`;
  if (wantsHelp) terminal.out(usage);
  else if (shell === undefined) terminal.error(usage);
  else terminal.out(completionScript(shell, COMMANDS));
  return wantsHelp || shell !== undefined ? EXIT.done : EXIT.usage;
}

function reportError(error: unknown, command: Command, asJson: boolean, terminal: Terminal): number {
  if (error instanceof UsageError) {
    terminal.error(asJson ? jsonError(error.message) : `${error.message}\n\n${commandHelp(command)}`);
    return EXIT.usage;
  }
  if (!(error instanceof Error)) throw error;
  const message = messageWithHint(error);
  terminal.error(asJson ? jsonError(message) : message);
  return error instanceof OperatorError && error.kind === 'not-found' ? EXIT.notFound : EXIT.failed;
}

export function jsonError(message: string): string {
  return jsonText({ error: message });
}
