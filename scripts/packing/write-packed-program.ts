import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writePackedProgram } from './packed-program.ts';

/** Before `npm pack`: the program as JavaScript in `dist`, which is removed afterwards. */
const folder = fileURLToPath(new URL('../../dist/', import.meta.url));
rmSync(folder, { recursive: true, force: true });
writePackedProgram(folder);
