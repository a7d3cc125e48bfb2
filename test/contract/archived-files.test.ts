import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { addOutboundIn, newOutbound } from '../engines/samples.ts';
import { temporaryFolder } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { bytesOf, SAMPLE_PDF, sampleInvoice } from '../support/ubl-samples.ts';
import { json } from './support/client.ts';
import { INBOUND_ITEM, OUTBOUND_ITEM, readPage } from './support/fields.ts';
import { assertPlainProblem, assertProblem } from './support/problem.ts';
import { newTenant } from './support/tenant.ts';

const folder = join(temporaryFolder(), 'archive');
const service = await startTestService({ variables: { ARCHIVE_DIR: folder } });
after(() => service.stop());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** The operator archives all that is over, however young, and removes it from the database. */
async function archive(): Promise<void> {
  await service.operator.archive({
    folder: null,
    before: service.foundation.clock.now(),
    remove: true,
    younger: true,
    isNewArchive: false,
    progress: () => undefined,
  });
}

suite('files of archived documents', () => {
  test('original of an inbound document is available right after acknowledgement and archiving', async () => {
    const tenant = await newTenant(service);
    const bytes = bytesOf(sampleInvoice({ number: 'A-1' }));
    const { docUid } = await service.operator.importInbound(tenant.edb, 'фактура.xml', bytes);
    await tenant.post(`/inbound/${docUid}/ack`);
    const formats = ['original', 'ubl'];
    const get = () => Promise.all(formats.map((format) => tenant.get(`/inbound/${docUid}/file?format=${format}`)));
    const before = await get();
    const details = json(await tenant.get(`/inbound/${docUid}`));
    await archive();
    assert.equal(await service.foundation.storage.inbound.file(tenant.edb, docUid, 'original'), null);
    const served = await get();
    for (const [index, answer] of served.entries()) {
      assert.equal(answer.status, 200, answer.text);
      assert.ok(answer.bytes.equals(bytes));
      for (const name of ['etag', 'repr-digest', 'content-disposition', 'content-length', 'cache-control']) {
        assert.equal(answer.headers.get(name), before[index]?.headers.get(name), name);
      }
    }
    const path = `/inbound/${docUid}/file`;
    const etag = served[0]?.headers.get('etag') ?? '';
    assert.equal((await tenant.get(path, { 'If-None-Match': etag })).status, 304);
    assertProblem(await tenant.get(`${path}?format=pdf`), 'ERR-3002');
    assert.deepEqual(json(await tenant.get(`/inbound/${docUid}`)), details);
    assert.equal(readPage(INBOUND_ITEM, json(await tenant.get('/inbound'))).totalCount, 1);
    const stranger = await newTenant(service);
    assertProblem(await stranger.get(path), 'ERR-3001');
  });

  test('all formats of an outbound document are available, and 503 while the archive is out of reach', async () => {
    const tenant = await newTenant(service);
    const { storage, clock } = service.foundation;
    const files = {
      ubl: bytesOf(sampleInvoice({ number: 'A-2' })),
      pdf: bytesOf(SAMPLE_PDF),
      ujp: bytesOf('PK signed by the authority'),
    };
    const stored = (bytes: Uint8Array) => ({ bytes, sha256: sha256(bytes) });
    const { docUid } = await storage.transaction(async (tx) => {
      const document = newOutbound({ ubl: stored(files.ubl), pdf: stored(files.pdf) });
      const added = await addOutboundIn(tx, tenant.edb, 40, document, clock.now());
      await tx.deliveries.storeContainer(tenant.edb, added.docUid, stored(files.ujp), Date.now());
      return added;
    });
    await archive();
    const get = (format: string) => tenant.get(`/outbound/${docUid}/file?format=${format}`);
    for (const [format, bytes] of Object.entries(files)) {
      assert.equal(await storage.outbound.file(tenant.edb, docUid, format as keyof typeof files), null);
      const answer = await get(format);
      assert.equal(answer.status, 200, answer.text);
      assert.ok(answer.bytes.equals(bytes), format);
      assert.equal(answer.headers.get('etag'), `"${sha256(bytes).toString('hex')}"`);
    }
    assert.equal(readPage(OUTBOUND_ITEM, json(await tenant.get('/outbound'))).totalCount, 1);

    renameSync(folder, `${folder}-away`);
    for (const format of Object.keys(files)) {
      const answer = await get(format);
      assert.match(assertPlainProblem(answer, 503), /archive/u);
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/u);
    }
    renameSync(`${folder}-away`, folder);
    assert.equal((await get('ujp')).status, 200);

    const [ujp = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith(`${docUid}.ujp.asics`),
    );
    writeFileSync(join(folder, ujp), 'PK forged');
    assertProblem(await get('ujp'), 'ERR-9000');
    assert.equal((await get('ubl')).status, 200);
  });
});
