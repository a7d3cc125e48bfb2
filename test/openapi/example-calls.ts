import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import type { ErrorCode } from '../../src/application/errors/problem-catalogue.ts';
import { API_ROOT } from '../../src/http/api.ts';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { projectFile } from '../consistency/source-files.ts';
import { type Answer, json, request } from '../contract/support/client.ts';
import { until } from '../support/process.ts';
import { as, startTestService, WITH_BACKGROUND } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { ALFA_EDB } from '../support/ubl-samples.ts';

/** The calls whose answers are the examples of the interface descriptions, made in the demo environment, in this order. */

export const INVOICE = projectFile('docs/examples/invoice.xml');

const HOLD_MS = 20_000;
const TOO_LARGE_BYTES = 11_000_000;
/** Of an inbound document that the demo environment has from the beginning. */
const SENDER = '4080026000023';
const UNKNOWN = '01234567-89ab-7def-8123-456789abcdef';

type Call = (
  path: string,
  options?: { readonly key?: string; readonly body?: string | Buffer<ArrayBuffer>; readonly idempotencyKey?: string },
) => Promise<Answer>;

type Recorded = {
  /** By operation and HTTP status. */
  readonly answers: Map<string, Map<number, unknown>>;
  readonly errors: Map<ErrorCode, unknown>;
};

/** Makes the calls and gives the answers as they came. */
export async function makeExampleCalls(): Promise<{ readonly url: string } & Recorded> {
  // It stands still: the answers name no other time and no other pause than in the run before.
  const clock = clockAt(Date.now());
  const variables = { ...WITH_BACKGROUND, DELIVERY_HOLD_SECONDS: String(HOLD_MS / 1_000), COLLECT_SECONDS: '86400' };
  const service = await startTestService({ clock, variables });
  const answers: Recorded['answers'] = new Map();
  const errors: Recorded['errors'] = new Map();
  const get: Call = (path, { key = 'demo-alfa' } = {}) => request(`${service.url}${path}`, { headers: as(key) });
  const post: Call = (path, { key = 'demo-alfa', body = null, idempotencyKey } = {}) => {
    const headers = as(key, idempotencyKey === undefined ? {} : { 'X-Idempotency-Key': idempotencyKey });
    return request(`${service.url}${path}`, { method: 'POST', headers, body });
  };
  const record = (operationId: string, answer: Answer) => {
    if (answer.status >= 400) throw new Error(`${operationId}: ${answer.status} ${answer.text}`);
    const byStatus = answers.get(operationId) ?? new Map<number, unknown>();
    answers.set(operationId, byStatus.set(answer.status, json(answer)));
    return json(answer) as { readonly docUid: string };
  };
  const recordError = (answer: Answer) => {
    const { code } = json(answer) as { readonly code: ErrorCode };
    errors.set(code, json(answer));
  };
  try {
    const passHold = () => clock.advance(HOLD_MS);
    const { secret } = await service.operator.keys.issue({
      tenant: readEdb(ALFA_EDB),
      software: 'test',
      callsPerMinute: 1_000_000,
    });
    await outboundCalls({
      get,
      look: (path) => get(path, { key: secret }),
      post,
      record,
      recordError,
      passHold,
      request: (path, init) => request(`${service.url}${path}`, init),
    });
  } finally {
    await service.stop();
  }
  return { url: service.url, answers, errors };
}

type Tour = {
  readonly get: Call;
  /** As often as it takes: while the clock stands still, the key of the demo gets none of its calls back. */
  readonly look: (path: string) => Promise<Answer>;
  readonly post: Call;
  readonly request: (path: string, init: RequestInit) => Promise<Answer>;
  readonly record: (operationId: string, answer: Answer) => { readonly docUid: string };
  readonly recordError: (answer: Answer) => void;
  readonly passHold: () => void;
};

