import type { Command } from '../../command.ts';

export const credentialsReseal: Command = {
  name: 'credentials reseal',
  summary:
    'Encrypts all private keys with the first key of CREDENTIALS_KEY, so that the others can be removed from it.',
  positionals: '',
  options: {},
  async run(operator) {
    const done = await operator.resealCredentials();
    const { resealed, current, unopened } = done;
    const isComplete = unopened.length === 0;
    const text = [
      `${resealed} private keys were sealed anew, ${current} were sealed with the current key already.`,
      ...unopened.map(({ reason }) => reason),
      isComplete
        ? 'The other keys of CREDENTIALS_KEY are no longer needed.'
        : 'Keep the other keys of CREDENTIALS_KEY: not every private key could be opened.',
    ];
    return { text: text.join('\n'), json: done, isFailure: !isComplete };
  },
};
