import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCopySource } from '../../src/adapters/sql/sqlite/copy-source.ts';
import { postgresServer } from '../support/postgres.ts';
import { temporaryFolder } from '../support/process.ts';
import { commandsHere } from './commands-here.ts';
import { filledStore } from './filled-store.ts';
import { setAsideIn, takeBack } from './set-aside.ts';

test('an embedded database that was copied has another name, so that nothing delivers from it by mistake, and works again under its own', async () => {
  const dataDir = await filledStore();
  const url = await (await postgresServer()).createDatabase();
  const { run, refusal } = commandsHere({ DATABASE_URL: url });
  const { exitCode, stdout } = await run('migrate-store', '--from', dataDir, '--json');
  assert.equal(exitCode, 0);
  assert.equal((JSON.parse(stdout) as { setAside: string }).setAside, setAsideIn(dataDir));
  const there = commandsHere({ DATA_DIR: dataDir });
  const [code, told] = await there.refusal('tenant', 'list');
  assert.equal(code, 3);
  assert.ok(told.includes(`${setAsideIn(dataDir)} was copied to PostgreSQL by "dostava migrate-store"`), told);
  assert.match(told, /Set DATABASE_URL/u);
  assert.doesNotMatch(told, /init/u);

  const tools = [
    there.refusal('backup', '--to', join(temporaryFolder(), 'backup')),
    // As by somebody who has not seen how the copy ended.
    refusal('migrate-store', '--from', dataDir),
  ];
  for (const [, said] of await Promise.all(tools)) assert.equal(said, told);

  takeBack(dataDir);
  assert.equal((await there.run('tenant', 'list')).exitCode, 0);
  assert.match(
    (await refusal('migrate-store', '--from', dataDir))[1],
    /copy of this database that is complete.+another name/u,
  );
  const other = await filledStore();
  assert.match((await refusal('migrate-store', '--from', other))[1], /complete copy of another database/u);
  assert.deepEqual(
    [existsSync(join(other, 'dostava.sqlite')), existsSync(join(dataDir, 'dostava.sqlite'))],
    [true, true],
  );
});

test('an embedded database that cannot be given another name is named, with what is left to do', async (t) => {
  const dataDir = await filledStore();
  const source = await openCopySource(join(dataDir, 'dostava.sqlite'));
  t.after(() => source.close());
  mkdirSync(join(dataDir, 'dostava.sqlite.copied-2027-01-01T00-00-00-000Z'));
  await assert.rejects(source.setAside(Date.UTC(2027, 0, 1)), {
    message:
      /^The copy is complete, but .+dostava\.sqlite could not be given another name: .+ Do so before a service starts/u,
  });
});
