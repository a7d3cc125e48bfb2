import { unavailableProblem } from '../answers/problem-response.ts';

export type BodyBudget = {
  /** The part of the budget that one body uses; `grow` throws a problem when the budget is used up. */
  readonly share: () => { readonly grow: (bytes: number) => void; readonly release: () => void };
};

/** Limits the memory that all bodies in progress take together: beyond it a call gets 503 with Retry-After. */
export function createBodyBudget(totalBytes: number): BodyBudget {
  let used = 0;
  return {
    share() {
      let own = 0;
      return {
        grow(bytes) {
          if (used + bytes > totalBytes) {
            throw unavailableProblem('Too many documents are being received at this moment. Nothing was stored.');
          }
          used += bytes;
          own += bytes;
        },
        release() {
          used -= own;
          own = 0;
        },
      };
    },
  };
}