async function outboundCalls(tour: Tour): Promise<void> {
  const { get, look, post, record, recordError, passHold } = tour;
  const outbound = `${API_ROOT}/outbound`;
  record('ping', await get(`${EXTENSIONS_ROOT}/ping`));
  record('ping', await get(`${API_ROOT}/ping`));
  record('readCodeList', await get(`${API_ROOT}/codelists/payment-types`));
  await refusedKeys(tour);
  await refusedDocuments(tour);

  record('validateDocument', await post(`${EXTENSIONS_ROOT}/validate`, { body: INVOICE }));

  const withdrawn = record(
    'submitOutbound',
    await post(outbound, { body: INVOICE.replace('2026-7001', '2026-7000'), idempotencyKey: 'withdrawn' }),
  );
  record('cancelOutbound', await post(`${outbound}/${withdrawn.docUid}/cancel`));
  recordError(await post(`${outbound}/${withdrawn.docUid}/cancel`));

  const { docUid } = record(
    'submitOutbound',
    await post(outbound, { body: INVOICE, idempotencyKey: 'invoice-2026-7001' }),
  );
  record('submitOutbound', await post(outbound, { body: INVOICE, idempotencyKey: 'invoice-2026-7001' }));
  recordError(
    await post(outbound, { body: INVOICE.replace('2026-7001', '2026-7002'), idempotencyKey: 'invoice-2026-7001' }),
  );
  passHold();
  await until(
    'the invoice is accepted',
    async () => (json(await look(`${outbound}/${docUid}`)) as { readonly status: number }).status === 40,
  );
  await until('the other documents have come to an end', async () => {
    return (json(await look(`${outbound}?status=10,20,30`)) as { readonly totalCount: number }).totalCount === 0;
  });
  record('readOutbound', await get(`${outbound}/${docUid}`));
  record('readOutboundHistory', await get(`${outbound}/${docUid}/history`));
  record('listOutbound', await get(`${outbound}?status=40&status=60&pageSize=2`));
  recordError(await post(`${outbound}/${docUid}/cancel`));
  recordError(await get(`${outbound}/${docUid}/file?format=pdf`));
  recordError(await get(`${outbound}/${UNKNOWN}`));
  recordError(await get(`${outbound}?pageSize=501`));
  await inboundCalls(tour);
  await extensionCalls(tour, `${outbound}/${docUid}`);
}

async function extensionCalls({ get, look, post, record }: Tour, accepted: string): Promise<void> {
  await until('its container', async () => (await look(`${accepted}/file?format=ujp`)).status === 200);
  record('makeOutboundViewLink', await post(`${accepted.replace(API_ROOT, EXTENSIONS_ROOT)}/view-link`));
  record('inquireOutbound', await get(`${EXTENSIONS_ROOT}/outbound?documentNumber=2026-7001`));
  // Another taxpayer, for whom nothing else happens: its authority is out of order.
  const key = 'demo-delta';
  const submitted = await post(`${API_ROOT}/outbound`, { key, body: INVOICE, idempotencyKey: 'changes' });
  const { docUid } = json(submitted) as { readonly docUid: string };
  await post(`${API_ROOT}/outbound/${docUid}/cancel`, { key });
  record('readChanges', await get(`${EXTENSIONS_ROOT}/changes`, { key }));
}

async function inboundCalls({ get, post, record }: Tour): Promise<void> {
  const inbound = `${API_ROOT}/inbound`;
  const list = await get(`${inbound}?onlyNotImported=true&senderEdb=${SENDER}`);
  record('listInbound', list);
  const { items } = json(list) as { readonly items: readonly { readonly docUid: string }[] };
  const address = `${inbound}/${items[0]?.docUid}`;
  record('readInbound', await get(address));
  record('acknowledgeInbound', await post(`${address}/ack`));
  record('makeInboundViewLink', await post(`${EXTENSIONS_ROOT}/inbound/${items[0]?.docUid}/view-link`));
}

async function refusedKeys({ get, request: send, recordError }: Tour): Promise<void> {
  const ping = `${API_ROOT}/ping`;
  recordError(await send(ping, { headers: { 'X-Software-Id': 'ledger/4.2' } }));
  recordError(await send(ping, { headers: { 'X-Api-Key': 'demo-alfa' } }));
  for (const key of ['demo-expired', 'demo-revoked', 'demo-address', 'demo-scope'])
    recordError(await get(ping, { key }));
  const limited = await Promise.all(Array.from({ length: 6 }, () => get(ping, { key: 'demo-limited' })));
  recordError(limited.find(({ status }) => status === 429) ?? (await get(ping, { key: 'demo-limited' })));
  recordError(await get(`${API_ROOT}/codelists/currencies`, { key: 'demo-delta' }));
  recordError(await get(`${API_ROOT}/codelists/colours`));
}

async function refusedDocuments({ post, recordError }: Tour): Promise<void> {
  const outbound = `${API_ROOT}/outbound`;
  const bodies = [
    '{"tenantId": 7}',
    'not XML at all',
    '<Order/>',
    INVOICE.replace(/<cac:AccountingCustomerParty>[\s\S]*<\/cac:AccountingCustomerParty>/u, ''),
    INVOICE.replaceAll('4080026000023', '12345'),
    INVOICE.replace(/<cbc:InvoiceTypeCode>.*\n/u, ''),
    INVOICE.replace(/<cbc:PayableAmount .*\n/u, ''),
    `${INVOICE}${INVOICE}`,
    Buffer.alloc(TOO_LARGE_BYTES),
  ];
  for (const body of bodies) recordError(await post(outbound, { body, idempotencyKey: 'refused' }));
  recordError(await post(outbound, { body: INVOICE }));
  recordError(await post(outbound, { body: INVOICE, idempotencyKey: 'refused', key: 'demo-gama' }));
}
