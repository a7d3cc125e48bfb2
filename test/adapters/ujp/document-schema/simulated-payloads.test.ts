import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Authority, alfa, beta, startAuthority } from '../../../simulator/authority-client.ts';
import { PUBLISHED_EXAMPLES, publishedExample } from '../../../simulator/published-examples.ts';
import type { Json } from '../../../simulator/sample-document.ts';
import { asUbl } from '../as-ubl/round-trip.ts';
import { checkBySchema } from './check-by-schema.ts';

let authority: Authority;
before(async () => {
  authority = await startAuthority(null);
});
after(() => authority.simulator.close());

test('every payload in the register of the simulator fits the schema and can be had as valid UBL', async () => {
  const [one, other] = [await authority.registered(), await authority.registered()];
  await authority.admin('documents/void', { euid: one });
  await authority.admin('documents/correct', { euid: other });
  const ofDay = { dateFrom: '2026-11-10', dateTo: '2026-11-10' };
  for (const [service, party] of [
    ['purchase-invoice/payload/date-range', beta],
    ['sales-invoice/payload/date-range', alfa],
  ] as const) {
    const { invoices } = await authority.ask(service, ofDay, party);
    const rows = invoices as readonly Json[];
    assert.ok(rows.length >= 4, `${service}: ${rows.length}`);
    for (const { payload } of rows) {
      checkBySchema(JSON.parse(String(payload)));
      asUbl(String(payload));
    }
  }
  for (const name of Object.keys(PUBLISHED_EXAMPLES)) checkBySchema({ document: publishedExample(name) });
});
