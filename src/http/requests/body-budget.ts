import { createMemoryBudget, type MemoryBudget, type MemoryObserver, UNOBSERVED } from '../memory-budget.ts';

export function createBodyBudget(totalBytes: number, observer: MemoryObserver = UNOBSERVED): MemoryBudget {
  return createMemoryBudget({
    totalBytes,
    tenantRefused:
      'The documents of this tenant that are being received take all the memory that it may have. Nothing was stored.',
    allRefused: 'Too many documents are being received at this moment. Nothing was stored.',
    oneFits: false,
    observer,
  });
}
