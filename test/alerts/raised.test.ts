import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { test } from 'node:test';
import { createByteBudget } from '../../src/adapters/threads/byte-budget.ts';
import { SERVICE_SHAPES } from '../../src/adapters/ujp/shapes/service-shapes.ts';
import { createOperator } from '../../src/app/operator.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import type { DocumentReader } from '../../src/application/ports/document-reader.ts';
import { createBodyBudget } from '../../src/http/requests/body-budget.ts';
import { isAtWork } from '../delivery/at-work.ts';
import { createCertificate } from '../support/certificate.ts';
import { freshDatabase } from '../support/fresh-database.ts';
import { until } from '../support/process.ts';
import { metricsWith, quietMetrics } from '../support/quiet-metrics.ts';
import { as, startTestService, type TestService, WITH_BACKGROUND } from '../support/service.ts';
import { runningClock } from '../support/test-clock.ts';
import { BETA, sampleInvoice } from '../support/ubl-samples.ts';
import { isRaised, raisedFor, type Scrape } from './expression.ts';
import { dashboardExpressions, exprOf, metricsIn, readRules } from './rules.ts';

const skip = spawnSync('promtool', ['--version']).status === 0 ? false : 'promtool is not installed';

/** How it ended, and what it said. Other tests of the process go on meanwhile. */
async function promtool(words: readonly string[], input = ''): Promise<readonly [status: number, said: string]> {
  const child = spawn('promtool', words, { cwd: new URL('../../deploy/prometheus/', import.meta.url) });
  child.stdin.end(input);
  const [[status], ...said] = await Promise.all([once(child, 'close'), textOf(child.stdout), textOf(child.stderr)]);
  return [status, said.join('')];
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** No command here reads a document. */
const NO_READER = {} as DocumentReader;

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

/** By the days that its certificate still has when the service starts: each is within one more of the three limits. */
const EXPIRING = new Map([
  [29, readEdb('4070000000101')],
  [13, readEdb('4070000000102')],
  [2, readEdb('4070000000103')],
]);

/** Taxpayers of the installation that is out of order: nothing is refused to them, so nothing stops them. */
async function addExpiring({ operator, foundation }: TestService): Promise<void> {
  for (const [days, edb] of EXPIRING) {
    const validTo = new Date(foundation.clock.now() + days * DAY_MS);
    const { certificatePem, privateKeyPem } = createCertificate({ validTo });
    const eujpId = `expires-in-${days}`;
    const settings = { environment: 'production', outboundEnabled: true, foreignCurrency: false } as const;
    await operator.tenants.add({ edb, name: eujpId, eujpId, ...settings });
    await operator.credentials.set(edb, certificatePem, privateKeyPem);
  }
}

/** "tenant set" where CREDENTIALS_KEY is not the one that the service has. */
async function storeWithAnotherKey({ foundation }: TestService): Promise<void> {
  const config = { ...foundation.config, credentialsKeys: [randomBytes(32).toString('base64')] };
  const { credentials } = createOperator({ ...foundation, config }, NO_READER);
  const { certificatePem, privateKeyPem } = createCertificate();
  await credentials.set(BETA.taxNumber ?? '', certificatePem, privateKeyPem);
}

test('workers stopped, tenant stopped, authority down, wrong key, certificates near their end: each raises its alert', async (t) => {
  const clock = runningClock();
  const database = await freshDatabase();
  // The clock moves faster than leases are renewed.
  const variables = { DELIVERY_HOLD_SECONDS: '0', LEASE_SECONDS: '3600' };

  await t.test('workers stopped: what is due and nobody delivers, what is just due not', async () => {
    const service = await startTestService({ clock, database, variables });
    await submit(service, 'NOBODY-1');
    const well = await scrape(service);
    assert.deepEqual(raised([well, well]), [], 'a service that is well raises nothing');
    clock.advance(6 * MINUTE_MS);
    assert.ok(isRaised(exprOf('DostavaDeliveryStopped'), [await scrape(service)]));
    checkNames(well.text);
    checkBeginnings(well.text);
    await addExpiring(service);
    await service.stop();
  });

  const service = await startTestService({ clock, database, variables: { ...variables, ...WITH_BACKGROUND } });
  t.after(service.stop);
  const before = await scrape(service);

  await t.test('workers stopped: the alert ends once one has delivered', async () => {
    const expr = exprOf('DostavaDeliveryStopped');
    await until('the end of the alert', async () => {
      if (!(await isAtWork(service.foundation.engine, clock.now()))) clock.advance(MINUTE_MS / 6);
      return !isRaised(expr, [await scrape(service)]);
    });
  });

  await t.test('authority down: the production installation of the demo is out of order', async () => {
    const expr = exprOf('DostavaAuthorityAway');
    await until('the alert', async () => isRaised(expr, [await scrape(service)]));
    const { text } = await scrape(service);
    assert.match(text, /^dostava_circuits_open\{kind="authority"\} 1$/mu);
    const reached = text.replaceAll(/^(dostava_authority_available\{.*\}) 0$/gmu, '$1 1');
    assert.ok(!isRaised(expr, [{ at: 0, text: reached }]));
  });

  await t.test('tenant stopped: the authority refuses its requests', async () => {
    assert.ok(!isRaised(exprOf('DostavaTenantStopped'), [before]));
    await Promise.all(['SIM-E7777-1', 'SIM-E7777-2'].map((number) => submit(service, number)));
    await until('the alert', async () => isRaised(exprOf('DostavaTenantStopped'), [await scrape(service)]));
  });

  await t.test(
    'certificates that end in 29, 13 and 2 days: each raises what is for its days, those of a year nothing',
    async () => {
      await until('the certificates', async () =>
        /^dostava_certificate_expiry_timestamp_seconds\{/mu.test((await scrape(service)).text),
      );
      const scraped = [await scrape(service)];
      const expiringFor = (alert: string) =>
        raisedFor(exprOf(alert), scraped)
          .map(({ tenant }) => tenant)
          .toSorted();
      const within = (most: number) => [...EXPIRING].filter(([days]) => days < most).map(([, edb]) => edb);
      assert.deepEqual(expiringFor('DostavaCertificateExpiresInMonth'), within(30));
      assert.deepEqual(expiringFor('DostavaCertificateExpires'), within(14));
      assert.deepEqual(expiringFor('DostavaCertificateExpiresNow'), within(3));
    },
  );

  await t.test('wrong key: a private key was sealed by a process that has another one', async () => {
    assert.ok(!isRaised(exprOf('DostavaKeysUnopened'), [before]));
    await storeWithAnotherKey(service);
    await until('the alert', async () => {
      clock.advance(MINUTE_MS);
      return isRaised(exprOf('DostavaKeysUnopened'), [await scrape(service)]);
    });
  });
  const { text } = await scrape(service);
  checkNames(text);
  await t.test('promtool finds nothing wrong with the metrics', { skip }, async () => {
    assert.deepEqual(await promtool(['check', 'metrics'], text), [0, '']);
  });
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

test('promtool finds nothing wrong with the rules, and their tests pass', { skip }, async () => {
  for (const words of [
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ]) {
    const [status, said] = await promtool(words);
    assert.equal(status, 0, said);
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

/** The rules of Prometheus for names; `promtool check metrics` looks at some of them as well. */
function checkNames(text: string): void {
  const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gmu)].map(([, name = '', type = '']) => [name, type]));
  for (const [name, type] of types) {
    assert.equal(name.endsWith('_total'), type === 'counter', name);
    assert.doesNotMatch(name, /_(?:ms|milliseconds|minutes|hours|kb|mb|percent)(?:_|$)/u, 'base units');
    assert.match(text, new RegExp(`^# HELP ${name} [A-Z1].{8,}`, 'mu'), name);
  }
  const known = new Set([...types.keys()].flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]));
  const expressions = [...readRules().map(({ expr }) => expr), ...dashboardExpressions()];
  for (const name of expressions.flatMap(metricsIn)) assert.ok(known.has(name), `${name} is no metric of the service`);
}

/** Of a counter that begins with its first event, Prometheus sees no increase: all that alerts ask for so are there from the start. */
function checkBeginnings(text: string): void {
  const counters = readRules().flatMap(({ expr }) =>
    [...expr.matchAll(/increase\((\w+)/gu)].map(([, name = '']) => name),
  );
  assert.ok(counters.length > 0);
  for (const name of counters) assert.match(text, new RegExp(`^${name}(?:\\{.*\\})? \\d`, 'mu'));
}

test('answers of the authority that begin to differ raise their alert with the first one, by service', async () => {
  const metrics = quietMetrics();
  const scraped = async (at: number) => ({ at, ...(await metrics.render()) });
  metrics.answersCompared(Object.keys(SERVICE_SHAPES));
  const before = await scraped(0);
  const raisedBy = async () => raisedFor(exprOf('DostavaAuthorityAnswersDiffer'), [before, await scraped(60)]);
  assert.deepEqual(await raisedBy(), []);
  metrics.answerDeviated('server-time');
  assert.deepEqual(await raisedBy(), [{ service: 'server-time' }]);
});

test('one request that failed, which nobody repeats, is no outage: it is told for less time than the alert wants', async () => {
  const { text: rule } = readRules().find(({ alert }) => alert === 'DostavaAuthorityAway') ?? assert.fail();
  const minutes = (pattern: RegExp) => Number(pattern.exec(rule)?.[1] ?? assert.fail(rule)) * MINUTE_MS;
  let elapsedMs = 0;
  const metrics = metricsWith({ elapsedMs: () => elapsedMs });
  metrics.authorityCalled({ environment: 'test', service: 'companies', outcome: 'unreachable' }, 0);
  while (/^dostava_authority_available\{/mu.test((await metrics.render()).text)) elapsedMs += 10_000;
  // A range goes on for its whole length with the last sample in it.
  const raisedForMs = elapsedMs + minutes(/_over_time\(\w+\[(\d+)m\]\)/u);
  assert.ok(raisedForMs < minutes(/^ +for: (\d+)m$/mu), `it is raised for ${raisedForMs / MINUTE_MS} minutes`);
});
