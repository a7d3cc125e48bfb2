import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { DEMO_URL } from '../../src/http/answers/demonstrations.ts';
import { API_ROOT } from '../../src/http/api.ts';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { json, request } from '../contract/support/client.ts';
import { openConnection } from '../support/http-client.ts';
import { until } from '../support/process.ts';
import { as, startTestService, WITH_BACKGROUND } from '../support/service.ts';
import { PDF_ATTACHMENT, type SampleOptions, sampleInvoice } from '../support/ubl-samples.ts';
import { createAnswerJudge, type Exchange, operationFor } from './answer-findings.ts';
import { committedDescription, DESCRIPTION_FILES, type Description, operationsOf } from './descriptions.ts';
import { type KnownDocuments, type VariedCall, variedCalls } from './varied-calls.ts';

const FEWEST_CALLS = 150;
const CONNECTIONS = 40;
/** The same for all calls, and costly to provoke or, 405, of an address with several calls: seen on one of them. */
const ON_ONE_CALL: ReadonlySet<number> = new Set([405, 408, 413, 417, 429, 500, 503]);

const service = await startTestService({
  variables: {
    ...WITH_BACKGROUND,
    DELIVERY_HOLD_SECONDS: '0',
    MAX_CONNECTIONS_PER_ADDRESS: String(CONNECTIONS),
    HEADERS_TIMEOUT_SECONDS: '60',
  },
});
after(() => service.stop());
/** For the one request that is not complete in time. */
const hasty = await startTestService({ variables: { HEADERS_TIMEOUT_SECONDS: '1' } });
after(() => hasty.stop());

const [integration, extensions] = await Promise.all(
  [API_ROOT, EXTENSIONS_ROOT].map(
    async (root) => json(await request(`${service.url}${root}/openapi.json`)) as Description,
  ),
);
assert.ok(integration !== undefined && extensions !== undefined);
const judges = [integration, extensions].map((description) => ({ description, judge: createAnswerJudge(description) }));

/** What was really answered, by operation. */
const seen = new Map<string, Set<number>>();

function findingsOf(exchange: Exchange): readonly string[] {
  const found = judges.find(({ description }) => operationFor(description, exchange) !== undefined);
  if (found === undefined) return [`${exchange.method} ${exchange.path}: nothing is described there`];
  const operationId = `${operationFor(found.description, exchange)?.operationId}`;
  seen.set(operationId, (seen.get(operationId) ?? new Set()).add(exchange.status));
  return found.judge(exchange).map((finding) => `${exchange.method} ${exchange.path} ${exchange.status}: ${finding}`);
}

async function answerTo({ method, path, headers, body }: VariedCall): Promise<readonly string[]> {
  const answer = await request(`${service.url}${path}`, { method, headers, body: body ?? null });
  return findingsOf({ ...answer, method, path: path.replace(/\?.*$/u, '') });
}

async function submitted(status: number, options: SampleOptions): Promise<string> {
  const headers = as('demo-alfa', { 'X-Idempotency-Key': `${options.number}` });
  const answer = await request(`${service.api}/outbound`, { method: 'POST', headers, body: sampleInvoice(options) });
  const { docUid } = json(answer) as { readonly docUid: string };
  await until(`${options.number} is in ${status}`, async () => {
    const document = json(await request(`${service.api}/outbound/${docUid}`, { headers }));
    return (document as { readonly status: number }).status === status;
  });
  return docUid;
}

async function knownDocuments(): Promise<KnownDocuments> {
  const list = await request(`${service.api}/inbound`, { headers: as('demo-alfa') });
  const { items } = json(list) as { readonly items: readonly { readonly docUid: string }[] };
  return {
    accepted: await submitted(40, { number: 'VARIED-1', attachments: [PDF_ATTACHMENT] }),
    rejected: await submitted(50, { number: 'SIM-E1020-1' }),
    failed: await submitted(55, { number: 'VARIED-2', typeCode: '325' }),
    inbound: items.map(({ docUid }) => docUid),
  };
}

