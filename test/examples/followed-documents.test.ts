import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { CONNECTORS, type Connector } from './connector-programs.ts';
import { type Document, folderWith, linesOf, runConnector, startTakingService } from './taking-service.ts';

const [STUCK, OTHER] = ['01a1eaee-0c86-7c21-a7d2-c2e5975c6cb9', '01a1eaee-0c86-7c21-a7d2-c2e5975c6cba'] as const;
const REJECTED = { status: 50, failureCode: 'E1' };
const REFUSED = { status: 400, body: '{"code":"ERR-2002","detail":"No."}' };
const LARGEST_FILE_KB = 256;

/** Whole lines of a state to which nothing can be added: the program ends where it tries. */
function fullState(...lines: readonly string[]): string {
  const rest = LARGEST_FILE_KB * 1_024 - 'imported\t\n'.length - lines.join('\n').length - 1;
  return `${lines.join('\n')}\nimported\t${'x'.repeat(rest)}\n`;
}

/** The cache of Node has larger files, which it may write elsewhere. */
function withoutSpace(command: Connector['command']): Connector['command'] {
  const limit = `ulimit -f ${LARGEST_FILE_KB}; unset NODE_COMPILE_CACHE; exec "$@"`;
  return async () => ['bash', '-c', limit, 'limited', ...(await command())];
}

suite('the connectors, following documents,', () => {
  for (const [language, { skip, command }] of Object.entries(CONNECTORS)) {
    test(`in ${language}: one that is stuck keeps no other from being followed`, { skip }, async (t) => {
      const folder = folderWith();
      writeFileSync(join(folder, 'state.tsv'), `taken\ta.xml\t${STUCK}\ntaken\tb.xml\t${OTHER}\n`);
      const documents = new Map<string, Document>([
        [STUCK, { status: 20 }],
        [OTHER, REJECTED],
      ]);
      const { exitCode, stderr } = await runConnector(t, command, await startTakingService(t, [], documents), folder);
      assert.deepEqual([exitCode, stderr], [1, 'b.xml: ended in 50: E1 because\n']);
      assert.match(linesOf(folder)[2] ?? '', /^final\tb\.xml\t50/u);
    });

    test(`in ${language}: one that a restored service has lost is reported and keeps nothing back`, {
      skip,
    }, async (t) => {
      const lost = ['new.xml', 'retried.xml', 'accepted.xml'];
      const taken = lost.map((file, place) => `taken\t${file}\t${STUCK}-${place}`);
      const more = ['retried\tretried.xml', 'final\taccepted.xml\t40\t1'];
      const folder = folderWith();
      writeFileSync(join(folder, 'state.tsv'), `${[...taken, ...more, `taken\tz.xml\t${OTHER}`].join('\n')}\n`);
      const asked: string[] = [];
      const url = await startTakingService(t, [], new Map([[OTHER, REJECTED]]), asked);
      const { exitCode, stderr } = await runConnector(t, command, url, folder);
      assert.equal(exitCode, 1, stderr);
      assert.deepEqual(stderr.trimEnd().split('\n').toSorted(), [
        ...lost.map((file) => `${file}: is not known to the service any more; ask its operator`).toSorted(),
        'z.xml: ended in 50: E1 because',
      ]);
      assert.ok(
        asked.some((path) => path.includes('/inbound')),
        'arrivals are imported',
      );
    });

    test(`in ${language}: what is reported is not lost when the state cannot be written after it`, {
      skip,
    }, async (t) => {
      const documents = new Map([[OTHER, REJECTED]]);
      const sha256 = createHash('sha256').update('<Invoice/>').digest('hex');
      for (const [state, said, written] of [
        [`taken\tb.xml\t${OTHER}`, /^b\.xml: ended in 50: E1 because$/mu, /^final\tb\.xml\t50/mu],
        [`begin\ta.xml\tkey\t${sha256}`, /^a\.xml: ERR-2002: .*No\.$/mu, /^refused\ta\.xml\tERR-2002$/mu],
      ] as const) {
        const folder = folderWith(...(state.startsWith('begin') ? ['a.xml'] : []));
        const place = join(folder, 'state.tsv');
        writeFileSync(place, fullState(state));
        const url = await startTakingService(t, [REFUSED, REFUSED], documents);
        const cut = await runConnector(t, withoutSpace(command), url, folder);
        assert.notEqual(cut.exitCode, 0);
        assert.match(cut.stderr, said);
        assert.doesNotMatch(readFileSync(place, 'utf8'), written);
        const next = await runConnector(t, command, url, folder);
        assert.equal(next.exitCode, 1, next.stderr);
        assert.match(next.stderr, said);
        assert.match(readFileSync(place, 'utf8'), written);
        const last = await runConnector(t, command, url, folder);
        assert.deepEqual([last.exitCode, last.stderr], [0, '']);
      }
    });

    test(`in ${language}: nobody who reads what is reported keeps nothing from being done`, { skip }, async (t) => {
      const url = await startTakingService(t, [], new Map([[OTHER, REJECTED]]));
      for (const nobody of ['2>&-', '2> >(exec true)']) {
        const folder = folderWith();
        writeFileSync(join(folder, 'state.tsv'), `taken\tb.xml\t${OTHER}\n`);
        const unread = async () => ['bash', '-c', `"$@" ${nobody}`, 'unread', ...(await command())] as const;
        assert.notEqual((await runConnector(t, unread, url, folder)).exitCode, 0);
        assert.match(linesOf(folder)[1] ?? '', /^final\tb\.xml\t50/u);
      }
    });
  }
});
