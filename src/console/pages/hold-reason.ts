import { type DeliveryHold, RESTORED } from '../../domain/operations/delivery-hold.ts';
import { shortText } from '../../domain/values/one-line-text.ts';
import type { ConsoleView } from './view.ts';

const MOST_CHARACTERS = 200;

/** Why nothing is sent: our own reason in the language of the page, that of an operator as it was given. */
export function holdReason({ words }: Pick<ConsoleView, 'words'>, { reason, restored }: DeliveryHold): string {
  const given = reason === RESTORED ? [] : [shortText(reason, MOST_CHARACTERS)];
  return [...(restored === null ? [] : [words('hold-restored')]), ...given].join(' ');
}
