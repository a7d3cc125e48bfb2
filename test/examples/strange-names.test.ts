import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { CONNECTORS } from './connector-programs.ts';
import { DOC_UID, folderWith, linesOf, runConnector, startTakingService } from './taking-service.ts';

/** Some programs break lines at these signs. */
const NAMES = ['\u2028', '\u0085', '\u000b', '\u001e', ' ', '\\', '$(exit 7)'].map((sign) => `a${sign}b.xml`);
/** "Фак.xml" in windows-1251. */
const NOT_UTF_8 = Buffer.from('d4e0ea2e786d6c', 'hex');

suite('the connectors, whatever files are called,', () => {
  for (const [language, { skip, command }] of Object.entries(CONNECTORS)) {
    test(`in ${language}: find their own lines again`, { skip }, async (t) => {
      const folder = folderWith(...NAMES);
      const url = await startTakingService(t, []);
      const first = await runConnector(t, command, url, folder);
      assert.deepEqual([first.exitCode, first.stderr], [0, '']);
      const lines = linesOf(folder);
      for (const name of NAMES) assert.ok(lines.includes(`taken\t${name}\t${DOC_UID}`), JSON.stringify(name));
      const second = await runConnector(t, command, url, folder);
      assert.deepEqual([second.exitCode, second.stderr, linesOf(folder)], [0, '', lines]);
    });

    test(`in ${language}: are not stopped by one that is not in UTF-8`, { skip }, async (t) => {
      const folder = folderWith(NOT_UTF_8, 'z.xml');
      const url = await startTakingService(t, []);
      for (let run = 0; run < 2; run += 1) {
        const { stderr } = await runConnector(t, command, url, folder);
        assert.ok(linesOf(folder).includes(`taken\tz.xml\t${DOC_UID}`), stderr);
        // Either it is submitted, or somebody is told.
        assert.ok(
          linesOf(folder).filter((line) => line.startsWith('taken')).length === 2 || /UTF-8/u.test(stderr),
          stderr,
        );
      }
    });
  }
});
