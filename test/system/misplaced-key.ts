import assert from 'node:assert/strict';
import { request } from 'node:http';
import { fc, withRandom } from '../support/seeds.ts';

const API = '/api/integration/v1';

/** Letters that may stand in a header and, encoded, in a path. */
const beside = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.~/ ;=,'), maxLength: 120 });

/** Sends the key in every place of a call but the one that it belongs in. */
export async function misplaceKey(url: string, secret: string): Promise<void> {
  await withRandom(async (random) => {
    const samples = fc.sample(fc.tuple(beside, beside), { seed: Math.floor(random() * 2 ** 31), numRuns: 12 });
    for (const [before, after] of samples) {
      const plain = `${before}${secret}${after}`;
      const encoded = [...plain].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
      const header = plain.trim();
      for (const apiKey of [secret, 'demo-alfa', 'unknown', null]) {
        const named = { ...(apiKey === null ? {} : { 'X-Api-Key': apiKey }), 'X-Software-Id': header };
        await call(`${url}${API}/outbound/${encodeURIComponent(plain)}`, { ...named, 'X-Request-Id': header });
        await call(`${url}${API}/outbound/${encoded}/file?format=${encoded}`, { ...named, 'User-Agent': header });
        await call(`${url}/${encoded}?status=${encoded}`, { ...named, 'X-Idempotency-Key': header });
        await call(`${url}${API}/outbound?status=${encoded}`, { ...named, 'X-Idempotency-Key': header });
        await call(`${url}${API}/codelists/${encodeURIComponent(plain)}`, named);
      }
    }
  });
}

/** The texts are what was printed, and the files of the database. */
export function assertKeyNowhere(secret: string, kept: readonly string[]): void {
  assert.match(kept.join('\n'), /dostava_\*\*\*/u, 'the calls are on record');
  const half = secret.slice('dostava_'.length, 'dostava_'.length + 16);
  for (const text of kept) {
    const decoded = text.replaceAll(/%([0-9a-f]{2})/giu, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    for (const place of [text, decoded]) assert.ok(!place.includes(half), around(place, half));
  }
}

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
