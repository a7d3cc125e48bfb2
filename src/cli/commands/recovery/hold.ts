import { RESTORED } from '../../../application/recovery/hold-delivery.ts';
import { type Command, required, UsageError } from '../../command.ts';

/** It is shown wherever the hold is. */
const MOST_OF_REASON = 200;

export const hold: Command = {
  name: 'hold',
  summary: 'Keeps all processes from sending anything until "release" or "reconcile"; documents are taken as before.',
  positionals: '',
  options: {
    restored: { value: null, help: 'PostgreSQL was restored from a dump: say so before the service starts on it.' },
    reason: { value: 'text', help: 'Why, for whoever looks.' },
  },
  async run({ deliveryHold }, given) {
    const isRestored = given.option('restored') !== null;
    if (isRestored === (given.option('reason') !== null)) throw new UsageError('Give --restored or --reason.');
    if ((given.option('reason') ?? '').length > MOST_OF_REASON)
      throw new UsageError(`--reason has at most ${MOST_OF_REASON} characters.`);
    const { reason, since } = await deliveryHold.hold(isRestored ? RESTORED : required(given, 'reason'));
    return { text: `Nothing is sent from now on: ${reason}.`, json: { reason, since: new Date(since).toISOString() } };
  },
};

export const release: Command = {
  name: 'release',
  summary: 'Ends what "hold" or a restore began, without a comparison with the authority.',
  positionals: '',
  options: {},
  async run({ deliveryHold }) {
    const isReleased = await deliveryHold.release();
    return { text: isReleased ? 'Documents are sent again.' : 'Nothing was held.', json: { isReleased } };
  },
};
