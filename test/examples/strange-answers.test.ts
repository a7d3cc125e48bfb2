import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { CONNECTORS } from './connector-programs.ts';
import { DOC_UID, folderWith, linesOf, runConnector, startTakingService } from './taking-service.ts';

/** Errors of proxies, each in JSON of its own. */
const ERRORS = ['["Bad Gateway"]', '"Bad Gateway"', 'null'].map((body) => ({ status: 502, body }));
const TAKEN = `taken\ta.xml\t${DOC_UID}`;

/** What a proxy, or a page to sign in to a network, gives in place of the answer to a submission. */
const NO_ANSWERS: readonly string[] = ['', '<html>', 'null', '{}', '{"docUid":null}'];

suite('the connectors, whoever answers,', () => {
  for (const [language, { skip, command }] of Object.entries(CONNECTORS)) {
    test(`in ${language}: a file counts as submitted once its identifier is known`, { skip }, async (t) => {
      for (const body of NO_ANSWERS) {
        const folder = folderWith('a.xml');
        const url = await startTakingService(t, [{ status: 200, body }]);
        const first = await runConnector(t, command, url, folder);
        // A further run submits what the first has left.
        if (first.exitCode !== 0) assert.equal((await runConnector(t, command, url, folder)).exitCode, 0, body);
        assert.deepEqual(linesOf(folder).slice(1), [TAKEN], body);
      }
    });

    test(`in ${language}: the error of a proxy is tried again, in whatever form it comes`, { skip }, async (t) => {
      const folder = folderWith('a.xml');
      const { exitCode, stderr } = await runConnector(t, command, await startTakingService(t, ERRORS), folder);
      assert.deepEqual([exitCode, stderr, linesOf(folder).slice(1)], [0, '', [TAKEN]]);
    });
  }
});
