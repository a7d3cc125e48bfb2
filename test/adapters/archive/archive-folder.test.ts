import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openArchiveFolder } from '../../../src/adapters/archive/archive-folder.ts';
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
