import { systemRandom } from '../../../src/adapters/platform/platform.ts';
import type { Engine } from '../../../src/adapters/sql/engine.ts';
import { createStorage } from '../../../src/adapters/sql/storage.ts';
import { feedMirror } from '../../engines/feed-mirror.ts';
import type { Taxpayer } from '../world/taxpayers.ts';

/** A reader that saw nothing but the change feed knows every document as it is. */
export async function assertFeedMirrors(engine: Engine, { edb }: Taxpayer): Promise<void> {
  // Nothing is written, so the random bytes are not asked for.
  const storage = createStorage(engine, systemRandom);
  const mirror = feedMirror(edb);
  await mirror.readOn(storage);
  await mirror.assertTrue(storage);
}
