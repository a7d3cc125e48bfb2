import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { createAuthorityDocuments } from '../../../../src/adapters/ujp/as-ubl/authority-documents.ts';
import { edb } from '../../../engines/samples.ts';
import { grownSince } from '../../../support/grown-memory.ts';

/** A program of its own for the tests: reads a large file, and prints by how many MiB its memory has grown. */
const TENANT = edb('4030026000018');
const ITEM = '{"a":"вредност","b":12.5,"c":[1,2,3],"d":{"e":null,"f":true}},';

const documents = createAuthorityDocuments({ timers: systemTimers });
const read = (text: string) => documents.isDocument(TENANT, new TextEncoder().encode(text));
const another = `{"a":"${'x'.repeat(40_000)}"}`;

// The thread starts with the first.
await read(another);
const before = process.memoryUsage.rss();
await read(`{"document":{"docItems":[${ITEM.repeat(120_000)}{}]}}`);
process.stdout.write(`${await grownSince(before)}\n`);
await documents.close();
