/** The status of an outbound document. The numbers are part of the contract. */
export const OUTBOUND_STATUS = {
  received: 10,
  processing: 20,
  sent: 30,
  accepted: 40,
  rejected: 50,
  failed: 55,
  cancelled: 60,
} as const;

export type OutboundStatus = (typeof OUTBOUND_STATUS)[keyof typeof OUTBOUND_STATUS];

export const OUTBOUND_STATUSES: readonly OutboundStatus[] = Object.values(OUTBOUND_STATUS);

export type OutboundEvent =
  | 'prepare'
  | 'send'
  | 'accept'
  | 'reject'
  | 'try-again'
  | 'give-up'
  | 'requeue'
  | 'reopen'
  | 'cancel';

const { received, processing, sent, accepted, rejected, failed, cancelled } = OUTBOUND_STATUS;

const TRANSITIONS: Record<OutboundEvent, { readonly from: readonly OutboundStatus[]; readonly to: OutboundStatus }> = {
  prepare: { from: [received], to: processing },
  send: { from: [processing], to: sent },
  accept: { from: [sent], to: accepted },
  reject: { from: [sent], to: rejected },
  'try-again': { from: [sent], to: processing },
  'give-up': { from: [received, processing, sent], to: failed },
  requeue: { from: [failed], to: processing },
  // The authority is asked first whether it has the document: as after a lost answer.
  reopen: { from: [rejected], to: sent },
  cancel: { from: [received, processing, failed], to: cancelled },
};

/** The next status, or null when the event is not allowed. Every change of status goes through here. */
export function transition(from: OutboundStatus, event: OutboundEvent): OutboundStatus | null {
  const { from: allowed, to } = TRANSITIONS[event];
  return allowed.includes(from) ? to : null;
}

export function isOutboundStatus(value: number): value is OutboundStatus {
  return (OUTBOUND_STATUSES as readonly number[]).includes(value);
}
