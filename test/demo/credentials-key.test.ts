import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { readConfig } from '../../src/config.ts';
import { completeConfig } from '../../src/demo/credentials-key.ts';
import { temporaryFolder } from '../support/process.ts';

function newFolder(): string {
  return join(temporaryFolder(), 'not', 'there', 'yet');
}

test('the demo environment makes a key of 32 bytes once and finds it again', async () => {
  const config = readConfig({ DATA_DIR: newFolder() });
  const { credentialsKeys, ...rest } = await completeConfig(config, systemRandom);
  assert.deepEqual({ ...rest, credentialsKeys: null }, config);
  const [key = '', ...more] = credentialsKeys ?? [];
  assert.deepEqual([Buffer.from(key, 'base64').length, more], [32, []]);
  assert.deepEqual((await completeConfig(config, systemRandom)).credentialsKeys, [key]);
  assert.deepEqual(readConfig({ CREDENTIALS_KEY: key }).credentialsKeys, [key]);
});

test('nobody but the owner can read it', async () => {
  const { dataDir } = await completeConfig(readConfig({ DATA_DIR: newFolder() }), systemRandom);
  assert.equal(statSync(join(dataDir, 'credentials.key')).mode & 0o777, 0o600);
});

test('many that start at the same time get the same key, and nothing else is left behind', async () => {
  const config = readConfig({ DATA_DIR: newFolder() });
  const completed = await Promise.all(Array.from({ length: 20 }, () => completeConfig(config, systemRandom)));
  const keys = new Set(completed.map(({ credentialsKeys }) => credentialsKeys?.[0]));
  assert.deepEqual([...keys], [readFileSync(join(config.dataDir, 'credentials.key'), 'utf8').trim()]);
  assert.deepEqual(readdirSync(config.dataDir), ['credentials.key']);
});

test('a key that is given is the one that counts, and no other is made', async () => {
  const given = Buffer.alloc(32, 5).toString('base64');
  const folder = temporaryFolder();
  const config = readConfig({ DATA_DIR: folder, CREDENTIALS_KEY: given });
  assert.deepEqual((await completeConfig(config, systemRandom)).credentialsKeys, [given]);
  assert.deepEqual(readdirSync(folder), []);
});

test('a file that is no key is named, and not a variable that nobody has set; it stays as it is', async () => {
  const dataDir = temporaryFolder();
  const file = join(dataDir, 'credentials.key');
  const completing = () => completeConfig(readConfig({ DATA_DIR: dataDir }), systemRandom);
  for (const text of ['', Buffer.alloc(20, 7).toString('base64'), 'not a key']) {
    writeFileSync(file, text);
    await assert.rejects(completing, { message: new RegExp(`^${file} is not the key that the demo environment made`) });
    assert.equal(readFileSync(file, 'utf8'), text);
  }
});

test('a folder in the place of the key is named', async () => {
  const dataDir = temporaryFolder();
  const file = join(dataDir, 'credentials.key');
  mkdirSync(file);
  const completing = completeConfig(readConfig({ DATA_DIR: dataDir }), systemRandom);
  await assert.rejects(completing, { message: new RegExp(`^${file} cannot be read: EISDIR`) });
});
