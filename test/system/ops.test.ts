import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { isListening, until } from '../support/process.ts';
import { as, startTestService, WITH_BACKGROUND } from '../support/service.ts';

const UNKNOWN_DOCUMENT = '01234567-89ab-7def-8123-456789abcdef';
const COMMENT = /^# (?:HELP|TYPE) [a-zA-Z_:][\w:]* \S/u;
const SAMPLE =
  /^[a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*",?)*\})? (?:[-+]?[\d.]+(?:e[-+]?\d+)?|[-+]Inf|NaN|Nan)$/u;

/** Of each metric, from the table of the page. */
function describedLabels(): ReadonlyMap<string, string> {
  const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| `(dostava_\w+)` \| ([^|]*) \|/gmu);
  return new Map([...rows].map(([, name = '', labels = '']) => [name, labels.replaceAll('`', '')]));
}

test('the ops port tells how the service is', async (t) => {
  const variables = { ...WITH_BACKGROUND, HOST: '0.0.0.0', DEMO_PUBLIC: 'yes' };
  const service = await startTestService({ variables });
  t.after(() => service.stop());
  const call = (key: string, path: string) => fetch(`${service.api}${path}`, { headers: as(key) });

  await t.test('live and ready', async () => {
    for (const [path, status] of Object.entries({ '/health/live': 'live', '/health/ready': 'ready' })) {
      const response = await fetch(`${service.opsUrl}${path}`);
      assert.equal(response.status, 200);
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/u);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.deepEqual(await response.json(), { status });
    }
  });

  await t.test('requests are counted by route, method and status in the format of Prometheus', async () => {
    await call('demo-alfa', '/ping');
    await call('demo-alfa', '/ping/');
    await call('demo-nobody', '/ping');
    await call('demo-alfa', `/outbound/${UNKNOWN_DOCUMENT}`);
    await call('demo-alfa', '/nothing/here');
    for (const [route, status, count] of [
      ['/api/integration/v1/ping', 200, 2],
      ['/api/integration/v1/ping', 401, 1],
      ['/api/integration/v1/outbound/:docUid', 404, 1],
    ]) {
      const sample = `dostava_http_requests_total{route="${route}",method="GET",status="${status}"} ${count}\n`;
      await until(sample, async () => (await (await fetch(`${service.opsUrl}/metrics`)).text()).includes(sample));
    }
    const response = await fetch(`${service.opsUrl}/metrics`);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/u);
    const text = await response.text();
    for (const line of text.split('\n').filter((line) => line !== '')) {
      assert.match(line, line.startsWith('#') ? COMMENT : SAMPLE);
    }
    assert.ok(text.includes('_seconds_count{route="/api/integration/v1/ping",method="GET"} 3\n'));
    assert.match(text, /^process_cpu_seconds_total /mu);
    assert.match(text, /^dostava_audit_entries_unwritten_total 0$/mu);
    for (const cause of ['account', 'refused-requests', 'refused-document']) {
      assert.ok(text.includes(`dostava_tenants_stopped{cause="${cause}"} 0\n`), cause);
    }
    for (const [what, mebibytes] of [
      ['answers', 256],
      ['bodies', 96],
    ] as const) {
      assert.ok(text.includes(`dostava_memory_held_bytes{of="${what}"} 0\n`), what);
      assert.ok(text.includes(`dostava_memory_limit_bytes{of="${what}"} ${mebibytes * 1_048_576}\n`), what);
      assert.ok(text.includes(`dostava_memory_refusals_total{of="${what}"} 0\n`), what);
    }
    for (const path of [UNKNOWN_DOCUMENT, 'nothing/here']) assert.ok(!text.includes(path), 'labels must stay few');
  });

  await t.test('each metric has the labels that docs/operating.md names', async () => {
    const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
    const seen = new Map<string, string>();
    for (const [, sample = '', values = ''] of text.matchAll(/^(dostava_\w+)(?:\{(.*)\})? /gmu)) {
      const labels = [...values.matchAll(/([a-z]\w*)="/gu)].flatMap(([, label = '']) => (label === 'le' ? [] : label));
      seen.set(sample.replace(/_(?:bucket|sum|count)$/u, ''), labels.join(', '));
    }
    assert.ok(seen.size >= 30, `${seen.size} metrics`);
    const described = describedLabels();
    assert.deepEqual(
      [...seen],
      [...seen.keys()].map((name) => [name, described.get(name)]),
    );
  });

  await t.test('an unknown address is a problem that names the known ones', async () => {
    for (const path of ['/', '/health', '/api/integration/v1/ping', '/metrics/']) {
      const response = await fetch(`${service.opsUrl}${path}`);
      assert.equal(response.status, 404);
      assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/u);
      const problem = (await response.json()) as Record<string, unknown>;
      assert.deepEqual(Object.keys(problem), ['type', 'title', 'status', 'detail', 'code', 'eventId']);
      assert.deepEqual([problem['type'], problem['code']], ['about:blank', null]);
      assert.match(String(problem['detail']), /\/health\/live.*\/health\/ready.*\/metrics/u);
    }
  });

  await t.test('a web page that has pointed its own name to this machine gets nothing', async () => {
    for (const path of ['/metrics', '/health/ready']) {
      const { port } = new URL(service.opsUrl);
      const status = await new Promise((resolve, reject) => {
        const headers = { host: `rebound.example:${port}` };
        const asked = request({ host: '127.0.0.1', port, path, headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        asked.once('error', reject).end();
      });
      assert.equal(status, 421, path);
    }
  });

  await t.test('it listens on loopback alone, also where the interface listens on every address', async (t) => {
    const addresses = Object.values(networkInterfaces())
      .flatMap((known) => known ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => address);
    if (addresses.length === 0) return t.skip('this machine has no address but loopback');
    for (const address of addresses) {
      assert.equal(await isListening(Number(new URL(service.url).port), address), true);
      assert.equal(await isListening(Number(new URL(service.opsUrl).port), address), false);
    }
  });
});
