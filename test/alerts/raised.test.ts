import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createByteBudget } from '../../src/adapters/threads/byte-budget.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { createBodyBudget } from '../../src/http/requests/body-budget.ts';
import { until } from '../support/process.ts';
import { quietMetrics } from '../support/quiet-metrics.ts';
import { as, startTestService, type TestService, WITH_BACKGROUND } from '../support/service.ts';
import { clockAt, runningClock } from '../support/test-clock.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';
import { isRaised, type Scrape } from './expression.ts';
import { dashboardExpressions, exprOf, metricsIn, readRules } from './rules.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

async function scrape({ opsUrl, foundation }: TestService): Promise<Scrape> {
  return { at: foundation.clock.now() / 1_000, text: await (await fetch(`${opsUrl}/metrics`)).text() };
}

async function submit({ api }: TestService, number: string): Promise<void> {
  const headers = as('demo-alfa', { 'X-Idempotency-Key': number });
  const { status } = await fetch(`${api}/outbound`, { method: 'POST', headers, body: sampleInvoice({ number }) });
  assert.equal(status, 201);
}

const raised = (scrapes: readonly Scrape[]) =>
  readRules()
    .filter(({ expr }) => isRaised(expr, scrapes))
    .map(({ alert }) => alert);

test('workers stopped: what is due and nobody delivers raises an alert, what is just due does not', async (t) => {
  const clock = clockAt();
  const service = await startTestService({ clock, variables: { DELIVERY_HOLD_SECONDS: '0' } });
  t.after(service.stop);
  await submit(service, 'NOBODY-1');
  const well = await scrape(service);
  assert.deepEqual(raised([well, well]), [], 'a service that is well raises nothing');
  clock.advance(6 * MINUTE_MS);
  assert.ok(isRaised(exprOf('DostavaDeliveryStopped'), [await scrape(service)]));
  await checkNames(well.text);
});

test('tenant stopped, authority down, wrong key, certificate near its end: each raises its alert', async (t) => {
  const clock = runningClock();
  const service = await startTestService({ clock, variables: { ...WITH_BACKGROUND, DELIVERY_HOLD_SECONDS: '0' } });
  t.after(service.stop);
  const { engine } = service.foundation;
  const before = await scrape(service);

  await t.test('authority down: the production installation of the demo is out of order', async () => {
    const expr = exprOf('DostavaAuthorityAway');
    await until('the alert', async () => isRaised(expr, [await scrape(service)]));
    const { text } = await scrape(service);
    const reached = text.replaceAll(/^(dostava_authority_available\{.*\}) 0$/gmu, '$1 1');
    assert.ok(!isRaised(expr, [{ at: 0, text: reached }]));
  });

  await t.test('tenant stopped: the authority refuses its requests', async () => {
    assert.ok(!isRaised(exprOf('DostavaTenantStopped'), [before]));
    await Promise.all(['SIM-E7777-1', 'SIM-E7777-2'].map((number) => submit(service, number)));
    await until('the alert', async () => isRaised(exprOf('DostavaTenantStopped'), [await scrape(service)]));
  });

  await t.test('wrong key: what sealed the private keys is not the key of this process', async () => {
    assert.ok(!isRaised(exprOf('DostavaKeysUnopened'), [before]));
    await engine.transaction(async (sql) => {
      await sql.run('update credential set sealed_key = $1, changed_at = changed_at + 1', [new Uint8Array(64)]);
      await sql.run("update recurring_task set due_at = 0 where name = 'collect'", []);
    });
    await until('the alert', async () => {
      clock.advance(MINUTE_MS);
      return isRaised(exprOf('DostavaKeysUnopened'), [await scrape(service)]);
    });
  });

  await t.test('certificate at 14 days: raised from then on, the one of three days not yet', async () => {
    const { text } = await scrape(service);
    const ends = [...text.matchAll(/^dostava_certificate_expiry_timestamp_seconds\{.*\} (\S+)$/gmu)].map(([, end]) =>
      Number(end),
    );
    const first = Math.min(...ends);
    assert.ok(Number.isFinite(first), 'the metrics have the certificates');
    const alertsAt = (days: number) =>
      raised([{ at: first - (days * DAY_MS) / 1_000, text }]).filter((alert) => alert.startsWith('DostavaCertificate'));
    assert.deepEqual(alertsAt(31), []);
    assert.deepEqual(alertsAt(20), ['DostavaCertificateExpiresInMonth']);
    assert.deepEqual(alertsAt(13.9), ['DostavaCertificateExpiresInMonth', 'DostavaCertificateExpires']);
    assert.equal(alertsAt(2).length, 3);
  });
  await checkNames((await scrape(service)).text);
});

test('a budget of memory that is used up raises its alert, by its own limit, until room is given back', async () => {
  const metrics = quietMetrics();
  const isUsedUp = async () => isRaised(exprOf('DostavaMemoryUsedUp'), [{ at: 0, ...(await metrics.render()) }]);
  createBodyBudget(1_000, metrics.memory('bodies', 1_000)).shareOf(readEdb('4030026000018')).hold(400);
  const { held } = metrics.memory('deliveries', 100);
  const deliveries = createByteBudget({ totalBytes: 100, smallBytes: 1, held });
  const sent = Promise.withResolvers<void>();
  const first = deliveries.run('first', 90, () => sent.promise);
  assert.ok(!(await isUsedUp()), 'nine tenths are no more than that');
  const second = deliveries.run('second', 10, () => sent.promise);
  assert.ok(await isUsedUp());
  sent.resolve();
  await Promise.all([first, second]);
  assert.ok(!(await isUsedUp()));
});

const promtool = spawnSync('promtool', ['--version']).status === 0 ? false : 'promtool is not installed';

test('promtool finds nothing wrong with the rules, and their tests pass', { skip: promtool }, () => {
  const cwd = new URL('../../deploy/prometheus/', import.meta.url);
  for (const words of [
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', words, { cwd, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  }
});

test('every alert has a section of the runbook, a severity, and a test; every section has its alert', () => {
  const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  const tests = readFileSync(new URL('../../deploy/prometheus/alerts.test.yml', import.meta.url), 'utf8');
  const sections = [...page.matchAll(/^### (Dostava\w+)$/gmu)].map(([, name = '']) => name);
  const rules = readRules();
  assert.deepEqual(
    sections,
    rules.map(({ alert }) => alert),
  );
  for (const { alert, runbook, text } of rules) {
    assert.equal(runbook, `docs/operating.md#${alert.toLowerCase()}`);
    assert.match(text, /^ +severity: (?:critical|warning|info)$/mu);
    assert.match(text, /^ +summary: "?[A-Z].*\."?$/mu);
    assert.ok(tests.includes(`alertname="${alert}"`), alert);
  }
});

/** The rules of Prometheus for names, which `promtool check metrics` looks at as well. */
async function checkNames(text: string): Promise<void> {
  const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gmu)].map(([, name = '', type = '']) => [name, type]));
  for (const [name, type] of types) {
    assert.equal(name.endsWith('_total'), type === 'counter', name);
    assert.doesNotMatch(name, /_(?:ms|milliseconds|minutes|hours|kb|mb|percent)(?:_|$)/u, 'base units');
    assert.match(text, new RegExp(`^# HELP ${name} [A-Z1].{8,}`, 'mu'), name);
  }
  const known = new Set([...types.keys()].flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]));
  const expressions = [...readRules().map(({ expr }) => expr), ...dashboardExpressions()];
  for (const name of expressions.flatMap(metricsIn)) assert.ok(known.has(name), `${name} is no metric of the service`);
  if (promtool !== false) return;
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
}
