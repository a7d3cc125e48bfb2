import { RESTORED } from '../../../domain/operations/delivery-hold.ts';
import { type Command, required, UsageError } from '../../command.ts';

/** It is shown wherever the hold is. */
const MOST_OF_REASON = 200;

export const hold: Command = {
  name: 'hold',
  summary: 'Keeps all processes from sending anything until "release"; documents are taken as before.',
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
  summary:
    'Ends what "hold" began. Where nothing else is held, ends the hold after a restore, without a comparison with the authority.',
  positionals: '',
  options: {},
  async run({ deliveryHold }) {
    const { isEnded, left } = await deliveryHold.release();
    const stillHeld = left?.reason ?? null;
    return { text: releasedText(isEnded, stillHeld), json: { isReleased: isEnded && left === null, stillHeld } };
  },
};

function releasedText(isEnded: boolean, stillHeld: string | null): string {
  if (stillHeld !== null)
    return `Nothing is sent still: ${stillHeld}. "dostava reconcile --since <time of the backup>" ends that; another "release" would end it without a comparison.`;
  return isEnded ? 'Documents are sent again.' : 'Nothing was held.';
}
