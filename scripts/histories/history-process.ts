import { runHistory } from '../../test/simulation/history.ts';
import { postgresSource } from '../../test/simulation/postgres/postgres-database.ts';
import { withTemplate } from '../../test/simulation/run-seeds.ts';
import { sendToParent } from '../test-runner/send-to-parent.ts';

const [engine, ...numbers] = process.argv.slice(2);
const [first = 1, step = 1, last = 0] = numbers.map(Number);

// From the first seed on in steps, as many as there are processes; each history goes to the process that asked for it.
await withTemplate(
  async (template) => {
    for (let seed = first; seed <= last; seed += step) await sendToParent(await runHistory(template, seed));
  },
  engine === 'postgres' ? await postgresSource() : undefined,
);
process.disconnect();
