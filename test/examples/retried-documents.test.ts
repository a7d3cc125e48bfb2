import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { CONNECTORS } from './connector-programs.ts';
import { DOC_UID, type Document, folderWith, linesOf, runConnector, startTakingService } from './taking-service.ts';

const REJECTED = { status: 50, failureCode: 'E1' };
const FAILED = { status: 55, failureCode: 'E2' };
const ACCEPTED = { status: 40 };
const TAKEN = `taken\ta.xml\t${DOC_UID}`;
const DAY_S = 86_400;

/** What a run says, how it ends, and the lines that it adds, when the service says this of the document. */
type Run = readonly [said: Document, stderr: string, exitCode: number, added: readonly RegExp[]];

const HISTORY: readonly Run[] = [
  [REJECTED, 'a.xml: ended in 50: E1 because\n', 1, [/^final\ta\.xml\t50\t\d{10}$/u]],
  [REJECTED, '', 0, []],
  [{ status: 20 }, 'a.xml: is being retried\n', 0, [/^retried\ta\.xml$/u]],
  [{ status: 30 }, '', 0, []],
  [REJECTED, 'a.xml: ended in 50: E1 because\n', 1, [/^final\ta\.xml\t50\t\d{10}$/u]],
  [FAILED, 'a.xml: ended in 55: E2 because\n', 1, [/^final\ta\.xml\t55\t\d{10}$/u]],
  [ACCEPTED, 'a.xml: was accepted after all\n', 0, [/^final\ta\.xml\t40\t\d{10}$/u]],
  [REJECTED, '', 0, []],
];

suite('the connectors, when the operator has a document retried,', () => {
  for (const [language, { skip, command }] of Object.entries(CONNECTORS)) {
    test(`in ${language}: report what becomes of it, each time once`, { skip }, async (t) => {
      const documents = new Map<string, Document>();
      const url = await startTakingService(t, [], documents);
      const folder = folderWith();
      writeFileSync(join(folder, 'state.tsv'), `${TAKEN}\n`);
      for (const [place, [said, stderr, exitCode, added]] of HISTORY.entries()) {
        documents.set(DOC_UID, said);
        const before = linesOf(folder);
        const run = await runConnector(t, command, url, folder);
        assert.deepEqual([run.stderr, run.exitCode], [stderr, exitCode], `run ${place}`);
        const lines = linesOf(folder).slice(before.length);
        assert.equal(lines.length, added.length, `run ${place}: ${lines}`);
        for (const [number, line] of lines.entries()) assert.match(line, added[number] ?? /^$/u);
      }
    });

    test(`in ${language}: ask for it until it has been in 50 or 55 for seven days`, { skip }, async (t) => {
      const now = Math.floor(Date.now() / 1_000);
      const documents = new Map<string, Document>();
      const state = [
        [`final\tsix-days.xml\t55\t${now - 6 * DAY_S}`, ACCEPTED],
        [`final\tseven-days.xml\t55\t${now - 7 * DAY_S}`, ACCEPTED],
        [`final\tcancelled.xml\t60\t${now}`, ACCEPTED],
        // Lines of the version before.
        ['final\trejected-before.xml\t50', ACCEPTED],
        ['final\taccepted-before.xml\t40\nstored\taccepted-before.xml', REJECTED],
        // What a service that was restored does not have.
        [`final\tlost.xml\t55\t${now}`, null],
      ] as const;
      const lines = state.flatMap(([line, document], place) => {
        const docUid = `${DOC_UID}-${place}`;
        if (document !== null) documents.set(docUid, document);
        return [`taken\t${line.split('\t')[1]}\t${docUid}`, ...line.split('\n')];
      });
      const folder = folderWith();
      writeFileSync(join(folder, 'state.tsv'), `${lines.join('\n')}\n`);
      const run = await runConnector(t, command, await startTakingService(t, [], documents), folder);
      assert.deepEqual([run.stderr, run.exitCode], ['six-days.xml: was accepted after all\n', 0]);
      const [added, ...more] = linesOf(folder).slice(lines.length);
      assert.match(added ?? '', /^final\tsix-days\.xml\t40\t\d{10}$/u);
      assert.deepEqual(more, []);
    });
  }
});
