import { BAD_GATEWAY } from '../http-answer.ts';
import { atOnce, type Delivery } from './delivery.ts';

export const OUTAGE_KINDS = ['502-html', 'refuse', 'timeout'] as const;
export type OutageKind = (typeof OUTAGE_KINDS)[number];

/** What every call meets while an outage lasts, whatever it asks for. */
export const OUTAGE_DELIVERIES: Readonly<Record<OutageKind, Delivery>> = {
  '502-html': atOnce(BAD_GATEWAY),
  refuse: { answer: BAD_GATEWAY, manner: 'cut' },
  timeout: { answer: BAD_GATEWAY, manner: 'never' },
};

export type Outage = {
  readonly kind: () => OutageKind | null;
  readonly set: (kind: OutageKind | null) => void;
};

export function createOutage(initial: OutageKind | null): Outage {
  let current = initial;
  return {
    kind: () => current,
    set: (kind) => {
      current = kind;
    },
  };
}
