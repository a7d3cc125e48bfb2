import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type SourceFile = {
  /** From the root of the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Every file below the given folders whose name ends so. */
export function sourceFiles(folders: readonly string[], ending: string): readonly SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith(ending) && !path.includes('/node_modules/'))
      .toSorted()
      .map((path) => ({ path, text: projectFile(path) })),
  );
}

export function projectFile(path: string): string {
  return readFileSync(`${ROOT}${path}`, 'utf8');
}
