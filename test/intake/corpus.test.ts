import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { corpusBytes, corpusMissing, corpusRows, expectedOutcome } from '../support/corpus.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createSubmitter, type Submitter } from './submitting.ts';

const skip = corpusMissing;

describe('the corpus of real documents, through the running service', () => {
  let service: TestService;
  let client: Submitter;

  before(async () => {
    if (skip !== false) return;
    service = await startTestService();
    client = await createSubmitter(service);
  });
  after(() => (skip === false ? service.stop() : undefined));

  test('each is accepted or refused as its manifest says; an accepted one comes back with the identical SHA-256', {
    skip,
  }, async (t) => {
    let accepted = 0;
    const rows = corpusRows();
    for (const row of rows) {
      const { outcome, docUid, detail } = await client.submit(corpusBytes(row));
      assert.equal(outcome, expectedOutcome(row), `${row.file}: ${detail}`);
      if (outcome !== 'document') continue;
      accepted += 1;
      assert.equal(await sha256Of(`${docUid}/file?format=ubl`), row.sha256, row.file);
      const pdf = await fetch(`${service.api}/outbound/${docUid}/file?format=pdf`, { headers: client.headers });
      await pdf.arrayBuffer();
      assert.equal(pdf.status, row.pdf === 'yes' ? 200 : 404, `${row.file}: PDF`);
    }
    assert.ok(accepted > 100 && rows.length > accepted);
    t.diagnostic(`${rows.length} documents, ${accepted} accepted`);
  });

  async function sha256Of(path: string): Promise<string> {
    const answer = await fetch(`${service.api}/outbound/${path}`, { headers: client.headers });
    assert.equal(answer.status, 200);
    return createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex');
  }
});
