import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { startService, temporaryFolder } from '../support/process.ts';
import { fc, withRandom } from '../support/seeds.ts';
import { operatorBeside } from './operator-beside.ts';

const API = '/api/integration/v1';

/** Letters that may stand in a header and, encoded, in a path. */
const beside = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.~/ ;=,'), maxLength: 120 });

test('a key that a caller sends in the wrong place is neither in the database nor in the log', async (t) => {
  const dataDir = temporaryFolder();
  const service = await startService(t, { DATA_DIR: dataDir, LOG_LEVEL: 'trace' });
  const { keys } = await operatorBeside(t, { DATA_DIR: dataDir });
  const { secret } = await keys.issue({ tenant: readEdb('4030026000018'), software: 'ledger', callsPerMinute: 10_000 });

  await withRandom(async (random) => {
    const samples = fc.sample(fc.tuple(beside, beside), { seed: Math.floor(random() * 2 ** 31), numRuns: 12 });
    for (const [before, after] of samples) {
      const plain = `${before}${secret}${after}`;
      const encoded = [...plain].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
      const header = plain.trim();
      for (const apiKey of [secret, 'demo-alfa', 'unknown', null]) {
        const named = { ...(apiKey === null ? {} : { 'X-Api-Key': apiKey }), 'X-Software-Id': header };
        await call(`${service.url}${API}/outbound/${encodeURIComponent(plain)}`, { ...named, 'X-Request-Id': header });
        await call(`${service.url}${API}/outbound/${encoded}/file?format=${encoded}`, {
          ...named,
          'User-Agent': header,
        });
        await call(`${service.url}/${encoded}?status=${encoded}`, { ...named, 'X-Idempotency-Key': header });
        await call(`${service.url}${API}/outbound?status=${encoded}`, { ...named, 'X-Idempotency-Key': header });
        await call(`${service.url}${API}/codelists/${encodeURIComponent(plain)}`, named);
      }
    }
  });
  await service.stop();

  const files = readdirSync(dataDir).filter((name) => name.startsWith('dostava.sqlite'));
  assert.ok(files.length > 0);
  const kept = [service.stdout(), ...files.map((name) => readFileSync(join(dataDir, name), 'latin1'))];
  assert.match(kept.join('\n'), /dostava_\*\*\*/u, 'the calls are on record');
  const half = secret.slice('dostava_'.length, 'dostava_'.length + 16);
  for (const text of kept) {
    const decoded = text.replaceAll(/%([0-9a-f]{2})/giu, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    for (const place of [text, decoded]) assert.ok(!place.includes(half), around(place, half));
  }
});

/** Headers and path exactly as they are given, which `fetch` would tidy. */
function call(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, path: url.slice(new URL(url).origin.length) }, (answer) => {
      answer.resume();
      answer.on('end', resolve);
    });
    sent.on('error', reject);
    sent.end();
  });
}

function around(text: string, found: string): string {
  const at = text.indexOf(found);
  return text.slice(Math.max(0, at - 200), at + 60);
}
