import { createLog } from '../../../src/adapters/platform/log.ts';

/** A program of its own for the tests: logs what must not be seen, in every shape it could arrive in. */
const log = createLog('info');
const headers = { 'x-api-key': 'dostava_secret', 'x-software-id': 'ledger/4.2' };
log.info({ headers }, 'headers');
log.info({ req: { headers } }, 'a request');
log.info({ call: headers }, 'something else');
log.warn({ err: new Error('a failure'), requestId: 'r-1' }, 'an error');
log.debug('too detailed');
