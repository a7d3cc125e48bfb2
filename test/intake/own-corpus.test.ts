import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestService, type TestService } from '../support/service.ts';
import { OWN_CORPUS } from './own-corpus.ts';
import { createSubmitter, type Submitter } from './submitting.ts';

describe('documents of our own, one for each peculiarity, through the running service:', () => {
  let service: TestService;
  let client: Submitter;

  before(async () => {
    service = await startTestService();
    client = await createSubmitter(service);
  });
  after(() => service.stop());

  for (const { peculiarity, bytes, outcome, hasPdf } of OWN_CORPUS) {
    test(`${peculiarity}: ${outcome === 'document' ? 'accepted, and given back byte for byte' : outcome}`, async () => {
      const sent = Buffer.from(bytes);
      const answer = await client.submit(bytes);
      assert.equal(answer.outcome, outcome, answer.detail ?? '');
      if (outcome !== 'document') return;
      assert.ok(sent.equals(await download(answer.docUid, 'ubl', 200)));
      const pdf = await download(answer.docUid, 'pdf', hasPdf === true ? 200 : 404);
      assert.equal(pdf.subarray(0, 5).toString() === '%PDF-', hasPdf === true);
    });
  }

  async function download(docUid: string | null, format: string, status: number): Promise<Buffer> {
    const answer = await fetch(`${service.api}/outbound/${docUid}/file?format=${format}`, { headers: client.headers });
    assert.equal(answer.status, status);
    return Buffer.from(await answer.arrayBuffer());
  }
});
