import { largeInvoice } from '../test/support/ubl-samples.ts';
import { postMany } from './load.ts';

/** Sends one document of 10 MiB after the other until it is told to stop, each of them another. */
const LARGE_BYTES = 10 * 1_048_576 - 4_096;
const large = Buffer.from(largeInvoice(LARGE_BYTES));
const NUMBER_AT = large.indexOf('<cbc:ID>') + '<cbc:ID>'.length;
let isStopped = false;

process.on('message', async ({ url, apiKey }: { readonly url: string; readonly apiKey: string }) => {
  let sent = 0;
  for (; !isStopped; sent += 1) {
    large.write(String(sent).padStart(8, '0'), NUMBER_AT);
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
