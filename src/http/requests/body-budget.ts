import { httpProblem } from '../answers/problem-response.ts';

export type BodyBudget = {
  /** A share of the budget for one body; `grow` refuses when the whole is used up. */
  readonly share: () => { readonly grow: (bytes: number) => void; readonly release: () => void };
};

const RETRY_AFTER_SECONDS = 2;

/** Bounds the memory that bodies under way take together: beyond it a submission is asked to come back. */
export function createBodyBudget(totalBytes: number): BodyBudget {
  let used = 0;
  return {
    share() {
      let own = 0;
      return {
        grow(bytes) {
          if (used + bytes > totalBytes) {
            throw httpProblem(503, 'Too many documents are being received at this moment. Nothing was stored.', {
              retryAfterSeconds: RETRY_AFTER_SECONDS,
            });
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
