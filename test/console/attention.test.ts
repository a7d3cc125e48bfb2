import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { dueWork } from '../../src/console/pages/system/late-work.ts';
import { readFigures } from '../../src/console/pages/system/system-figures.ts';
import { isRaised } from '../alerts/expression.ts';
import { exprOf } from '../alerts/rules.ts';
import { addOutboundIn, newOutbound } from '../engines/samples.ts';
import { as, startTestService, type TestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';
import { signedIn, type Visitor } from './console-visitor.ts';

const MINUTE_MS = 60_000;

suite('what needs attention', () => {
  const clock = clockAt(Date.now());
  let service: TestService;
  let petar: Visitor;

  before(async () => {
    // No worker runs: whatever is due stays so.
    service = await startTestService({ clock, variables: { DELIVERY_HOLD_SECONDS: '0' } });
    petar = await signedIn(service, 'petar', 'viewer');
  });
  after(() => service.stop());

  /** The part of the overview that tells it, in a language. */
  async function told(language: 'mk' | 'en'): Promise<string> {
    const { text } = await petar.get(`?language=${language}`);
    return text.slice(text.indexOf('data-live="overview"'), text.indexOf('class="cards"'));
  }

  const change = (statement: string) => service.foundation.engine.transaction((sql) => sql.run(statement, []));

  test('an installation whose recurring tasks all fail, some of whose tasks do, and none after two failures', async () => {
    await change(
      "update recurring_task set due_at = 9000000000000, failures = 2, failure = 'The tax authority could not be reached.'",
    );
    assert.match(await told('en'), /Nothing needs attention/u);
    await change('update recurring_task set failures = 3');
    const all =
      /class="bad">.*: recurring tasks that failed three times or more in a row: (\d+) of \1\. The tax authority could not be reached\..*href="\/console\/system"/u;
    assert.match(await told('en'), all);
    assert.match(await told('mk'), /повторливи задачи што не успеаја три пати по ред/u);
    await change("update recurring_task set failures = 0 where name <> 'collect'");
    assert.match(await told('en'), /class="warn">.*three times or more in a row.*href="\/console\/tenants\/\d{13}"/u);
    await change('update recurring_task set failures = 0, failure = null');
    assert.match(await told('en'), /Nothing needs attention/u);
  });

  test('the worst is told first', async () => {
    const { storage } = service.foundation;
    const [tenant] = await storage.tenants.list();
    assert.ok(tenant !== undefined);
    await change("update recurring_task set failures = 3, failure = 'Away.' where name = 'collect'");
    await storage.transaction((tx) => tx.tenants.stop(tenant.edb, 'Refused.', clock.now()));
    assert.match(await told('en'), /class="bad">.*Refused\..*class="warn">.*Away\./su);
    await storage.transaction((tx) => tx.tenants.resume(tenant.edb, clock.now()));
    await change('update recurring_task set failures = 0, failure = null');
  });

  test('documents that are due for longer than the alert allows, with a link to the queues', async () => {
    const headers = as('demo-alfa', { 'X-Idempotency-Key': 'LATE-1' });
    const body = sampleInvoice({ number: 'LATE-1' });
    assert.equal((await fetch(`${service.api}/outbound`, { method: 'POST', headers, body })).status, 201);
    clock.advance(4 * MINUTE_MS);
    assert.match(await told('en'), /Nothing needs attention/u);
    clock.advance(35 * MINUTE_MS);
    const late = /class="bad">.*has been due for 39 min\. Not yet registered: \d+\..*href="\/console\/system"/u;
    assert.match(await told('en'), late);
    assert.match(await told('mk'), /доспеан веќе 39 мин/u);
    await change('update outbound set due_at = 9000000000000');
    clock.advance(MINUTE_MS);
    assert.match(await told('en'), /Nothing needs attention/u);
  });

  test('a document whose outcome has not been known for an hour; what the look-ups found is not said, since they may have failed', async () => {
    const { storage } = service.foundation;
    const [tenant] = await storage.tenants.list();
    assert.ok(tenant !== undefined);
    const due = { dueAt: 9_000_000_000_000 };
    await storage.transaction((tx) => addOutboundIn(tx, tenant.edb, 30, newOutbound(), clock.now(), due));
    clock.advance(59 * MINUTE_MS);
    assert.match(await told('en'), /Nothing needs attention/u);
    clock.advance(3 * MINUTE_MS);
    const unknown = /class="bad">.*not been known for 62 min: look-ups have not shown.*documents\?status=30"/u;
    assert.match(await told('en'), unknown);
    assert.match(await told('mk'), /не е познат веќе 62 мин: проверките не покажаа/u);
    await change('update outbound set due_at = null where status = 30');
    clock.advance(MINUTE_MS);
    assert.match(await told('en'), /Nothing needs attention/u);
  });

  test('a registration that does not fit its document, for a week, unless it turns out to be its own', async () => {
    const { storage } = service.foundation;
    const [tenant] = await storage.tenants.list();
    assert.ok(tenant !== undefined);
    const at = clock.now();
    const [strange, own] = ['01a1e35e-c000-7aaa-8bbb-000000000001', '01a1e35e-c000-7aaa-8bbb-000000000002'];
    const stray = { act: 'send', registeredAt: null, recordedAt: at, answer: null } as const;
    const { docUid } = await storage.transaction(async (tx) => {
      const answer = { accepted: true, qrLink: null, registeredAt: null, statusCode: '01', statusName: null };
      const ujp = { ...answer, euid: own, message: null, errors: [] };
      const accepted = await addOutboundIn(tx, tenant.edb, 40, newOutbound(), at, { ujp });
      await tx.strayRegistrations.add(tenant.edb, accepted.docUid, { ...stray, euid: own, status: 20 });
      const cancelled = await addOutboundIn(tx, tenant.edb, 60, newOutbound(), at);
      await tx.strayRegistrations.add(tenant.edb, cancelled.docUid, { ...stray, euid: strange, status: 60 });
      return cancelled;
    });
    const link = `/console/documents/outbound/${tenant.edb}/${docUid}`;
    const listed = await told('en');
    assert.match(listed, new RegExp(`class="bad">.*does not fit its document here: .*${strange}.*"${link}"`, 'u'));
    assert.ok(!listed.includes(own));
    assert.match(await told('mk'), new RegExp(`не одговара на документот овде: .*${strange}`, 'u'));
    clock.advance(8 * 24 * 60 * MINUTE_MS);
    await petar.signIn('petar');
    assert.ok(!(await told('en')).includes('does not fit its document here'));
  });

  test('recurring tasks that nobody has run for more than an hour', async () => {
    await change(`update recurring_task set due_at = ${clock.now() - 61 * MINUTE_MS} where name = 'collect'`);
    clock.advance(MINUTE_MS);
    assert.match(await told('en'), /Collecting inbound documents: not done in time, due for 62 min/u);
    await change('update recurring_task set due_at = 9000000000000');
  });
});

const LIMITS = [
  { alert: 'DostavaDeliveryStopped', name: 'outbound_oldest_due_seconds{status="10"}', most: 300 },
  { alert: 'DostavaDeliveryStopped', name: 'outbound_oldest_due_seconds{status="30"}', most: 300 },
  { alert: 'DostavaOutcomeUnknown', name: 'outcome_unknown_seconds{of="document"}', most: 3_600 },
  { alert: 'DostavaOutcomeUnknown', name: 'outcome_unknown_seconds{of="void"}', most: 3_600 },
  { alert: 'DostavaCollectionLate', name: 'recurring_task_oldest_due_seconds{task="collect"}', most: 3_600 },
];

for (const { alert, name, most } of LIMITS) {
  test(`the console and ${alert} agree from when on ${name} is too much`, () => {
    for (const seconds of [0, most - 1, most, most + 1, 10 * most]) {
      const text = `dostava_${name} ${seconds}`;
      const { documents, unknown, tasks } = dueWork(readFigures(text));
      const isLate = [...Object.values(documents), ...Object.values(unknown), tasks.collect].some((due) => due.isLate);
      assert.deepEqual([isLate, isRaised(exprOf(alert), [{ at: 0, text }])], [seconds > most, seconds > most]);
    }
  });
}
