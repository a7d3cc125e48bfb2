import { judgeDocument, type Schemas } from './judging/judge-document.ts';
import { WARM_UP_INVOICE, WARM_UP_TIMES } from './warm-up-invoice.ts';

/** Judges a small invoice repeatedly, which also proves that this thread works. Takes about 40 ms. */
export function warmUp(schemas: Schemas): void {
  for (let count = 0; count < WARM_UP_TIMES; count += 1) {
    const judgement = judgeDocument(Buffer.from(WARM_UP_INVOICE), schemas);
    if (judgement.outcome !== 'document') throw new Error(`The reader cannot read an invoice: ${judgement.detail}`);
  }
}
