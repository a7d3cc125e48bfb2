import type { DeliveryHold } from '../../application/ports/storage/recovery/delivery-hold-store.ts';
import { RESTORED } from '../../application/recovery/hold-delivery.ts';
import { shortText } from '../../domain/values/one-line-text.ts';
import type { ConsoleView } from './view.ts';

const MOST_CHARACTERS = 200;

/** Why nothing is sent: our own reason in the language of the page, that of an operator as it was given. */
export function holdReason({ words }: Pick<ConsoleView, 'words'>, { reason }: DeliveryHold): string {
  return reason === RESTORED ? words('hold-restored') : shortText(reason, MOST_CHARACTERS);
}
