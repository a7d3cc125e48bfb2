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

/** The composition root and what belongs to it: it may know both sides. */
const ROOT = /^src\/(?:app[a-z-]*|main|demo[a-z-]*)\.ts$/u;

/** Which room a file stands in. */
function layerOf(path: string): string {
  if (ROOT.test(path)) return 'root';
  const [top = '', second = '', third = ''] = path.split('/');
  if (top !== 'src') return top;
  return second === 'adapters' ? `adapters/${third}` : second.replace('.ts', '');
}

function mayImport(layer: string): readonly string[] {
  if (layer === 'domain' || layer === 'config' || layer === 'simulator') return [layer];
  if (layer === 'application') return [layer, 'domain'];
  const shared = layer.startsWith('adapters/') ? ['adapters/threads'] : [];
  return [layer, ...shared, 'application', 'domain'];
}

/** What adapters may take from the application beside types: the errors by which they translate theirs. */
const ERRORS_OF_PORTS = [
  'src/application/service-unavailable.ts',
  'src/application/operator-error.ts',
  'src/application/authority.ts',
];

function faultOf(file: SourceFile, { from, isType }: Import): string | null {
  const layer = layerOf(file.path);
  if (!from.startsWith('.')) return packageFault(file.path, layer, from, isType);
  const target = posix.join(posix.dirname(file.path), from);
  if (layer === 'root') return null;
  if (!mayImport(layer).includes(layerOf(target))) return `${file.path} must not import ${target}`;
  const isUseCase = layer.startsWith('adapters/') && layerOf(target) === 'application' && !isType;
  return isUseCase && !ERRORS_OF_PORTS.includes(target) ? `${file.path} takes more than types from ${target}` : null;
}

function packageFault(path: string, layer: string, name: string, isType: boolean): string | null {
  if (layer === 'domain' || layer === 'application') return `${path} must not import the package ${name}`;
  if (/^@?fastify(?:\/|$)/u.test(name) && layer !== 'http' && !(layer === 'root' && isType)) {
    return `${path} must not import ${name}: it lives in src/http alone`;
  }
  if (name === 'node:sqlite' && layer !== 'adapters/sql') {
    return `${path} must not import node:sqlite: it lives in src/adapters/sql alone`;
  }
  return null;
}

/** Everything that breaks the rules of who may import what, in words. */
export function importFaults(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap((file) => {
    const faults = importsOf(file.text).map((one) => faultOf(file, one));
    const readsEnvironment = /\bprocess\s*(?:\.\s*env|\[\s*['"]env)/u.test(file.text) && file.path !== 'src/config.ts';
    return [...faults, readsEnvironment ? `${file.path} must not read process.env` : null].filter(
      (fault) => fault !== null,
    );
  });
}
