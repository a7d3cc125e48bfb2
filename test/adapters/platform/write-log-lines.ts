import { createLog } from '../../../src/adapters/platform/log.ts';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';

/** A program of its own for the tests: logs what must not be seen, in every shape it could arrive in. */
const log = createLog('info', systemTimers);
const headers = { 'x-api-key': 'dostava_secret', 'x-software-id': 'ledger/4.2' };
log.info({ headers }, 'headers');
log.info({ req: { headers } }, 'a request');
log.info({ call: headers }, 'something else');
log.warn({ err: new Error('a failure'), requestId: 'r-1' }, 'an error');
log.debug('too detailed');
if (process.argv.includes('exit')) process.exit(3);
