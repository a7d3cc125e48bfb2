import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Declared, importCircles, importsOf, importViolations, undeclaredPackages } from './import-rules.ts';
import { projectFile, sourceFiles } from './source-files.ts';

const PROGRAM = ['src', 'simulator', 'client/src'];
const files = sourceFiles(PROGRAM, '.ts');
const tools = sourceFiles(['bench', 'scripts'], '.ts');
const OTHERS = ['bin', 'examples', 'generators', 'test'];
const everything = [
  ...files,
  ...tools,
  ...sourceFiles(OTHERS, '.ts'),
  ...sourceFiles([...PROGRAM, 'bench', 'scripts', ...OTHERS], '.js'),
];

const declaredPackages = ['client/', 'examples/connectors/typescript/', 'generators/', ''].map((folder): Declared => {
  const manifest = JSON.parse(projectFile(`${folder}package.json`)) as Record<string, object | undefined>;
  const named = (...kinds: readonly string[]) => new Set(kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {})));
  const forProgram = ['dependencies', 'peerDependencies'];
  return { folder, forProgram: named(...forProgram), all: named(...forProgram, 'devDependencies') };
});

test('no file imports what its layer may not, and only the configuration reads the environment', () => {
  assert.deepEqual(importViolations(files), []);
});

test('there is no circle of imports; in the program and its tools none of types alone either', () => {
  assert.deepEqual(importCircles(everything, false), []);
  assert.deepEqual(importCircles([...files, ...tools], true), []);
});

test('every package that is imported is declared, and what the program imports is there where it is installed', () => {
  assert.deepEqual(undeclaredPackages(everything, declaredPackages), []);
  assert.ok(everything.length >= 1_500, `${everything.length} files`);
});

test('a package that is not declared is noticed', () => {
  const found = (path: string, text: string) => undeclaredPackages([{ path, text }], declaredPackages);
  assert.deepEqual(found('src/app/a.ts', "import { b } from 'ky';"), ['src/app/a.ts imports ky']);
  assert.deepEqual(found('src/app/a.ts', "import fc from 'fast-check';"), ['src/app/a.ts imports fast-check']);
  assert.deepEqual(found('test/a.ts', "import { b } from '@fastify/swagger/c.js';"), [
    'test/a.ts imports @fastify/swagger',
  ]);
  assert.deepEqual(found('test/a.ts', "import { b } from 'openapi-typescript';"), [
    'test/a.ts imports openapi-typescript',
  ]);
  assert.deepEqual(
    found('test/a.ts', "import fc from 'fast-check';\nimport { pg } from 'pg/lib/a.js';\nimport './b.ts';"),
    [],
  );
});

test('a circle of imports is found, also one of types alone', () => {
  const circle = [
    { path: 'src/app/a.ts', text: "import { b } from './b.ts';" },
    { path: 'src/app/b.ts', text: "import type { C } from '../domain/c.ts';" },
    { path: 'src/domain/c.ts', text: "import type { A } from '../app/a.ts';" },
    { path: 'src/domain/d.ts', text: "import type { C } from './c.ts';" },
  ];
  assert.deepEqual(importCircles(circle, true), ['src/app/a.ts → src/app/b.ts → src/domain/c.ts → src/app/a.ts']);
  assert.deepEqual(importCircles(circle.slice(1), true), []);
  assert.deepEqual(importCircles(circle, false), []);
  const ofValues = circle.map(({ path, text }) => ({ path, text: text.replace('import type', 'import') }));
  assert.equal(importCircles(ofValues, false).length, 1);
});

