import { createClient } from './hey-api/client/index.ts';
import {
  acknowledgeInbound,
  listInbound,
  listOutbound,
  readInboundFile,
  readOutbound,
  readOutboundFile,
  submitOutbound,
} from './hey-api/sdk.gen.ts';
import type { Connection, Journey } from './journey.ts';

/** What an integrator writes on top of hey-api. */
export async function connect({ url, apiKey, invoice, idempotencyKey, pause }: Connection): Promise<Journey> {
  const client = createClient({ baseUrl: url, auth: apiKey });
  const headers = { 'X-Software-Id': 'hey-api/1.0' };

  const submitted = await submitOutbound({
    client,
    headers: { ...headers, 'X-Idempotency-Key': idempotencyKey },
    body: new Blob([invoice]),
  });
  const docUid = submitted.data?.docUid ?? '';
  const path = { docUid };

  let document = (await readOutbound({ client, headers, path })).data;
  while (document !== undefined && document.status < 40) {
    await pause();
    document = (await readOutbound({ client, headers, path })).data;
  }
  const listed = await listOutbound({ client, headers, query: { status: [40, 50], pageSize: 500 } });
  const file = await readOutboundFile({ client, headers, path, query: { format: 'ubl' } });

  const arrived = await listInbound({ client, headers, query: { onlyNotImported: true } });
  const inbound = { docUid: arrived.data?.items?.[0]?.docUid ?? '' };
  const original = await readInboundFile({ client, headers, path: inbound });
  const acknowledged = await acknowledgeInbound({ client, headers, path: inbound });
  const refused = await readOutbound({ client, headers, path: { docUid: 'unknown' } });
  return {
    submittedStatus: submitted.response?.status ?? 0,
    docUid,
    euid: document?.ujp?.euid ?? null,
    isListed: listed.data?.items?.some((item) => item.docUid === docUid) ?? false,
    downloaded: (await file.data?.text()) ?? '',
    inboundDocUid: inbound.docUid,
    originalBytes: original.data?.size ?? 0,
    ackedAt: acknowledged.data?.ackedAt ?? null,
    refusedCode: refused.error?.code ?? null,
  };
}
