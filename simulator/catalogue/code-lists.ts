import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const FOLDER = new URL('./code-lists/', import.meta.url);

export type CodeLists = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

let loaded: CodeLists | null = null;

/** The authority's answers by service name, complete but for the time of the answer. Read once: nobody changes them. */
export function loadCodeLists(): CodeLists {
  loaded ??= readCodeLists();
  return loaded;
}

function readCodeLists(): CodeLists {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  return new Map(
    files.map((file) => [basename(file, '.json'), JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))]),
  );
}
