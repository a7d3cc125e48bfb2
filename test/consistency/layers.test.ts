import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { importFaults, importsOf } from './import-rules.ts';
import { sourceFiles } from './source-files.ts';

const files = sourceFiles(['src', 'simulator'], '.ts');

test('nobody imports what is not theirs, and only the configuration reads the environment', () => {
  assert.deepEqual(importFaults(files), []);
});

test('the whole tree was looked at', () => {
  const folders = [
    'src/domain/',
    'src/application/',
    'src/adapters/',
    'src/http/',
    'src/worker/',
    'src/cli/',
    'simulator/',
  ];
  for (const folder of folders)
    assert.ok(
      files.some(({ path }) => path.startsWith(folder)),
      folder,
    );
  assert.ok(files.length >= 100, `${files.length} files`);
  const imports = files.flatMap(({ text }) => importsOf(text));
  assert.ok(imports.length >= 3 * files.length, `${imports.length} imports in ${files.length} files`);
  for (const { path, text } of files) {
    const written = text.match(/^(?:import|\} from) .*$/gmu) ?? [];
    assert.ok(importsOf(text).length >= written.filter((line) => line.includes(' from ')).length, path);
  }
});

describe('a file that breaks a rule is noticed:', () => {
  const violations: readonly (readonly [path: string, text: string])[] = [
    ['src/domain/edb.ts', "import { problem } from '../application/problem.ts';"],
    ['src/domain/edb.ts', "import type { Storage } from '../application/ports.ts';"],
    ['src/domain/edb.ts', "import { hash } from 'node:crypto';"],
    ['src/application/submit.ts', "import { openSqlite } from '../adapters/sql/sqlite.ts';"],
    ['src/application/submit.ts', "import {\n  createServer,\n  type ServerNeeds,\n} from '../http/server.ts';"],
    ['src/application/submit.ts', "import { readConfig } from '../config.ts';"],
    ['src/application/submit.ts', "import { readFile } from 'node:fs/promises';"],
    ['src/adapters/sql/storage.ts', "import { createLog } from '../system/log.ts';"],
    ['src/adapters/sql/storage.ts', "import { server } from '../../http/server.ts';"],
    ['src/adapters/sql/storage.ts', "import { submitOutbound } from '../../application/submit-outbound.ts';"],
    ['src/adapters/sql/storage.ts', "import type { Config } from '../../config.ts';"],
    ['src/adapters/ujp/client.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['src/adapters/ujp/client.ts', "import type { FastifyInstance } from 'fastify';"],
    ['src/http/server.ts', "export { openSqlite } from '../adapters/sql/sqlite.ts';"],
    ['src/http/server.ts', "const app = await import('../app.ts');"],
    ['src/http/routes/ping.ts', "import '../../cli/help.ts';"],
    ['src/worker/worker.ts', "import { table } from '../cli/table.ts';"],
    ['src/cli/help.ts', "import swagger from '@fastify/swagger';"],
    ['src/app.ts', "import { fastify } from 'fastify';"],
    ['src/config.ts', "import { parseEdb } from './domain/edb.ts';"],
    ['src/http/server.ts', "const thread = new URL('../adapters/ubl/reading-thread.ts', import.meta.url);"],
    ['simulator/main.ts', "import { parseEdb } from '../src/domain/edb.ts';"],
    ['src/main.ts', 'const port = process.env.PORT;'],
    ['simulator/main.ts', "const port = process['env'].PORT;"],
  ];
  for (const [path, text] of violations) {
    test(`${path}: ${text.replaceAll('\n', ' ')}`, () => assert.equal(importFaults([{ path, text }]).length, 1));
  }
});

describe('a file that keeps the rules is left alone:', () => {
  const allowed: readonly (readonly [path: string, text: string])[] = [
    ['src/domain/tax-number.ts', "import { parseEdb } from './edb.ts';"],
    [
      'src/application/submit.ts',
      "import { parseEdb } from '../domain/edb.ts';\nimport { problem } from './problem.ts';",
    ],
    ['src/adapters/sql/sqlite.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['src/adapters/sql/storage.ts', "import { type Chance, type Storage } from '../../application/ports.ts';"],
    ['src/adapters/sql/sqlite.ts', "import { ServiceUnavailable } from '../../application/service-unavailable.ts';"],
    ['src/http/server.ts', "import { fastify } from 'fastify';\nimport { problem } from '../application/problem.ts';"],
    [
      'src/app.ts',
      "import type { FastifyRequest } from 'fastify';\nimport { openSqlite } from './adapters/sql/sqlite.ts';",
    ],
    ['src/demo-document.ts', "import { startSimulator } from '../simulator/simulator.ts';"],
    ['src/config.ts', 'export const read = (variables = process.env) => variables;'],
    ['simulator/main.ts', "import { codeLists } from './code-lists.ts';"],
  ];
  for (const [path, text] of allowed) {
    test(`${path}: ${text.replaceAll('\n', ' ')}`, () => assert.deepEqual(importFaults([{ path, text }]), []));
  }
});
