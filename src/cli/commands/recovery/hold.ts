import type { Released } from '../../../application/recovery/hold-delivery.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import { RESTORED } from '../../../domain/operations/delivery-hold.ts';
import { type Command, required, UsageError } from '../../command.ts';
import { showTaxpayers } from '../../values.ts';

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
    'Ends what "hold" began. Where nothing else is held, ends the hold after a restore, also of taxpayers that were not compared (or of one of them), without a comparison with the authority.',
  positionals: '',
  options: {
    tenant: { value: 'EDB', help: 'Only of this taxpayer, that was not compared when the others were.' },
  },
  async run({ deliveryHold, tenants }, given) {
    const only = given.option('tenant');
    const tenant = only === null ? null : (await tenants.find(only)).edb;
    const released = await (tenant === null ? deliveryHold.release() : deliveryHold.releaseTenant(tenant));
    const { isEnded, isWithoutComparison, left, uncompared } = released;
    const json = {
      isReleased: isEnded && left === null,
      stillHeld: left?.reason ?? null,
      isWithoutComparison,
      taxpayersReleased: released.released,
      taxpayersHeld: uncompared,
    };
    return { text: tenant === null ? releasedText(released) : tenantText(tenant, released), json };
  },
};

const RECONCILE = '"dostava reconcile --since <time of the backup>"';
const OTHER_RELEASE = 'another "release" would end it without a comparison';
const NOT_ASKED =
  'The authority was not asked what it has registered since the backup: that may be registered a second time.';

function tenantText(tenant: Edb, { isEnded, left }: Released): string {
  const others = left === null ? '' : ` Nothing is sent still: ${left.reason}.`;
  if (!isEnded) return `${tenant} is not held by itself.${others}`;
  const sent = left === null ? `Documents of ${tenant} are sent again.` : `${tenant} is not held by itself any more.`;
  return `${sent}${others} ${NOT_ASKED}`;
}

function releasedText({ isEnded, isWithoutComparison, ended, left, released, uncompared }: Released): string {
  if (!isEnded) return 'Nothing was held.';
  const named = showTaxpayers(isWithoutComparison ? released : uncompared);
  if (left !== null) {
    const apart =
      named === '' ? '' : ` So it is for taxpayers that are held by themselves after an earlier restore: ${named}.`;
    return `Nothing is sent still: ${left.reason}. ${RECONCILE} ends that; ${OTHER_RELEASE}.${apart}`;
  }
  if (isWithoutComparison) {
    if (ended === null)
      return `Documents of taxpayers that were held by themselves are sent again where they have an account: ${named}. ${NOT_ASKED}`;
    const apart =
      named === ''
        ? ''
        : ` So are those of taxpayers that were held by themselves, where they have an account: ${named}.`;
    return `Documents are sent again.${apart} ${NOT_ASKED}`;
  }
  if (named === '') return 'Documents are sent again.';
  return `Documents are sent again, but for taxpayers that were not compared when the others were, after the restore: ${named}. Nothing is sent for them until they have an account and ${RECONCILE} has compared them; ${OTHER_RELEASE}.`;
}
