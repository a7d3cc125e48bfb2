import createClient from 'openapi-fetch';
import type { Connection, Journey } from './journey.ts';
import type { paths } from './openapi-typescript.ts';

const ROOT = '/api/integration/v1';

/** What an integrator writes on top of openapi-typescript and openapi-fetch. */
export async function connect({ url, apiKey, invoice, idempotencyKey, pause }: Connection): Promise<Journey> {
  const client = createClient<paths>({ baseUrl: url, headers: { 'X-Api-Key': apiKey } });
  const header = { 'X-Software-Id': 'openapi-fetch/1.0' };

  const submitted = await client.POST(`${ROOT}/outbound`, {
    params: { header: { ...header, 'X-Idempotency-Key': idempotencyKey } },
    headers: { 'Content-Type': 'application/xml' },
    body: invoice,
    // openapi-fetch knows no schema when it runs, and makes JSON of every body that it is not told to leave alone.
    bodySerializer: (body) => body,
  });
  const docUid = submitted.data?.docUid ?? '';
  const path = { docUid };

  let document = (await client.GET(`${ROOT}/outbound/{docUid}`, { params: { path, header } })).data;
  while (document !== undefined && document.status < 40) {
    await pause();
    document = (await client.GET(`${ROOT}/outbound/{docUid}`, { params: { path, header } })).data;
  }
  const listed = await client.GET(`${ROOT}/outbound`, {
    params: { query: { status: [40, 50], pageSize: 500 }, header },
  });
  const file = await client.GET(`${ROOT}/outbound/{docUid}/file`, {
    params: { path, header, query: { format: 'ubl' } },
    parseAs: 'text',
  });

  const arrived = await client.GET(`${ROOT}/inbound`, { params: { query: { onlyNotImported: true }, header } });
  const inbound = { docUid: arrived.data?.items?.[0]?.docUid ?? '' };
  const original = await client.GET(`${ROOT}/inbound/{docUid}/file`, {
    params: { path: inbound, header },
    parseAs: 'arrayBuffer',
  });
  const acknowledged = await client.POST(`${ROOT}/inbound/{docUid}/ack`, { params: { path: inbound, header } });
  const refused = await client.GET(`${ROOT}/outbound/{docUid}`, { params: { path: { docUid: 'unknown' }, header } });
  return {
    submittedStatus: submitted.response.status,
    docUid,
    euid: document?.ujp?.euid ?? null,
    isListed: listed.data?.items?.some((item) => item.docUid === docUid) ?? false,
    downloaded: file.data ?? '',
    inboundDocUid: inbound.docUid,
    originalBytes: original.data?.byteLength ?? 0,
    ackedAt: acknowledged.data?.ackedAt ?? null,
    refusedCode: refused.error?.code ?? null,
  };
}
