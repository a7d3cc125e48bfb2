import { posix } from 'node:path';
import type { SourceFile } from './source-files.ts';

export type Import = { readonly from: string; readonly isType: boolean };

const STATEMENT = /^\s*(?:import|export)\s([^;'"]*?)from\s*['"]([^'"]+)['"]/gmu;
const BARE = /^\s*import\s*['"]([^'"]+)['"]/gmu;
const DYNAMIC = /\bimport\s*\(\s*['"]([^'"]+)['"]/gu;
const WORKER_FILE = /new URL\(\s*['"]([^'"]+\.ts)['"]\s*,\s*import\.meta\.url/gu;

export function importsOf(text: string): readonly Import[] {
  const statements = [...text.matchAll(STATEMENT)].map(([, names = '', from = '']) => ({
    from,
    isType: isType(names),
  }));
  const others = [BARE, DYNAMIC, WORKER_FILE].flatMap((pattern) => [...text.matchAll(pattern)]);
  return [...statements, ...others.map(([, from = '']) => ({ from, isType: false }))];
}

function isType(names: string): boolean {
  if (names.trimStart().startsWith('type ')) return true;
  const listed = /^\s*\{([^}]*)\}\s*$/u.exec(names)?.[1]?.split(',') ?? [''];
  return listed.every((name) => name.trim() === '' || name.trim().startsWith('type ')) && listed.join('').trim() !== '';
}

/** Which layer a file belongs to; each adapter is a layer of its own. */
function layerOf(path: string): string {
  const [top = '', second = '', third = ''] = path.split('/');
  if (top !== 'src') return top;
  return second === 'adapters' ? `adapters/${third}` : second.replace('.ts', '');
}

/** Adapters that other adapters may use: neither knows what the others are for. */
const SHARED_ADAPTERS = ['adapters/threads', 'adapters/platform'];

function mayImport(layer: string, target: string): boolean {
  if (layer === target) return true;
  if (layer === 'domain' || layer === 'config' || layer === 'simulator' || layer === 'client') return false;
  if (layer === 'application') return target === 'domain';
  if (layer === 'main') return ['app', 'demo', 'cli', 'config', 'application'].includes(target);
  // The composition root knows both sides; the demo environment builds on it and brings the simulator.
  if (layer === 'app') return target !== 'demo' && target !== 'main' && target !== 'simulator';
  if (layer === 'demo') return ['app', 'cli', 'config', 'application', 'domain', 'simulator'].includes(target);
  // Pages are of one make, and languages are chosen in one way.
  if (layer === 'console' && target === 'http') return true;
  if (layer.startsWith('adapters/') && SHARED_ADAPTERS.includes(target)) return true;
  return target === 'application' || target === 'domain';
}

/** What adapters may take from the application beside types: the errors into which they translate theirs. */
const ERRORS_OF_PORTS = [
  'src/application/errors/commit-unknown.ts',
  'src/application/errors/authority-answers.ts',
  'src/application/errors/damage.ts',
  'src/application/errors/service-unavailable.ts',
  'src/application/errors/operator-error.ts',
  'src/application/errors/refuse-other-environment.ts',
  'src/application/errors/key-unopened.ts',
  'src/application/errors/tenant-changed.ts',
  'src/application/ports/authority.ts',
  'src/application/ports/pace.ts',
];

function violationOf(file: SourceFile, { from, isType }: Import): string | null {
  const layer = layerOf(file.path);
  if (!from.startsWith('.')) return packageViolation(file.path, layer, from, isType);
  const target = posix.join(posix.dirname(file.path), from);
  // Whether a text is an address, for example, must not be decided in two ways.
  if (layer === 'config' && target.startsWith('src/domain/values/')) return null;
  if (!mayImport(layer, layerOf(target))) return `${file.path} must not import ${target}`;
  if (!layer.startsWith('adapters/') || layerOf(target) !== 'application') return null;
  if (!isType && !ERRORS_OF_PORTS.includes(target)) return `${file.path} takes more than types from ${target}`;
  return null;
}

function packageViolation(path: string, layer: string, name: string, isType: boolean): string | null {
  // The client runs wherever there is fetch, and brings nothing along.
  const hasNoPackages = layer === 'domain' || layer === 'application' || layer === 'client';
  if (hasNoPackages) return `${path} must not import the package ${name}`;
  if (/^@?fastify(?:\/|$)/u.test(name) && layer !== 'http' && !(layer === 'app' && isType)) {
    return `${path} must not import ${name}: it lives in src/http alone`;
  }
  if (name === 'node:http' && !isType) {
    return `${path} must not import values of node:http: src/http/connections/node-http.ts says why`;
  }
  if (name === 'node:sqlite' && layer !== 'adapters/sql') {
    return `${path} must not import node:sqlite: it lives in src/adapters/sql alone`;
  }
  return null;
}

/** Everything that breaks the rules of who may import what, in sentences. */
export function importViolations(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap((file) => {
    const violations = importsOf(file.text).map((one) => violationOf(file, one));
    const readsEnvironment = /\bprocess\s*(?:\.\s*env|\[\s*['"]env)/u.test(file.text) && file.path !== 'src/config.ts';
    return [...violations, readsEnvironment ? `${file.path} must not read process.env` : null].filter(
      (violation) => violation !== null,
    );
  });
}

/** What a package of the project says it needs; `forProgram` alone is there where the program is installed. */
export type Declared = {
  readonly folder: string;
  readonly forProgram: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
};

const PACKAGE_NAME = /^(?:@[\w.-]+\/)?[a-z][\w.-]*(?=\/|$)/u;
const PROGRAM = /^(?:bin|src|simulator)\//u;

/** Every package that is imported but not declared where its file belongs, `declared` from the innermost folder to the root. */
export function undeclaredPackages(files: readonly SourceFile[], declared: readonly Declared[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const nearest = declared.find(({ folder }) => path.startsWith(folder));
    const known = PROGRAM.test(path) ? nearest?.forProgram : nearest?.all;
    const names = importsOf(text).flatMap(({ from }) => PACKAGE_NAME.exec(from)?.[0] ?? []);
    return names.filter((name) => known?.has(name) !== true).map((name) => `${path} imports ${name}`);
  });
}

/** Every circle of imports as the path that leads back to its beginning; imports of types alone count where they are asked for. */
export function importCircles(files: readonly SourceFile[], withTypes: boolean): readonly string[] {
  const targets = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter(({ from, isType }) => from.startsWith('.') && (withTypes || !isType))
        .map(({ from }) => posix.join(posix.dirname(path), from)),
    ]),
  );
  const circles: string[] = [];
  const finished = new Set<string>();

  const way: string[] = [];

  function follow(path: string): void {
    if (finished.has(path)) return;
    const start = way.indexOf(path);
    if (start >= 0) {
      circles.push([...way.slice(start), path].join(' → '));
      return;
    }
    way.push(path);
    for (const target of targets.get(path) ?? []) follow(target);
    way.pop();
    finished.add(path);
  }

  for (const { path } of files) follow(path);
  return circles;
}
