import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { CONNECTORS } from './connector-programs.ts';
import { type Document, folderWith, linesOf, runConnector, startTakingService } from './taking-service.ts';

const [STUCK, OTHER] = ['01a1eaee-0c86-7c21-a7d2-c2e5975c6cb9', '01a1eaee-0c86-7c21-a7d2-c2e5975c6cba'] as const;
const REJECTED = { status: 50, failureCode: 'E1' };

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
  }
});
