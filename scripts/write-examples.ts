import { writeFile } from 'node:fs/promises';
import { captureExamples } from '../test/openapi/capture-examples.ts';

/** Writes the examples of the interface descriptions from what the demo environment answers: `npm run examples`. */
const file = new URL('../src/http/openapi/examples.json', import.meta.url);
await writeFile(file, `${JSON.stringify(await captureExamples(), null, 2)}\n`);
