import assert from 'node:assert/strict';
import { compileUblSchemas } from '../../../../src/adapters/ubl/judging/compile-schemas.ts';
import { type Judgement, judgeDocument } from '../../../../src/adapters/ubl/judging/judge-document.ts';
import type { ContentCode } from '../../../../src/application/ports/document-reader.ts';
import type { InvoiceFacts } from '../../../../src/domain/documents/invoice-facts.ts';

const schemas = compileUblSchemas();

/** Judges on the test's own thread what the reader judges on its threads. */
export function judge(document: string | Uint8Array): Judgement {
  return judgeDocument(typeof document === 'string' ? Buffer.from(document) : document, schemas);
}

export function outcomeOn(document: string | Uint8Array): 'document' | ContentCode {
  const judgement = judge(document);
  return judgement.outcome === 'document' ? 'document' : judgement.code;
}

/** The detail of a refusal with that code. */
export function refusalOf(document: string | Uint8Array, code: ContentCode): string {
  const judgement = judge(document);
  assert.ok(judgement.outcome === 'refused', `accepted, though ${code} was expected`);
  assert.equal(judgement.code, code, judgement.detail);
  return judgement.detail;
}

export function factsOf(document: string | Uint8Array): InvoiceFacts {
  const judgement = judge(document);
  if (judgement.outcome !== 'document') assert.fail(JSON.stringify(judgement));
  return judgement.facts;
}
