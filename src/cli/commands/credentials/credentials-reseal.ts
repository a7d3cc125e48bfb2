import { counted } from '../../../domain/messages/message.ts';
import type { Command } from '../../command.ts';
import { progressLines } from '../../progress-lines.ts';

export const credentialsReseal: Command = {
  name: 'credentials reseal',
  summary:
    'Encrypts all private keys with the first key of CREDENTIALS_KEY, so that the others can be removed from it.',
  positionals: '',
  options: {},
  async run(operator, _given, report) {
    const show = progressLines(report, operator.timers);
    const done = await operator.resealCredentials((sealed, total) =>
      show({ act: 'sealing', what: 'private keys', done: sealed, total, unit: 'keys' }),
    );
    const { resealed, current, unopened } = done;
    const isComplete = unopened.length === 0;
    const text = [
      `${counted(resealed, 'private key was', 'private keys were')} sealed anew, ${counted(current, 'was', 'were')} sealed with the current key already.`,
      ...unopened.map(({ reason }) => reason),
      isComplete
        ? 'The other keys of CREDENTIALS_KEY are no longer needed.'
        : 'Keep the other keys of CREDENTIALS_KEY: not every private key could be opened.',
    ];
    return { text: text.join('\n'), json: done, isFailure: !isComplete };
  },
};
