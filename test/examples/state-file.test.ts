import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { startAnswering } from './answering-server.ts';
import { CONNECTORS, type Connector } from './connector-programs.ts';
import { DOC_UID, folderWith, runConnector, startTakingService } from './taking-service.ts';

const SUBMISSION = '/api/integration/v1/outbound';

type Wrapping = (command: Connector['command']) => Connector['command'];

/** As on a full disk, a file may have 1024 bytes and not one more. */
const withFullDisk: Wrapping = (command) => async () => {
  const limit = 'ulimit -f 1; unset NODE_COMPILE_CACHE; exec "$@"';
  return ['bash', '-c', limit, 'bash', ...(await command())];
};

/** Root may write what is closed to all; without this right of its own, nobody may. */
const withoutRights: Wrapping = (command) => async () =>
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override', ...(await command())] : command();

const withoutFlock: Wrapping = (command) => async () => {
  const program = 'flock() { return 127; }; export -f flock; exec "$@"';
  return ['bash', '-c', program, 'bash', ...(await command())];
};

const CANNOT_DROP_RIGHTS =
  process.getuid?.() === 0 && spawnSync('setpriv', ['--bounding-set=-dac_override', 'true']).status !== 0
    ? 'setpriv is absent here'
    : false;

suite('the state file of the connectors', () => {
  for (const [language, { skip, command }] of Object.entries(CONNECTORS)) {
    test(`in ${language}: a line that the disk has not taken whole lets nothing be submitted`, { skip }, async (t) => {
      const folder = folderWith('a.xml');
      writeFileSync(join(folder, 'state.tsv'), `refused\t${'x'.repeat(980)}\tERR-2001\n`);
      const asked: string[] = [];
      const url = await startTakingService(t, [], undefined, asked);
      assert.notEqual((await runConnector(t, withFullDisk(command), url, folder)).exitCode, 0);
      assert.ok(!asked.includes(SUBMISSION), asked.join(' '));
    });

    test(`in ${language}: a second run that begins during the first submits nothing`, { skip }, async (t) => {
      const folder = folderWith('a.xml', 'b.xml');
      const ends: (Promise<{ readonly exitCode: number | null; readonly stderr: string }> | null)[] = [];
      const url = await startAnswering(t, async ({ method }) => {
        if (method !== 'POST') return { status: 200, body: '{"items":[],"totalPages":0,"status":20}' };
        ends.push(ends.length === 0 ? runConnector(t, command, url, folder) : null);
        if (ends.length === 1) await ends[0];
        return { status: 201, body: JSON.stringify({ docUid: `${DOC_UID}-${ends.length}`, status: 10 }) };
      });
      assert.equal((await runConnector(t, command, url, folder)).exitCode, 0);
      const second = await ends[0];
      assert.deepEqual([ends.length, second?.exitCode], [2, 1]);
      assert.match(
        second?.stderr ?? '',
        language === 'bash'
          ? /^another run is under way in this folder$/mu
          : /^another run .*or its file system has no locks/u,
      );
    });

    const skipUnlocked = skip || (language === 'bash' ? false : CANNOT_DROP_RIGHTS);
    test(`in ${language}: a folder that cannot be locked lets nothing be submitted`, {
      skip: skipUnlocked,
    }, async (t) => {
      const folder = folderWith('a.xml');
      writeFileSync(join(folder, '.lock'), '', { mode: 0o444 });
      const asked: string[] = [];
      const url = await startTakingService(t, [], undefined, asked);
      const wrapping = language === 'bash' ? withoutFlock : withoutRights;
      const { exitCode, stderr } = await runConnector(t, wrapping(command), url, folder);
      assert.match(stderr, /^the folder cannot be locked/u);
      assert.deepEqual([exitCode, asked], [1, []]);
    });
  }
});
