import { writeFile } from 'node:fs/promises';
import { generatedDocs } from './generated-docs.ts';

/** Writes the files that are made from the code: `npm run docs`. */
for (const [file, text] of Object.entries(await generatedDocs())) {
  await writeFile(new URL(`../${file}`, import.meta.url), text);
  console.log(file);
}
