import type { ServerResponse } from 'node:http';
import type { Edb } from '../../domain/accounts/edb.ts';
import { createMemoryBudget, type MemoryBudget } from '../memory-budget.ts';

/** The system takes smaller answers at once, whether or not the client reads them. */
const LARGE_BYTES = 65_536;

export function createAnswerBudget(totalBytes: number): MemoryBudget {
  return createMemoryBudget({
    totalBytes,
    tenantRefused:
      'The answers that this tenant has not read yet take all the memory that it may have. Read them first.',
    allRefused: 'Too many large answers are being sent at this moment.',
    // Files that the operator imports have no greatest size.
    oneFits: true,
  });
}

/** Charges a large answer until it was sent or its connection is gone; throws a problem when it does not fit. */
export function holdAnswer(budget: MemoryBudget, tenant: Edb | null, response: ServerResponse, bytes: number): void {
  // What is answered without a key is small.
  if (tenant === null || bytes < LARGE_BYTES) return;
  const share = budget.shareOf(tenant);
  share.hold(bytes);
  response.once('close', share.release);
}