test('the whole tree was looked at', () => {
  const folders = [
    'src/app/',
    'src/demo/',
    'src/domain/',
    'src/application/',
    'src/adapters/',
    'src/http/',
    'src/console/',
    'src/worker/',
    'src/cli/',
    'simulator/',
    'client/src/',
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
    ['src/domain/accounts/edb.ts', "import { problem } from '../../application/errors/problem.ts';"],
    ['src/domain/accounts/edb.ts', "import type { Storage } from '../../application/ports/storage/storage.ts';"],
    ['src/domain/accounts/edb.ts', "import { hash } from 'node:crypto';"],
    ['src/application/intake/submit.ts', "import { openSqlite } from '../../adapters/sql/sqlite/open-sqlite.ts';"],
    ['src/application/intake/submit.ts', "import {\n  createServer,\n  type Needs,\n} from '../../http/server.ts';"],
    ['src/application/intake/submit.ts', "import { readConfig } from '../../config.ts';"],
    ['src/application/intake/submit.ts', "import { readFile } from 'node:fs/promises';"],
    ['src/adapters/sql/storage.ts', "import { createPace } from '../limits/pace.ts';"],
    ['src/adapters/sql/storage.ts', "import { server } from '../../http/server.ts';"],
    ['src/adapters/sql/storage.ts', "import { submitOutbound } from '../../application/intake/submit-outbound.ts';"],
    ['src/adapters/sql/storage.ts', "import type { Config } from '../../config.ts';"],
    ['src/adapters/threads/thread-pool.ts', "import { createStorage } from '../sql/storage.ts';"],
    ['src/adapters/ujp/client.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['src/adapters/ujp/client.ts', "import type { FastifyInstance } from 'fastify';"],
    ['src/http/server.ts', "import { createServer, type Server } from 'node:http';"],
    ['simulator/main.ts', "const http = await import('node:http');"],
    ['src/http/server.ts', "export { openSqlite } from '../adapters/sql/sqlite/open-sqlite.ts';"],
    ['src/console/console.ts', "import { openSqlite } from '../adapters/sql/sqlite/open-sqlite.ts';"],
    ['src/console/console.ts', "import { fastify } from 'fastify';"],
    ['src/http/server.ts', "import { createConsole } from '../console/console.ts';"],
    ['src/http/server.ts', "const app = await import('../app/service.ts');"],
    ['src/http/routes/ping.ts', "import '../../cli/help.ts';"],
    ['src/worker/worker.ts', "import { table } from '../cli/table.ts';"],
    ['src/cli/help.ts', "import swagger from '@fastify/swagger';"],
    ['src/cli/help.ts', "import { createLog } from '../adapters/platform/log.ts';"],
    ['src/app/service.ts', "import { fastify } from 'fastify';"],
    ['src/app/service.ts', "import { startDemo } from '../demo/demo-environment.ts';"],
    ['src/demo/demo-environment.ts', "import { openSqlite } from '../adapters/sql/sqlite/open-sqlite.ts';"],
    ['src/main.ts', "import { createLog } from './adapters/platform/log.ts';"],
    ['src/config.ts', "import { parseEdb } from './domain/accounts/edb.ts';"],
    ['src/http/server.ts', "const thread = new URL('../adapters/ubl/reading-thread.ts', import.meta.url);"],
    ['simulator/main.ts', "import { parseEdb } from '../src/domain/accounts/edb.ts';"],
    ['client/src/client.ts', "import type { Edb } from '../../src/domain/accounts/edb.ts';"],
    ['client/src/client.ts', "import { createHash } from 'node:crypto';"],
    ['client/src/client.ts', "import ky from 'ky';"],
    ['src/main.ts', 'const port = process.env.PORT;'],
    ['simulator/main.ts', "const port = process['env'].PORT;"],
  ];
  for (const [path, text] of violations) {
    test(`${path}: ${text.replaceAll('\n', ' ')}`, () => assert.equal(importViolations([{ path, text }]).length, 1));
  }
});

describe('a file that keeps the rules is left alone:', () => {
  const allowed: readonly (readonly [path: string, text: string])[] = [
    ['src/domain/accounts/tax-number.ts', "import { parseEdb } from './edb.ts';"],
    [
      'src/application/intake/submit.ts',
      "import { parseEdb } from '../../domain/accounts/edb.ts';\nimport { problem } from '../errors/problem.ts';",
    ],
    ['src/adapters/sql/sqlite/open-sqlite.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['src/adapters/sql/storage.ts', "import { type Random } from '../../application/ports/platform.ts';"],
    ['src/adapters/sql/storage.ts', "import { Unavailable } from '../../application/errors/service-unavailable.ts';"],
    ['src/adapters/ujp/client.ts', "import { createThreadPool } from '../threads/thread-pool.ts';"],
    ['src/http/server.ts', "import type { Server } from 'node:http';"],
    ['src/http/server.ts', "import { fastify } from 'fastify';\nimport { p } from '../application/errors/problem.ts';"],
    [
      'src/app/service.ts',
      "import type { FastifyRequest } from 'fastify';\nimport { createLog } from '../adapters/platform/log.ts';",
    ],
    ['src/demo/demo-environment.ts', "import { startSimulator } from '../../simulator/simulator.ts';"],
    ['src/config/variable-reader.ts', "import { parseAddressRange } from '../domain/values/address-range.ts';"],
    ['src/config.ts', 'export const read = (variables = process.env) => variables;'],
    ['simulator/main.ts', "import { codeLists } from './catalogue/code-lists.ts';"],
  ];
  for (const [path, text] of allowed) {
    test(`${path}: ${text.replaceAll('\n', ' ')}`, () => assert.deepEqual(importViolations([{ path, text }]), []));
  }
});
