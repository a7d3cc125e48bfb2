import { commandsHere } from './commands-here.ts';

/**
 * A process that runs the commands it is given as JSON, one after the other, and prints how each ended. It ends by itself: a command
 * that left something open would keep it.
 */
const [given = '[]'] = process.argv.slice(2);
const { run } = commandsHere(process.env as Readonly<Record<string, string>>);
for (const words of JSON.parse(given) as readonly string[][]) {
  process.stdout.write(`${JSON.stringify(await run(...words))}\n`);
}
