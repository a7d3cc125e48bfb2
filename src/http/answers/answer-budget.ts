import type { ServerResponse } from 'node:http';
import { Problem } from '../../application/errors/problem.ts';
import type { Edb } from '../../domain/accounts/edb.ts';
import { onClose } from '../connections/on-close.ts';
import { createMemoryBudget, type MemoryObserver, UNOBSERVED } from '../memory-budget.ts';

/** Limits the memory of large answers that clients have not taken yet. */
export type AnswerBudget = {
  /** Charges a large answer until it was sent or its connection is gone; throws a problem when it does not fit. */
  readonly hold: (tenant: Edb, response: ServerResponse, bytes: number) => void;
  /**
   * Throws when the last large answer to the tenant did not fit and nothing was given back since. To be asked before a file is read:
   * its size is known only afterwards, and files that are read to be refused would take the memory all the same.
   */
  readonly checkRoom: (tenant: Edb) => void;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly sendsFile?: boolean;
  }
}

/** The system takes smaller answers at once, whether or not the client reads them. */
const LARGE_BYTES = 65_536;

export function createAnswerBudget(totalBytes: number, observer: MemoryObserver = UNOBSERVED): AnswerBudget {
  const budget = createMemoryBudget({
    totalBytes,
    tenantRefused:
      'The answers that this tenant has not read yet take all the memory that it may have. Read them first.',
    allRefused: 'Too many large answers are being sent at this moment.',
    // Files that the operator imports have no greatest size.
    oneFits: true,
    observer,
  });
  const refused = new Map<Edb, Problem>();
  return {
    hold(tenant, response, bytes) {
      // What is meant for a client that has left is not kept for it.
      if (bytes < LARGE_BYTES || response.closed) return;
      const share = budget.shareOf(tenant);
      try {
        share.hold(bytes);
      } catch (error) {
        if (error instanceof Problem) refused.set(tenant, error);
        throw error;
      }
      onClose(response, () => {
        share.release();
        refused.clear();
      });
    },
    checkRoom(tenant) {
      const problem = refused.get(tenant);
      if (problem === undefined) return;
      observer.refused();
      throw problem;
    },
  };
}
