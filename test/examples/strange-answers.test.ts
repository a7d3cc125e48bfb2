import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { CONNECTORS } from './connector-programs.ts';
import { DOC_UID, folderWith, linesOf, runConnector, startTakingService } from './taking-service.ts';

/** Errors of proxies, each in JSON of its own. */
const ERRORS = ['["Bad Gateway"]', '"Bad Gateway"', 'null'].map((body) => ({ status: 502, body }));
const SWITCHED_OFF = { status: 409, body: '{"code":"ERR-9001","detail":"Switched off."}' };
const TOO_LARGE_FOR_A_PROXY = { status: 413, body: '<html>' };
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

    test(`in ${language}: what cannot be submitted now keeps nothing else from being done`, { skip }, async (t) => {
      const folder = folderWith('a.xml', 'b.xml', 'c.xml');
      const url = await startTakingService(t, [SWITCHED_OFF, TOO_LARGE_FOR_A_PROXY]);
      const { exitCode, stderr } = await runConnector(t, command, url, folder);
      assert.equal(exitCode, 1, stderr);
      assert.deepEqual(
        stderr.match(/^(?:a\.xml: ERR-9001: .*Switched off\.|b\.xml: HTTP 413.*)$/gmu)?.length,
        2,
        stderr,
      );
      const done = () => linesOf(folder).filter((line) => !line.startsWith('begin'));
      assert.deepEqual(done(), [TAKEN.replace('a.xml', 'c.xml')]);
      assert.equal((await runConnector(t, command, url, folder)).exitCode, 0);
      assert.deepEqual(done().slice(1), [TAKEN, TAKEN.replace('a.xml', 'b.xml')]);
    });
  }
});
