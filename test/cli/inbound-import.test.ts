import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROJECT, startService, temporaryFolder } from '../support/process.ts';
import { commandLine } from './command-line.ts';

const ZETA = '4044026000055';
const UBL = 'docs/examples/invoice.xml';
const PDF = 'src/demo/inbound/scanned-invoice.pdf';

type Imported = { readonly file: string; readonly docUid: string; readonly shape: string; readonly isNew: boolean };
type Detail = {
  readonly senderEdb: string | null;
  readonly documentNumber: string | null;
  readonly amount: number | null;
};

test('files imported beside a running service', async (t) => {
  const variables = { DATA_DIR: temporaryFolder() };
  const service = await startService(t, variables);
  const { run, json, refusal } = commandLine(t, variables);
  const folder = temporaryFolder();
  const other = join(folder, 'прилог.bin');
  await writeFile(other, Buffer.from([0, 1, 2, 255, 254, 10]));
  await json('tenant', 'add', '--edb', ZETA, '--name', 'Zeta');
  const { key } = await json<{ readonly key: string }>('key', 'issue', '--tenant', ZETA, '--software', 'ledger');

  async function count(): Promise<number> {
    return ((await (await service.call(key, '/inbound')).json()) as { readonly totalCount: number }).totalCount;
  }

  await t.test('a file that cannot be taken is named, and then none is taken', async () => {
    await mkdir(join(folder, 'folder'));
    await writeFile(join(folder, 'empty.xml'), '');
    for (const [bad, complaint] of [
      [join(folder, 'missing.xml'), 'cannot be read: ENOENT'],
      [join(folder, 'folder'), 'cannot be read: EISDIR'],
      [join(folder, 'empty.xml'), 'is empty'],
    ] as const) {
      const [exitCode, stderr] = await refusal('inbound', 'import', '--tenant', ZETA, UBL, bad, other);
      assert.deepEqual([exitCode, stderr], [1, `${bad} ${complaint}.\n`]);
    }
    const [exitCode, stderr] = await refusal('inbound', 'import', '--tenant', ZETA);
    assert.equal(exitCode, 2);
    assert.match(stderr, /At least one file is needed/u);
    assert.equal(await count(), 0);
  });

  await t.test('UBL, PDF and other files are recognised by their bytes and kept as they are', async () => {
    const files = [UBL, PDF, other];
    const imported = await json<Imported[]>('inbound', 'import', '--tenant', ZETA, ...files);
    assert.deepEqual(
      imported.map(({ file, shape, isNew }) => [file, shape, isNew]),
      [
        [UBL, 'ubl', true],
        [PDF, 'pdf', true],
        [other, 'other', true],
      ],
    );
    assert.equal(await count(), 3);
    for (const { file, docUid, shape } of imported) {
      const bytes = await readFile(join(file === other ? '' : PROJECT, file));
      const original = await service.call(key, `/inbound/${docUid}/file`);
      assert.deepEqual(Buffer.from(await original.arrayBuffer()), bytes);
      const formats = ['ubl', 'pdf'].map((format) => service.call(key, `/inbound/${docUid}/file?format=${format}`));
      const statuses = (await Promise.all(formats)).map(({ status }) => status);
      assert.deepEqual(statuses, [shape === 'ubl' ? 200 : 404, shape === 'pdf' ? 200 : 404]);
      const detail = (await (await service.call(key, `/inbound/${docUid}`)).json()) as Detail;
      const { senderEdb, documentNumber, amount } = detail;
      if (shape === 'ubl')
        assert.deepEqual([senderEdb, typeof documentNumber, typeof amount], ['4030026000018', 'string', 'number']);
      else assert.deepEqual([senderEdb, documentNumber, amount], [null, null, null]);
    }
  });

  await t.test('the same file again is the same document', async () => {
    const { stdout, exitCode } = await run('inbound', 'import', '--tenant', ZETA, PDF, PDF);
    assert.equal(exitCode, 0);
    const [heading, ...rows] = stdout.trimEnd().split('\n');
    assert.match(heading ?? '', /^FILE +DOCUMENT +SHAPE +RESULT$/u);
    assert.equal(rows.length, 2);
    for (const row of rows) assert.match(row, /scanned-invoice\.pdf +[0-9a-f-]{36} +pdf +known already$/u);
    assert.equal(await count(), 3);
  });

  await service.stop();
});
