import { BAD_GATEWAY } from '../http-answer.ts';
import { immediately, type PlannedResponse } from './planned-response.ts';

export const OUTAGE_KINDS = ['502-html', 'refuse', 'timeout'] as const;
export type OutageKind = (typeof OUTAGE_KINDS)[number];

/** The response to every call during an outage. */
export const OUTAGE_RESPONSES: Readonly<Record<OutageKind, PlannedResponse>> = {
  '502-html': immediately(BAD_GATEWAY),
  refuse: { answer: BAD_GATEWAY, timing: 'disconnect' },
  timeout: { answer: BAD_GATEWAY, timing: 'never' },
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
