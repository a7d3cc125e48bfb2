import { rm } from 'node:fs/promises';
import { startPostgres } from '../../test/support/postgres.ts';
import { takeOrders } from '../processes/take-orders.ts';

/** A server that flushes every commit and looks after its tables, as servers in production do. Makes databases when it is asked, and removes them. */
const server = await startPostgres(['autovacuum=on', 'shared_buffers=256MB', 'max_wal_size=4GB']);
takeOrders<{ readonly create: boolean }>(
  // One stage after another has databases here; those of the last one are in nobody's use any more.
  async ({ create }) => (create ? server.createDatabase() : server.removeAll()),
  async () => {
    await server.stop();
    await rm(server.folder, { recursive: true, force: true });
  },
);
process.send?.({});
