import { Counter, type Registry } from 'prom-client';

export type ScannerMetrics = {
  /** By what a submitted document was judged. */
  readonly documentJudged: (way: 'scanner' | 'parser') => void;
  readonly scannerDisagreed: () => void;
};

export function scannerMetrics(registry: Registry): ScannerMetrics {
  const judged = new Counter({
    name: 'dostava_documents_judged_total',
    help: 'Submitted documents, by what judged them: the scanner, which is certain of usual documents alone, or the parser.',
    labelNames: ['way'],
    registers: [registry],
  });
  const disagreements = new Counter({
    name: 'dostava_scanner_disagreements_total',
    help: 'How often the scanner took a document, or read a content, of which the parser said something else; it is not asked any more until the next start.',
    registers: [registry],
  });
  for (const way of ['scanner', 'parser']) judged.inc({ way }, 0);
  return { documentJudged: (way) => judged.inc({ way }), scannerDisagreed: () => disagreements.inc() };
}
