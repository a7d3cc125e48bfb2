import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { OperatorError } from '../application/errors/operator-error.ts';

type Streams = {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
};

/** Questions go to standard error: standard output is for results. */
const TERMINAL: Streams = { input: process.stdin, output: process.stderr };

/** Asks for a line that is not shown as it is typed. `instead` says what to do where there is nobody to ask. */
export async function askSecret(question: string, instead: string, streams = TERMINAL): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const answer = await ask(question, instead, streams, hidden);
  // A password may be empty; whoever breaks off has not given that one.
  if (answer === null) throw new OperatorError('refused', 'Nothing was entered.');
  return answer;
}

/** Whether the answer is yes. */
export async function askYes(question: string, instead: string, streams = TERMINAL): Promise<boolean> {
  const answer = await ask(`${question} [yes/no] `, instead, streams, streams.output);
  return answer?.trim().toLowerCase() === 'yes';
}

/** Null where the question was broken off. */
async function ask(
  question: string,
  instead: string,
  { input, output }: Streams,
  echo: NodeJS.WritableStream,
): Promise<string | null> {
  if (input.isTTY !== true) throw new OperatorError('refused', `There is no terminal to ask at. ${instead}`);
  output.write(question);
  const lines = createInterface({ input, output: echo, terminal: true });
  try {
    return await new Promise((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(null));
    });
  } finally {
    lines.close();
    output.write('\n');
  }
}
