import { parseArgs } from 'node:util';
import type { SimulatorOptions } from './simulator.ts';
import { RULE_VALUES } from './unpublished-rules.ts';

export const USAGE = `Simulator of the tax authority's e-invoice gateway.

Usage: node simulator/main.ts [options]

  --host <address>         address to listen on (default 127.0.0.1)
  --port <number>          port to listen on, 0 for any free one (default 8090)
  --state <file>           keep the state in this file, and load it at the next start
  --unpaced                allow more than one request a second per user
  --auto-accept <seconds>  after which a document without a decision of the buyer
                           counts as accepted (default 432000, 5 days)
  --lose-answers <share>   share of sends whose answer is lost, from 0 to 1
  --seed <number>          seed of the random choice of lost answers (default 1)
  --tolerance <amount>     by how much an amount may differ from its formula (default 0.01)
  --references <rule>      of types served without references: accepted (default), refused
  --same-day <rule>        references of the document's day: accepted, refused (default)
  --containers <rule>      requests for containers are signed, unsigned or both (default)
  --outage                 start in an outage: HTTP 502 and an HTML page for every call
  --help                   show this text

Stops on SIGINT or SIGTERM.
`;

/** Null for `--help`. Throws an error that says what is wrong with the arguments. */
export function readOptions(args: readonly string[]): SimulatorOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '8090' },
      state: { type: 'string' },
      unpaced: { type: 'boolean', default: false },
      'auto-accept': { type: 'string', default: '432000' },
      'lose-answers': { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      tolerance: { type: 'string', default: '0.01' },
      references: { type: 'string', default: 'accepted' },
      'same-day': { type: 'string', default: 'refused' },
      containers: { type: 'string', default: 'both' },
      outage: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const whole = /^\d{1,9}$/u;
  const loseAnswers = numberOf('lose-answers', values['lose-answers'], /^(?:0?\.\d+|[01])$/u, 1);
  return {
    host: values.host,
    port: numberOf('port', values.port, /^\d{1,5}$/u, 65_535),
    paced: !values.unpaced,
    ...(values.state === undefined ? {} : { stateFile: values.state }),
    autoAcceptMs: numberOf('auto-accept', values['auto-accept'], whole) * 1_000,
    faults: { loseAnswers, seed: numberOf('seed', values.seed, whole) },
    rules: {
      tolerance: numberOf('tolerance', values.tolerance, /^\d+(?:\.\d{1,6})?$/u, RULE_VALUES.tolerance),
      undeclaredReferences: choiceOf('references', values.references, RULE_VALUES.undeclaredReferences),
      sameDayReferences: choiceOf('same-day', values['same-day'], RULE_VALUES.sameDayReferences),
      containerRequests: choiceOf('containers', values.containers, RULE_VALUES.containerRequests),
    },
    startInOutage: values.outage,
  };
}

function numberOf(option: string, text: string, pattern: RegExp, most = Number.MAX_SAFE_INTEGER): number {
  const number = pattern.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  const range = most === Number.MAX_SAFE_INTEGER ? 'a whole number' : `a number from 0 to ${most}`;
  throw new Error(`--${option} must be ${range}, not '${text}'.`);
}

function choiceOf<Choice extends string>(option: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((one) => one === text);
  if (choice !== undefined) return choice;
  throw new Error(`--${option} must be one of ${choices.join(', ')}, not '${text}'.`);
}
