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
      const accepted = 'a.xml: was accepted after all\n';
      for (const [line, document, stderr] of [
        [`final\ta.xml\t55\t${now - 6 * DAY_S}`, ACCEPTED, accepted],
        [`final\ta.xml\t55\t${now - 7 * DAY_S}`, ACCEPTED, ''],
        [`final\ta.xml\t60\t${now}`, ACCEPTED, ''],
        // Lines of the version before.
        ['final\ta.xml\t50', ACCEPTED, ''],
        ['final\ta.xml\t40\nstored\ta.xml', REJECTED, ''],
        // What a service that was restored does not have.
        [`final\ta.xml\t55\t${now}`, null, ''],
      ] as const) {
        const folder = folderWith();
        writeFileSync(join(folder, 'state.tsv'), `${TAKEN}\n${line}\n`);
        const documents = document === null ? [] : [[DOC_UID, document] as const];
        const url = await startTakingService(t, [], new Map(documents));
        const run = await runConnector(t, command, url, folder);
        assert.deepEqual([run.stderr, run.exitCode], [stderr, 0], line);
        assert.equal(linesOf(folder).length === `${TAKEN}\n${line}`.split('\n').length, stderr === '', line);
      }
    });
  }
});
