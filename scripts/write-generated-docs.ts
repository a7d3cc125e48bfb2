import { mkdir, rm, writeFile } from 'node:fs/promises';
import { generatedDocs } from './generated-docs.ts';

/** Writes the files that are made from the code: `npm run docs`. */
// A call that is no more must leave nothing behind.
await rm(new URL('../examples/bruno', import.meta.url), { recursive: true, force: true });
for (const [file, text] of Object.entries(await generatedDocs())) {
  const place = new URL(`../${file}`, import.meta.url);
  await mkdir(new URL('.', place), { recursive: true });
  await writeFile(place, text);
  console.log(file);
}
