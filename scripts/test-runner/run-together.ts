import { run } from 'node:test';

const [timeout, ...files] = process.argv.slice(2);

for await (const event of run({ files, isolation: 'none', timeout: Number(timeout) })) process.send?.(event);
process.disconnect();
