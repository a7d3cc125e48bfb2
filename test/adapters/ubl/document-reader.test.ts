import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { createDocumentReader } from '../../../src/adapters/ubl/document-reader.ts';
import type { DocumentReader, Reading } from '../../../src/application/ports/document-reader.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import { message } from '../../../src/domain/messages/message.ts';
import {
  ALFA_EDB,
  bytesOf,
  largeInvoice,
  PDF_ATTACHMENT,
  SAMPLE_PDF,
  sampleInvoice,
} from '../../support/ubl-samples.ts';

const MIB = 1024 * 1024;
const TENANT = ALFA_EDB as Edb;
/** Each step starts one or two threads, which take half a second of processor time each. */
const STEP_MS = process.env['TEST_LONG'] === '1' ? 50 : 100;

function accepted(reading: Reading): Extract<Reading, { outcome: 'document' }> {
  if (reading.outcome !== 'document') assert.fail(JSON.stringify(reading));
  return reading;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Half a million faults: seconds of work for a thread. */
function slowDocument(): Uint8Array<ArrayBuffer> {
  return bytesOf(sampleInvoice().replace('<cbc:Note ', `${'<cbc:Note a=""/>'.repeat(1_000_000)}<cbc:Note `));
}

/** Reads a small invoice until the reader has a thread again that can. */
async function untilReading(reader: DocumentReader): Promise<void> {
  for (let left = 100; ; left -= 1) {
    try {
      accepted(await reader.read(TENANT, bytesOf(sampleInvoice())));
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

describe('the reader', () => {
  const reader = createDocumentReader({ timers: systemTimers, threads: 2 });
  after(() => reader.close());

  test('gives back the very bytes with their hash, the facts and the PDF with its hash', async () => {
    const xml = sampleInvoice({ attachments: [PDF_ATTACHMENT] });
    const { file, facts, pdf } = accepted(await reader.read(TENANT, bytesOf(xml)));
    assert.equal(Buffer.from(file.bytes).toString(), xml);
    assert.equal(Buffer.from(file.sha256).toString('hex'), sha256(xml));
    assert.equal(facts.documentNumber, 'Ф-2026-00142');
    assert.equal(Buffer.from(pdf?.bytes ?? []).toString(), SAMPLE_PDF);
    assert.equal(Buffer.from(pdf?.sha256 ?? []).toString('hex'), sha256(SAMPLE_PDF));
  });

  test('takes a large buffer over instead of copying it', async () => {
    const bytes = bytesOf(largeInvoice(MIB));
    await reader.read(TENANT, bytes);
    assert.equal(bytes.byteLength, 0);
  });

  test('leaves alone what shares memory with the bytes given', async () => {
    const xml = sampleInvoice();
    const shared = Buffer.concat([Buffer.from('before'), Buffer.from(xml), Buffer.from('after')]);
    const part = new Uint8Array(shared.buffer, shared.byteOffset + 6, Buffer.byteLength(xml));
    const { file } = accepted(await reader.read(TENANT, part));
    assert.equal(Buffer.from(file.bytes).toString(), xml);
    assert.equal(shared.toString(), `before${xml}after`);
    const pooled = Buffer.from('<a/>') as Buffer<ArrayBuffer>;
    assert.equal((await reader.read(TENANT, pooled)).outcome, 'refused');
    assert.equal(pooled.toString(), '<a/>');
  });

  test('refuses with a code and a detail', async () => {
    assert.deepEqual(await reader.read(TENANT, bytesOf('')), {
      outcome: 'refused',
      code: 'ERR-2001',
      findings: [{ place: null, said: message('body-empty') }],
      detail: 'The body is empty; expected one UBL 2.1 Invoice or CreditNote as plain XML.',
    });
  });

  test('recognises documents and leaves the buffer alone', async () => {
    const bytes = bytesOf(sampleInvoice());
    assert.equal((await reader.recognise(TENANT, bytes))?.amount, '139216.40');
    assert.equal(Buffer.from(bytes).toString(), sampleInvoice());
    assert.equal(await reader.recognise(TENANT, bytesOf('%PDF-1.7')), null);
  });

  test('reads large documents beside small ones, and leaves the calling thread free', async () => {
    const large = bytesOf(largeInvoice(10 * MIB));
    await Promise.all([reader.read(TENANT, bytesOf(sampleInvoice())), reader.read(TENANT, bytesOf(sampleInvoice()))]);
    const order: string[] = [];
    const before = performance.eventLoopUtilization();
    const slow = reader.read(TENANT, large).then((reading) => order.push(`large ${reading.outcome}`));
    const quick = reader
      .read(TENANT, bytesOf(sampleInvoice()))
      .then((reading) => order.push(`small ${reading.outcome}`));
    await Promise.all([slow, quick]);
    const { active, idle } = performance.eventLoopUtilization(before);
    assert.deepEqual(order, ['small document', 'large document']);
    assert.ok(active < idle, `the calling thread was busy for ${active} ms and free for ${idle} ms`);
  });

  test('answers many at once, each with its own', async () => {
    const numbers = Array.from({ length: 200 }, (_, index) => `Ф-${index}`);
    const readings = await Promise.all(
      numbers.map((number) => reader.read(TENANT, bytesOf(sampleInvoice({ number })))),
    );
    assert.deepEqual(
      readings.map((reading) => accepted(reading).facts.documentNumber),
      numbers,
    );
  });

  test('goes on when a thread fails: the call of that thread fails, the others do not', async () => {
    // No document is known to make a thread fail, so this is none: a claim of bytes that are not there.
    const failure = { buffer: new ArrayBuffer(0), byteLength: 0, length: 1 } as Uint8Array<ArrayBuffer>;
    const [failed, ...others] = await Promise.allSettled([
      reader.read(TENANT, failure),
      ...Array.from({ length: 20 }, () => reader.read(TENANT, bytesOf(sampleInvoice()))),
    ]);
    assert.ok(failed.status === 'rejected' && failed.reason instanceof Error);
    assert.match(failed.reason.message, /^Reading a document of 1 byte failed$/u);
    assert.ok(failed.reason.cause instanceof Error);
    assert.deepEqual(new Set(others.map(({ status }) => status)), new Set(['fulfilled']));
    await Promise.all(
      Array.from({ length: 20 }, async () => accepted(await reader.read(TENANT, bytesOf(sampleInvoice())))),
    );
  });

  test('reads no more once it is closed', async () => {
    accepted(await reader.read(TENANT, bytesOf(sampleInvoice())));
    await reader.close();
    await assert.rejects(
      reader.read(TENANT, bytesOf(sampleInvoice())),
      ({ cause }: Error) => cause instanceof Error && /closed/u.test(cause.message),
    );
    await reader.close();
  });
});

test('a reading that takes too long is given up, and the reader goes on', async () => {
  const reader = createDocumentReader({ timers: systemTimers, threads: 1, timeoutMs: 250 });
  try {
    await untilReading(reader);
    await assert.rejects(
      reader.read(TENANT, slowDocument()),
      /Reading a document of \d+ bytes took more than 250 ms of processor time/u,
    );
    await untilReading(reader);
  } finally {
    await reader.close();
  }
});

test('a reader may be closed at any moment of its start, and finishes what it began', async () => {
  for (let delayMs = 0; delayMs <= 350; delayMs += STEP_MS) {
    const reader = createDocumentReader({ timers: systemTimers, threads: 1 + ((delayMs / STEP_MS) % 2) });
    const reading = reader.read(TENANT, bytesOf(sampleInvoice()));
    await setTimeout(delayMs);
    await reader.close();
    accepted(await reading);
  }
});
