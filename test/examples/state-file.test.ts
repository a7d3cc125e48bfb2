import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { startAnswering } from './answering-server.ts';
import { CONNECTORS, type Connector } from './connector-programs.ts';
import { DOC_UID, folderWith, runConnector, startTakingService } from './taking-service.ts';

const SUBMISSION = '/api/integration/v1/outbound';

/** As on a full disk, a file may have 1024 bytes and not one more. */
function withFullDisk(command: Connector['command']): Connector['command'] {
  const limit = 'ulimit -f 1; unset NODE_COMPILE_CACHE; exec "$@"';
  return async () => ['bash', '-c', limit, 'bash', ...(await command())];
}

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
      assert.match(second?.stderr ?? '', /^another run is under way/u);
    });
  }
});
