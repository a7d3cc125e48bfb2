import { largeInvoice } from '../test/support/ubl-samples.ts';
import { postMany } from './load.ts';

/** Sends one document of 10 MiB after the other until it is told to stop. */
const LARGE_BYTES = 10 * 1_048_576 - 4_096;
const large = Buffer.from(largeInvoice(LARGE_BYTES));
let isStopped = false;

process.on('message', async ({ url, apiKey }: { readonly url: string; readonly apiKey: string }) => {
  let sent = 0;
  for (; !isStopped; sent += 1) {
    await postMany({
      url: `${url}/api/integration/v1/outbound`,
      count: 1,
      connections: 1,
      expectedStatus: 201,
      headers: () => ({ 'X-Api-Key': apiKey, 'X-Software-Id': 'bench/1.0', 'X-Idempotency-Key': `large ${sent}` }),
      body: () => large,
    });
    if (!isStopped) process.send?.('sent');
  }
});
process.on('disconnect', () => {
  isStopped = true;
});
process.send?.('ready');
