import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { filledStore } from '../cli/filled-store.ts';
import { postgresServer } from '../support/postgres.ts';
import { startProgram, temporaryFolder } from '../support/process.ts';
import { CANNOT_PASTE } from './bash.ts';
import { commandsForShell } from './commands-for-shell.ts';

const PAGE = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');

/** The commands of a section, but for those of the server's own tools, which are not at hand. */
function commandsOf(heading: string): readonly string[] {
  const section = PAGE.split(/^#{2,3} /mu).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```\n(.*?)^```$/gmsu)].map(([, block = '']) => block);
  return blocks
    .join('')
    .trim()
    .split('\n')
    .filter((line) => !/^pg_/u.test(line));
}

test('the commands for backup, restore, archive and moving up do what the page says', {
  skip: CANNOT_PASTE,
}, async (t) => {
  const dataDir = await filledStore();
  age(dataDir);
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'backup'));
  const url = await (await postgresServer()).createDatabase();
  const commands = ['Backup and restore', 'After a restore', 'Archive', 'Moving up to PostgreSQL'].flatMap(commandsOf);
  assert.equal(commands.length, 8, commands.join('\n'));
  const script = commands
    // It says itself that it is to be run again, until nothing that was sent before the restore can be registered any more.
    .map((command) => (command.startsWith('dostava reconcile') ? `until ${command}; do :; done` : `( ${command} )`))
    .join('\n')
    .replaceAll('/srv/', `${folder}/`)
    .replaceAll('/var/lib/dostava', dataDir)
    // A time that is over, whenever this runs.
    .replaceAll(/(?<=--since )[^\s;]+/gu, '2026-01-31T02:00:00Z')
    .replaceAll(/postgres:\/\/[^\s)]+/gu, `'${url}'`);
  const { declaration, close } = await commandsForShell({
    DATA_DIR: dataDir,
    OUTCOME_WINDOW_SECONDS: '1',
    ARCHIVE_DIR: join(folder, 'archive'),
  });
  t.after(close);
  const shell = startProgram(t, 'bash', ['-e', '-c', `${declaration}\n${script}`], {});
  const { exitCode, stdout, stderr } = await shell.finished();
  assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
  const said = [
    /CREDENTIALS_KEY is not in it/u,
    /dostava-monday: OK/u,
    /The former database is now .*dostava\.sqlite\.replaced-/u,
    /Documents are sent again\./u,
    /2 documents were written, 0 were in the archive already/u,
    /The archive is in order/u,
    /0 documents were written, 2 were in the archive already\.\n.*\n2 documents were marked as archived, \d files were removed/u,
    /Every row is there, byte for byte/u,
  ];
  for (const pattern of said) assert.match(stdout, pattern);
});

/** What is accepted becomes ten years old. */
function age(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'dostava.sqlite'));
  database.prepare('update outbound set created_at = ? where status = 40').run(Date.UTC(2015, 5, 1));
  database.close();
}
