import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { openArchiveFolder } from '../../../src/adapters/archive/archive-folder.ts';
import { OperatorError } from '../../../src/application/errors/operator-error.ts';
import { temporaryFolder } from '../../support/process.ts';

test('volumes are found at any depth, but not within a volume nor in what a repair of the disk has left', async () => {
  const root = temporaryFolder();
  const volumes = ['4030026000018/2026-11/inbound-0001', '4030026000018/2026-11/outbound-0001', 'outbound-0001'];
  const others = ['lost+found/#12/outbound-0007', '4030026000018/2026-11/outbound-0001/15/inbound-0001', 'empty'];
  for (const path of [...volumes, ...others]) mkdirSync(join(root, path), { recursive: true });
  assert.deepEqual(await openArchiveFolder(root).volumes(), volumes);
  assert.deepEqual(await openArchiveFolder(`${root}/`).volumes(), volumes);
  assert.deepEqual(await openArchiveFolder(join(root, 'not-there')).volumes(), []);
});

test('what keeps an archive from being written is told with its folder', async () => {
  const root = temporaryFolder();
  const name = { tenant: '4030026000018', month: '2026-11', side: 'outbound' } as const;
  const refused = (error: unknown) =>
    error instanceof OperatorError && error.message.startsWith(`The archive ${root} cannot be written: E`);
  const volume = await openArchiveFolder(root).begin(name, {});
  rmSync(join(root, volume.draft), { recursive: true });
  writeFileSync(join(root, volume.draft), 'in its place');
  await assert.rejects(volume.add('15/one.pdf', new Uint8Array(1)), refused);
  await assert.rejects(volume.addLine('{}'), refused);
  await assert.rejects(volume.seal(), refused);
  rmSync(join(root, volume.draft));
  await assert.rejects(volume.finish(), refused);
  writeFileSync(join(root, 'other'), 'in its place');
  await assert.rejects(openArchiveFolder(root).begin({ ...name, tenant: 'other' }, {}), refused);
});

const PROC = '/proc/self/fd';
const skip = existsSync(PROC) ? false : 'which files are flushed is read in /proc';

test('names in every folder of a volume, and of the folders above it, survive a power failure', { skip }, async (t) => {
  const root = temporaryFolder();
  const handle = await open(root, 'r');
  await handle.close();
  const flushed: string[] = [];
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  t.mock.method(prototype, 'sync', function flush(this: FileHandle) {
    flushed.push(relative(root, readlinkSync(join(PROC, String(this.fd)))));
    return this.datasync();
  });
  const volume = await openArchiveFolder(root).begin({ tenant: '1', month: '2026-11', side: 'outbound' }, {});
  await volume.add('15/one.pdf', new Uint8Array(1));
  await volume.addLine('{}');
  await volume.seal();
  await volume.finish();
  const [draft, final] = [volume.draft, volume.path];
  assert.ok(!flushed.includes(final), 'it is flushed before it has its name');
  for (const folder of [`${draft}/15`, draft, '1/2026-11', '1', '']) assert.ok(flushed.includes(folder), folder);
  assert.ok(flushed.indexOf(draft) < flushed.indexOf('1/2026-11'));
});

test('a manifest that cannot be read keeps nobody from those of other volumes', async () => {
  const root = temporaryFolder();
  const folder = openArchiveFolder(root);
  const name = { tenant: '4030026000018', month: '2026-11', side: 'outbound' } as const;
  for (const file of ['15/one.pdf', '15/two.pdf']) {
    const volume = await folder.begin(name, {});
    await volume.add(file, Buffer.from(file));
    await volume.addLine('{}');
    await volume.seal();
    await volume.finish();
  }
  const names = async () => [...(await folder.files(name)).keys()].map((key) => key.slice(65));
  assert.ok((await names()).includes('15/one.pdf'));
  const manifest = join(root, '4030026000018/2026-11/outbound-0001/manifest.sha256');
  rmSync(manifest);
  mkdirSync(manifest);
  assert.deepEqual((await names()).includes('15/one.pdf'), false);
  assert.ok((await names()).includes('15/two.pdf'));
});
