import { once } from 'node:events';
import { startChild } from './start-child.ts';

/**
 * Documents a second from status 10 to 40, with the pace lifted and a hundred tenants, beside what the simulator takes. About a
 * minute's work, so that the first seconds, in which everything is new, do not make the figure.
 */
const COUNT = Number(process.env['BENCH_COUNT'] ?? 18_000);

const simulator = startChild('simulator');
const [{ urls, issued }] = await once(simulator, 'message');
const service = startChild('delivery-service');
service.send({ urls, issued, count: COUNT });
const [{ capacity }] = (await once(service, 'message')) as [{ readonly capacity: number }];
const [{ perSecond }] = (await once(service, 'message')) as [{ readonly perSecond: number }];
console.log(`simulator alone  ${capacity.toFixed(0).padStart(6)} documents/s, signed and ready`);
console.log(`delivery         ${perSecond.toFixed(0).padStart(6)} documents/s from 10 to 40, ${COUNT} documents`);
console.log(`ratio            ${(perSecond / capacity).toFixed(2).padStart(6)}`);
simulator.disconnect();
await once(simulator, 'exit');
