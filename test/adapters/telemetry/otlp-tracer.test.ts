import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOtlpTracer } from '../../../src/adapters/telemetry/otlp-tracer.ts';
import { readEdb } from '../../../src/application/accounts/manage-tenants.ts';
import { docUidOf as readDocUid } from '../../support/doc-uid.ts';
import { until } from '../../support/process.ts';
import { as, startTestService, WITH_BACKGROUND } from '../../support/service.ts';
import { ALFA_EDB, sampleInvoice } from '../../support/ubl-samples.ts';
import { factsOf, type ReceivedSpan, startCollector } from './collector.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const UNSAMPLED = 'a'.repeat(32);
const [SERVER, CLIENT, CONSUMER] = [2, 3, 5];

test('a call, the delivery that it causes and the calls of the authority are spans that tell nothing of a document', async (t) => {
  const collector = await startCollector();
  t.after(collector.stop);
  const service = await startTestService({
    variables: { ...WITH_BACKGROUND, DELIVERY_HOLD_SECONDS: '0', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  const { api } = service;
  let isStopped = false;
  async function stop(): Promise<void> {
    if (isStopped) return;
    isStopped = true;
    await service.stop();
  }
  t.after(stop);
  const body = sampleInvoice({ number: 'TRACED-1' });
  const submit = (number: string, traceparent: Readonly<Record<string, string>>) =>
    fetch(`${api}/outbound`, {
      method: 'POST',
      headers: as('demo-alfa', { 'X-Idempotency-Key': number, ...traceparent }),
      body: body.replaceAll('TRACED-1', number),
    });
  const answer = await submit('TRACED-1', { traceparent: `00-${TRACE}-${CALLER}-01` });
  assert.equal(answer.status, 201);
  const { docUid } = (await answer.json()) as { readonly docUid: string };
  const without = await submit('TRACED-2', {});
  const ofCaller = await fetch(`${api}/ping`, {
    headers: as('demo-alfa', { traceparent: `00-${UNSAMPLED}-${CALLER}-00` }),
  });
  assert.equal((await fetch(`${api}/outbound/${docUid}x`, { headers: as('demo-alfa') })).status, 404);
  await until('both are accepted', async () => {
    const { items } = (await (await fetch(`${api}/outbound?status=40`, { headers: as('demo-alfa') })).json()) as {
      readonly items: readonly { readonly documentNumber: string }[];
    };
    return items.filter(({ documentNumber }) => documentNumber.startsWith('TRACED-')).length === 2;
  });
  const { voids } = service.operator;
  const alfa = readEdb(ALFA_EDB);
  await voids.request(alfa, readDocUid(docUid), 'S-1', null);
  await until('the void', async () => (await voids.find(alfa, readDocUid(docUid)))?.state === 'registered');
  // The last spans are sent at the end.
  await stop();
  const spans = collector.spans();
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [submission] = named('POST /api/integration/v1/outbound').filter(({ traceId }) => traceId === TRACE);
  assert.ok(submission);

  await t.test('the call belongs to the trace of its caller', () => {
    const { kind, parentSpanId } = submission;
    assert.deepEqual([kind, parentSpanId], [SERVER, CALLER]);
    assert.deepEqual(factsOf(submission), {
      'http.request.method': 'POST',
      'http.route': '/api/integration/v1/outbound',
      'http.response.status_code': 201,
    });
    assert.equal(answer.headers.get('traceparent'), `00-${TRACE}-${submission.spanId}-01`);
    const [notFound] = named('GET /api/integration/v1/outbound/:docUid');
    assert.equal(notFound && factsOf(notFound)['http.response.status_code'], 404);
  });

  const deliveries = named('deliver').filter((span) => factsOf(span)['dostava.doc_uid'] === docUid);
  const sent = deliveries.find((span) => factsOf(span)['dostava.outcome'] === 'accepted');
  await t.test('its delivery is a trace of its own that refers to it', () => {
    assert.ok(sent);
    assert.deepEqual([sent.kind, sent.parentSpanId ?? '', sent.status.code], [CONSUMER, '', 0]);
    assert.notEqual(sent.traceId, TRACE);
    for (const { links } of deliveries)
      assert.deepEqual(
        links.map(({ traceId, spanId }) => [traceId, spanId]),
        [[TRACE, submission.spanId]],
      );
    const given = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/u.exec(without.headers.get('traceparent') ?? '');
    const ofOther = (span: ReceivedSpan) => span.links.some(({ spanId }) => spanId === given?.[2]);
    assert.ok(named('deliver').some(ofOther), 'also where the caller has no trace');
  });

  await t.test('each call of the authority belongs to the delivery that makes it', () => {
    const calls = spans.filter(({ parentSpanId }) => parentSpanId === sent?.spanId);
    assert.ok(calls.length >= 1, `${calls.length} calls`);
    for (const call of calls) {
      assert.deepEqual([call.kind, call.traceId], [CLIENT, sent?.traceId]);
      const { 'dostava.outcome': outcome, 'dostava.authority.environment': environment } = factsOf(call);
      assert.deepEqual([outcome, environment], ['answered', 'test']);
    }
    assert.ok(calls.some(({ name }) => name === 'authority sales-invoices/send'));
  });

  await t.test(
    'a void and the runs of recurring tasks are traces of their own, with their calls of the authority',
    () => {
      const [voided] = named('void').filter((span) => factsOf(span)['dostava.outcome'] === 'registered');
      assert.ok(voided);
      assert.deepEqual([voided.kind, voided.parentSpanId ?? '', voided.status.code], [CONSUMER, '', 0]);
      assert.equal(factsOf(voided)['dostava.doc_uid'], docUid);
      const callsOf = ({ spanId }: ReceivedSpan) => spans.filter(({ parentSpanId }) => parentSpanId === spanId);
      assert.ok(
        callsOf(voided).some(({ name }) => name === 'authority sales-invoices/send'),
        'the call of the void',
      );
      const collected = named('task collect');
      assert.ok(collected.every(({ kind, parentSpanId }) => kind === CONSUMER && (parentSpanId ?? '') === ''));
      assert.ok(collected.some((span) => factsOf(span)['dostava.outcome'] === 'done' && callsOf(span).length > 0));
      // The production installation of the demo is out of order.
      assert.ok(collected.some((span) => factsOf(span)['dostava.outcome'] === 'failed' && span.status.code === 2));
      const alone = spans.filter(({ kind, parentSpanId }) => kind === CLIENT && (parentSpanId ?? '') === '');
      const others = alone.filter(({ name }) => name !== 'authority server-time');
      assert.deepEqual(others, [], 'every call of the authority belongs to something, but for the look at its clock');
    },
  );

  await t.test('what the caller does not want to be recorded is not', () => {
    assert.equal(ofCaller.status, 200);
    assert.ok(spans.every(({ traceId }) => traceId !== UNSAMPLED));
  });

  await t.test('no content, no key and no taxpayer is in it', () => {
    assert.equal(collector.resources()[0]?.['service.name'], 'dostava');
    const values = [
      ...body.matchAll(/<cbc:(?:ID|CompanyID|Name|RegistrationName|StreetName|Note|Description)\b[^>]*>([^<]+)</gu),
    ];
    assert.ok(values.length >= 8, `${values.length} values`);
    const text = collector.text();
    for (const value of ['demo-alfa', '4030026000018', 'TRACED-', ...values.map(([, value = '']) => value)])
      assert.ok(value.length < 5 || !text.includes(value), value);
  });
});

test('a collector that is away is told of once, and holds up nothing but the end for a moment', async () => {
  const collector = await startCollector();
  collector.stop();
  const told: (string | null)[] = [];
  const { tracer, close } = createOtlpTracer({
    url: `${collector.url}/v1/traces`,
    version: '1',
    onChange: (failure) => told.push(failure === null ? null : failure.name),
  });
  for (let made = 0; made < 1_000; made += 1) tracer.begin({ name: 'work', kind: 'work', facts: {} }).end({}, false);
  await close();
  assert.equal(told.length, 1);
  assert.notEqual(told[0], null);
});
