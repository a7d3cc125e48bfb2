import { takeOrders } from '../processes/take-orders.ts';
import { closedLoop, openLoop } from './loops.ts';
import type { LoadOrder } from './plan.ts';

/** The clients, in a process of their own. */
takeOrders<LoadOrder>(async ({ plan, loop }) =>
  loop.kind === 'closed' ? closedLoop(plan, loop) : openLoop(plan, loop),
);
process.send?.({});
