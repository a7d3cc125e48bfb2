import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** All that the program loads or reads when it runs, in the places where it looks for it. */
export const PROGRAM_PARTS = ['package.json', 'src/**/*', 'simulator/**/*', 'schemas/**/*', 'docs/examples/**/*'];
/** For the compiler and for readers of the source. */
const LEFT_OUT = /(?:^|\/)(?:tsconfig\.json|README\.md)$|\.d\.ts$/u;
const TYPESCRIPT = /\.ts$/u;
/** A file of ours, named by an import or as the module of a thread. */
const OWN_FILE = /(?<quote>['"])(?<path>\.{1,2}\/[^'"\n]+)\.ts\k<quote>/gu;

/**
 * Writes the program as JavaScript, for a package that npm installs: Node does not run TypeScript below `node_modules`. Types become
 * blanks, so that lines and columns in stack traces are those of the source.
 */
export function writePackedProgram(folder: string): void {
  const files = globSync(PROGRAM_PARTS, { cwd: PROJECT, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const entry of files) {
    const path = join(entry.parentPath, entry.name);
    if (LEFT_OUT.test(path)) continue;
    const target = join(folder, path.slice(PROJECT.length));
    mkdirSync(dirname(target), { recursive: true });
    if (TYPESCRIPT.test(path))
      writeFileSync(target.replace(TYPESCRIPT, '.js'), javaScriptOf(readFileSync(path, 'utf8')));
    else cpSync(path, target);
  }
}

function javaScriptOf(source: string): string {
  return stripTypeScriptTypes(source).replaceAll(OWN_FILE, '$<quote>$<path>.js$<quote>');
}
