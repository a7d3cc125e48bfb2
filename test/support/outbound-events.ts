import type { OutboundEvent } from '../../src/domain/documents/outbound-status.ts';

/** Everything that can happen to an outbound document. */
export const OUTBOUND_EVENTS: readonly OutboundEvent[] = [
  'prepare',
  'send',
  'accept',
  'reject',
  'try-again',
  'give-up',
  'requeue',
  'reopen',
  'cancel',
];