suite('every answer is as the interface descriptions say: status, headers, content type, body', () => {
  let documents: KnownDocuments;
  before(async () => {
    documents = await knownDocuments();
  });

  test('to varied calls, valid and not, on every address', async () => {
    const calls = variedCalls(documents);
    assert.ok(calls.length >= FEWEST_CALLS, `${calls.length} calls`);
    const findings: string[] = [];
    for (const call of calls) findings.push(...(await answerTo(call)));
    assert.deepEqual(findings, []);
  });

  test('to what no client library would send', async () => {
    const path = `${API_ROOT}/ping`;
    const start = `GET ${path} HTTP/1.1\r\nHost: here\r\n`;
    const findings: string[] = [];
    const sent = [
      [service, `${start}Expect: miracles\r\n\r\n`],
      [service, `${start}No colon\r\n\r\n`],
      [hasty, start],
    ] as const;
    for (const [{ url }, bytes] of sent) {
      const connection = await openConnection(url);
      await connection.send(bytes);
      const answer = await connection.response();
      assert.ok(answer !== null, bytes);
      findings.push(...findingsOf({ ...answer, method: 'GET', path }));
      connection.abort();
    }
    assert.deepEqual(findings, []);
  });

  test('to a cursor of the change feed from before the database was put back to an earlier state', async () => {
    const feed: VariedCall = { method: 'GET', path: `${EXTENSIONS_ROOT}/changes`, headers: as('demo-alfa') };
    const { next } = json(await request(`${service.url}${feed.path}`, feed)) as { readonly next: string };
    await service.foundation.engine.transaction((sql) => sql.run('delete from document_change', []));
    const path = `${feed.path}?after=${next}`;
    assert.deepEqual(await answerTo({ ...feed, path }), []);
    assert.ok(seen.get('readChanges')?.has(410));
  });

  test('when there are too many connections', async () => {
    const opened = await Promise.all(Array.from({ length: CONNECTIONS + 1 }, () => openConnection(service.url)));
    const answer = await Promise.race(opened.map((connection) => connection.response()));
    for (const connection of opened) connection.abort();
    assert.ok(answer !== null);
    assert.deepEqual(findingsOf({ ...answer, method: 'GET', path: `${API_ROOT}/ping` }), []);
    assert.equal(answer.status, 503);
  });

  test('these calls make every described operation answer with success and with each of its errors', () => {
    const operations = [integration, extensions].flatMap((description) => operationsOf(description));
    assert.deepEqual(
      operations.flatMap(({ operationId, responses }) => {
        const statuses = Object.keys(responses).filter((status) => !ON_ONE_CALL.has(Number(status)));
        return statuses
          .filter((status) => !seen.get(operationId)?.has(Number(status)))
          .map((status) => `${operationId} ${status}`);
      }),
      [],
    );
    const everywhere = new Set([...seen.values()].flatMap((statuses) => [...statuses]));
    assert.deepEqual(
      [...ON_ONE_CALL].filter((status) => !everywhere.has(status)),
      [],
    );
  });
});

test('the served descriptions send calls to the service itself, the committed ones to the demo environment unless told otherwise', () => {
  for (const { servers } of [integration, extensions])
    assert.deepEqual(
      servers.map(({ url }) => url),
      [service.url],
    );
  for (const file of DESCRIPTION_FILES) {
    const [server] = committedDescription(file).servers as readonly {
      readonly url: string;
      readonly variables?: unknown;
    }[];
    assert.equal(server?.url, '{publicUrl}');
    assert.match(JSON.stringify(server?.variables), new RegExp(`"default":"${DEMO_URL}"`, 'u'));
  }
});

test('an answer that is not as described is found', () => {
  const { judge } = judges[0] ?? {};
  const answer = { method: 'GET', path: `${API_ROOT}/ping`, status: 200, bytes: Buffer.from('{"ok":1,"more":2}') };
  const headers = new Headers({ 'content-type': 'application/json', 'x-surprise': '1', 'x-request-id': 'none' });
  const findings = judge?.({ ...answer, headers }) ?? [];
  for (const expected of [
    /x-surprise is not described/u,
    /ratelimit is missing/u,
    /x-request-id must match pattern/u,
    /ok must be boolean/u,
    /additional properties/u,
    /required property 'keyValid'/u,
  ]) {
    assert.ok(
      findings.some((finding) => expected.test(finding)),
      `${expected}: ${findings.join('; ')}`,
    );
  }
  assert.deepEqual(judge?.({ ...answer, status: 418, headers }), ['418 is not described']);
});
