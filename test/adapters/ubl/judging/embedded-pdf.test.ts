import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  PDF_ATTACHMENT,
  SAMPLE_PDF,
  type SampleAttachment,
  sampleCreditNote,
  sampleInvoice,
} from '../../../support/ubl-samples.ts';
import { judge, refusalOf } from './judging.ts';

function pdfOf(...attachments: SampleAttachment[]): string | null {
  const judgement = judge(sampleInvoice({ attachments }));
  if (judgement.outcome !== 'document') assert.fail(JSON.stringify(judgement));
  return judgement.pdf === null ? null : Buffer.from(judgement.pdf).toString('latin1');
}

const pdf = (mimeCode: string, content = PDF_ATTACHMENT.content): SampleAttachment => ({ mimeCode, content });
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');

describe('the embedded PDF', () => {
  test('is the decoded attachment', () => {
    assert.equal(pdfOf(PDF_ATTACHMENT), SAMPLE_PDF);
  });
  test('of a credit note too', () => {
    const judgement = judge(sampleCreditNote({ attachments: [PDF_ATTACHMENT] }));
    assert.ok(judgement.outcome === 'document' && judgement.pdf !== null);
  });
  test('may be declared in capitals and with parameters', () => {
    assert.equal(pdfOf(pdf('Application/PDF; charset=binary')), SAMPLE_PDF);
  });
  test('may be broken into lines', () => {
    assert.equal(
      pdfOf(pdf('application/pdf', `\n\t${PDF_ATTACHMENT.content.replaceAll(/(.{60})/gu, '$1\r\n  ')}\n`)),
      SAMPLE_PDF,
    );
  });
  test('may begin with other bytes', () => {
    const late = `${'\0'.repeat(1019)}%PDF-1.4`;
    assert.equal(pdfOf(pdf('application/pdf', base64(late))), late);
  });
  test('is the first that is one: a broken attachment is passed over', () => {
    const second = base64('%PDF-second');
    assert.equal(
      pdfOf(pdf('image/png'), pdf('application/pdf', '####'), pdf('application/pdf', second), PDF_ATTACHMENT),
      '%PDF-second',
    );
  });
});

describe('there is no embedded PDF', () => {
  const cases: Record<string, SampleAttachment[]> = {
    'without attachments': [],
    'under another type': [pdf('application/pdfx'), pdf('text/plain'), pdf('x-application/pdf')],
    'in other bytes': [pdf('application/pdf', base64('<html>'))],
    'in an empty attachment': [pdf('application/pdf', '')],
    'that begins too late': [pdf('application/pdf', base64(`${'\0'.repeat(1024)}%PDF-1.4`))],
    'in Base64 with a strange sign': [pdf('application/pdf', PDF_ATTACHMENT.content.replace(/.{40}/u, '$&-_..'))],
  };
  for (const [title, attachments] of Object.entries(cases)) {
    test(title, () => {
      assert.equal(pdfOf(...attachments), null);
    });
  }
});

test('the memory of an embedded PDF is its own, so that it can leave the thread', () => {
  const judgement = judge(sampleInvoice({ attachments: [PDF_ATTACHMENT] }));
  assert.ok(judgement.outcome === 'document' && judgement.pdf !== null);
  assert.equal(judgement.pdf.buffer.byteLength, judgement.pdf.byteLength);
});

test('Base64 that is cut off or padded in the middle breaks the schema', () => {
  for (const content of [PDF_ATTACHMENT.content.slice(0, 41), `JVBERi0=${PDF_ATTACHMENT.content}`]) {
    const attachments = [{ mimeCode: 'application/pdf', content }];
    assert.match(
      refusalOf(sampleInvoice({ attachments }), 'ERR-2002'),
      /EmbeddedDocumentBinaryObject; expected Base64/u,
    );
  }
});
