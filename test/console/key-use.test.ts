import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase } from '../support/fresh-database.ts';
import { as, startTestService } from '../support/service.ts';
import { signedIn } from './console-visitor.ts';

test('a key that was used before a stop is shown with its time, one that was not as never used', async () => {
  const database = await freshDatabase();
  const former = await startTestService({ database });
  const before = Date.now();
  assert.equal((await fetch(`${former.api}/ping`, { headers: as('demo-alfa') })).status, 200);
  assert.equal((await fetch(`${former.api}/ping`, { headers: as('no-such-key') })).status, 401);
  await former.stop();
  const service = await startTestService({ database });
  try {
    const keys = await service.operator.keys.list(null);
    const used = keys.filter(({ lastUsedAt }) => lastUsedAt !== null);
    assert.deepEqual(
      used.map(({ software }) => software),
      ['demo-alfa'],
    );
    const at = used[0]?.lastUsedAt ?? 0;
    assert.ok(at >= before && at <= Date.now());
    const petar = await signedIn(service, 'petar', 'viewer');
    const { text } = await petar.get('/keys');
    assert.match(text, /<th scope="col">Last used<\/th>/u);
    assert.ok(text.includes(`<time datetime="${new Date(at).toISOString()}">`));
    for (const [name, times] of [
      ['Last used', keys.map(({ lastUsedAt }) => lastUsedAt)],
      ['Expires', keys.map(({ expiresAt }) => expiresAt)],
    ] as const) {
      const never = times.filter((time) => time === null);
      assert.equal(text.split(`<td data-name="${name}">never</td>`).length - 1, never.length, name);
    }
  } finally {
    await service.stop();
  }
});
