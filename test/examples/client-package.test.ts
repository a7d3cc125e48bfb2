import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { projectFile } from '../consistency/source-files.ts';
import { PROJECT } from '../support/process.ts';
import { startTestService, WITH_BACKGROUND } from '../support/service.ts';
import { CANNOT_PACK, folderWithClient } from './packed-client.ts';

const run = promisify(execFile);
const COMPILER = join(PROJECT, 'node_modules/.bin/tsc');
const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2023'],
  types: ['node'],
  typeRoots: [join(PROJECT, 'node_modules/@types')],
  strict: true,
  noEmit: true,
  skipLibCheck: false,
};

/** A second document of the same bytes, whose row was written and which was not submitted. */
const DIED_BEFORE_ITS_CALL = `
ledger.set('again', { idempotencyKey: newIdempotencyKey(), docUid: null });
console.log('submitted:', (await submitSafely('again', await readFile('credit-note.xml', 'utf8'))) !== credited);
`;

suite('the package of the client', { skip: CANNOT_PACK }, () => {
  test('brings programs and types, and nothing else', async () => {
    const folder = join(await folderWithClient(), 'node_modules', 'dostava-client');
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.includes('.'));
    assert.ok(files.includes('dist/client.js') && files.includes('dist/client.d.ts'));
    const others = files.filter((name) => !/^(?:dist\/.*\.js|dist\/.*\.d\.ts|package\.json|README\.md)$/u.test(name));
    assert.deepEqual(others, []);
  });

  test('does what its README shows, with these types', async () => {
    const service = await startTestService({ variables: { ...WITH_BACKGROUND, DELIVERY_HOLD_SECONDS: '0' } });
    after(() => service.stop());
    const folder = await folderWithClient();
    const blocks = projectFile('client/README.md').matchAll(/^```ts\n(.*?)\n```$/gmsu);
    const program = [...Array.from(blocks, ([, block]) => block), DIED_BEFORE_ITS_CALL].join('\n');
    assert.ok(program.includes('http://127.0.0.1:8080'));
    await writeFile(join(folder, 'examples.ts'), program.replace('http://127.0.0.1:8080', service.url));
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ['examples.ts'] }),
    );
    await cp(join(PROJECT, 'docs/examples'), folder, { recursive: true });
    const compiled = await run(COMPILER, ['--project', folder]).catch((failure) => failure);
    assert.equal(compiled.stdout, '');
    const node = ['--disable-warning=ExperimentalWarning', 'examples.ts'];
    const { stdout, stderr } = await run(process.execPath, node, { cwd: folder });
    assert.equal(stderr, '');
    assert.match(stdout, /^40 [0-9a-f-]{36} 2026-7001\.\w+ [0-9a-f]{64}$/mu);
    assert.match(stdout, /^arrived inbound /mu);
    assert.match(stdout, /^40 \d+ null$/mu);
    assert.match(stdout, /^2026-7001 40$/mu);
    assert.match(stdout, /^\[ 10, 20, 30, 40 \]$/mu);
    assert.match(stdout, /^Document not found\. /mu);
    assert.match(stdout, /^submitted: true$/mu);
  });
});
