import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { after, before, describe, test } from 'node:test';
import { corpusBytes, corpusMissing, corpusRows } from '../support/corpus.ts';
import { type Random, withRandom } from '../support/seeds.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { steadyElapsedMs } from '../support/steady-time.ts';
import { mutateUbl } from '../support/ubl-mutations.ts';
import { sampleCreditNote, sampleInvoice } from '../support/ubl-samples.ts';
import { createSubmitter, type Submitter } from './submitting.ts';

const COUNT = process.env['TEST_LONG'] === '1' ? 20_000 : 500;
const AT_A_TIME = 8;
const REFUSALS = /^ERR-(?:1007|2001|2002|2003|2004|2005|2006|2011)$/u;
/** A mutated document is small; far beyond this bound something is not proportional to size any more. */
const SLOWEST_MS = 10_000;

/** Valid, and refused all the same: what a mutation leaves valid is not always accepted. */
const withoutRecipient = sampleInvoice().replace(
  /(<cac:AccountingCustomerParty>).*(<\/cac:AccountingCustomerParty>)/su,
  '$1$2',
);
const sources = [sampleInvoice(), sampleCreditNote(), withoutRecipient, ...corpusTexts()];

describe('mutated documents, through the running service', () => {
  let service: TestService;
  let client: Submitter;

  before(async () => {
    service = await startTestService();
    client = await createSubmitter(service);
  });
  after(() => service.stop());

  test(`${COUNT} of changed structure and of changed bytes always get an answer of the catalogue, soon`, async (t) => {
    const outcomes: Record<string, number> = {};
    await withRandom(async (random) => {
      for (let done = 0; done < COUNT; done += AT_A_TIME) {
        const bodies = Array.from({ length: Math.min(AT_A_TIME, COUNT - done) }, () => mutated(random));
        for (const outcome of await Promise.all(bodies.map(answerTo))) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
    });
    t.diagnostic(JSON.stringify(outcomes));
    assert.ok((outcomes['document'] ?? 0) > 0 && Object.keys(outcomes).length > 3);
    const ready = await fetch(`${service.opsUrl}/health/ready`);
    assert.equal(ready.status, 200);
  });

  async function answerTo({ body, description }: Mutated): Promise<string> {
    const started = steadyElapsedMs();
    const { status, outcome, detail } = await client.submit(body);
    assert.ok(steadyElapsedMs() - started < SLOWEST_MS, description);
    if (outcome === 'document') return outcome;
    assert.equal(status, 400, `${description}: ${outcome} ${detail}`);
    assert.match(outcome, REFUSALS, description);
    assert.ok((detail ?? '').length > 0, description);
    return outcome;
  }
});

type Mutated = { readonly body: Uint8Array<ArrayBuffer>; readonly description: string };

function mutated(random: Random): Mutated {
  const source = sources[Math.floor(random() * sources.length)] ?? '';
  if (random() < 0.7) {
    const { xml, description } = mutateUbl(random, source);
    return { body: new Uint8Array(Buffer.from(xml)), description };
  }
  return { body: withChangedBytes(random, new Uint8Array(Buffer.from(source))), description: 'changed bytes' };
}

/** A few bytes overwritten, or the end cut off. */
function withChangedBytes(random: Random, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (random() < 0.2) return bytes.slice(0, Math.floor(random() * bytes.length));
  for (let changes = 1 + Math.floor(random() * 4); changes > 0; changes -= 1) {
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  }
  return bytes;
}

function corpusTexts(): string[] {
  if (corpusMissing !== false) return [];
  const positives = corpusRows().filter(({ reason }) => reason === '');
  const texts = positives.map((row) => Buffer.from(corpusBytes(row)));
  return texts.filter((text) => text.length < 30_000 && isUtf8(text)).map((text) => text.toString());
}
