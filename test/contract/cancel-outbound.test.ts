import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { openFoundation } from '../../src/app/foundation.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { type Answer, json } from './support/client.ts';
import { CANCEL_RESULT, HISTORY, OUTBOUND_DOCUMENT, readFields, TRANSITION } from './support/fields.ts';
import { assertProblem } from './support/problem.ts';
import { newTenant } from './support/tenant.ts';
import { WAY_TO, walk } from './support/walk.ts';

const ROUNDS = 24;

const clock = clockAt('2026-11-02T08:00:00Z');
const service = await startTestService({ clock });
after(() => service.stop());
const tenant = await newTenant(service);

const cancel = (docUid: string, body?: string, headers?: Record<string, string>) =>
  tenant.post(`/outbound/${docUid}/cancel`, body, headers);

const statusOf = async (docUid: string) =>
  readFields(OUTBOUND_DOCUMENT, json(await tenant.get(`/outbound/${docUid}`))).status;

const statusesOf = async (docUid: string) => {
  const { transitions } = readFields(HISTORY, json(await tenant.get(`/outbound/${docUid}/history`)));
  return transitions.map((entry) => readFields(TRANSITION, entry).status);
};

async function documentIn(status: keyof typeof WAY_TO): Promise<DocUid> {
  const docUid = await tenant.submitted();
  await walk(service, tenant.edb, docUid, WAY_TO[status]);
  return docUid;
}

function assertCancelled(answer: Answer, docUid: string): void {
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(readFields(CANCEL_RESULT, json(answer)), { docUid, status: 60 });
}

suite('POST /outbound/{docUid}/cancel', () => {
  for (const status of [10, 20, 55] as const) {
    test(`status ${status} allows cancelling: 60, recorded in the history`, async () => {
      const docUid = await documentIn(status);
      assertCancelled(await cancel(docUid), docUid);
      assert.equal(await statusOf(docUid), 60);
      assert.deepEqual((await statusesOf(docUid)).slice(-2), [status, 60]);
    });
  }

  for (const status of [30, 40, 50] as const) {
    test(`status ${status} does not allow cancelling: ERR-3003, unchanged`, async () => {
      const docUid = await documentIn(status);
      const history = await statusesOf(docUid);
      assertProblem(await cancel(docUid), 'ERR-3003');
      assert.deepEqual([await statusOf(docUid), await statusesOf(docUid)], [status, history]);
    });
  }

  test('a cancelled document is ERR-3004, unchanged', async () => {
    const docUid = await documentIn(10);
    await cancel(docUid);
    assertProblem(await cancel(docUid), 'ERR-3004');
    assert.deepEqual(await statusesOf(docUid), [10, 60]);
  });

  test('a cancelled failure no longer shows as one', async () => {
    const docUid = await documentIn(55);
    await cancel(docUid);
    const document = readFields(OUTBOUND_DOCUMENT, json(await tenant.get(`/outbound/${docUid}`)));
    assert.deepEqual([document.failureCode, document.failureMessage], [null, null]);
  });

  test('20 cancellations at the same moment: one succeeds, the others are ERR-3004', async () => {
    const docUid = await documentIn(20);
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(docUid)));
    const [winners, losers] = [
      answers.filter(({ status }) => status === 200),
      answers.filter(({ status }) => status !== 200),
    ];
    assert.equal(winners.length, 1);
    for (const answer of losers) assertProblem(answer, 'ERR-3004');
    assert.deepEqual(await statusesOf(docUid), [10, 20, 60]);
  });
});

suite('POST /outbound/{docUid}/cancel against a delivery that begins at the same moment', () => {
  const send = (docUid: DocUid, { storage }: Pick<typeof service.foundation, 'storage'>) =>
    storage.transaction((tx) =>
      tx.outbound.move(tenant.edb, docUid, 20, 'send', { at: clock.now(), failureCode: null, failureMessage: null }),
    );

  async function assertOneWon(docUid: string, answer: Answer, sent: boolean): Promise<void> {
    if (sent) assertProblem(answer, 'ERR-3003');
    else assertCancelled(answer, docUid);
    const end = sent ? 30 : 60;
    assert.deepEqual([await statusOf(docUid), await statusesOf(docUid)], [end, [10, 20, end]]);
  }

  test('exactly one of the two wins, and the loser sees its result', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const docUid = await documentIn(20);
      const begin = [() => cancel(docUid), () => send(docUid, service.foundation)];
      const [first, second] = round % 2 === 0 ? begin : begin.toReversed();
      const results = await Promise.all([first?.(), second?.()]);
      const answer = results.find((result) => typeof result === 'object') as Answer;
      await assertOneWon(docUid, answer, results.includes(true));
    }
  });

  test('exactly one of the two wins when the delivery is another process', async () => {
    const elsewhere = await openFoundation(service.foundation.config, { onlyClock: clock });
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const docUid = await documentIn(20);
        const answering = cancel(docUid);
        // Every other delivery begins a few turns of the event loop later, so that both sides win now and then.
        for (let turn = 0; turn < round % 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        const sent = await send(docUid, elsewhere);
        await assertOneWon(docUid, await answering, sent);
      }
    } finally {
      await elsewhere.engine.close();
    }
  });
});

suite('POST /outbound/{docUid}/cancel takes no body', () => {
  const NAMING: Readonly<Record<string, string>> = {
    JSON: '{"tenantId": "4030026000018"}',
    'JSON deep inside': '[{"a": [{"Tenant-Key": null}]}]',
    XML: '<cancel><t:tenant_uid xmlns:t="urn:t">7</t:tenant_uid></cancel>',
    'an XML attribute': '<cancel taxpayerId="7"/>',
    'a form': 'reason=late&tenant=7',
    'a form with an encoded name': 'reason=late&tenant%5Fid=7',
  };
  for (const [name, body] of Object.entries(NAMING)) {
    test(`one that names a tenant as ${name} is ERR-1007, and nothing is cancelled`, async () => {
      const docUid = await documentIn(10);
      assertProblem(await cancel(docUid, body), 'ERR-1007');
      assert.equal(await statusOf(docUid), 10);
    });
  }

  for (const body of [
    '{}',
    '{"reason":"typing error by tenant"}',
    '{"reason":"wrong tenant = late"}',
    '<cancel/>',
    'reason=late',
    'text',
    '{',
    '\u0000',
  ]) {
    test(`a harmless one is ignored: ${JSON.stringify(body)}`, async () => {
      const docUid = await documentIn(10);
      assertCancelled(await cancel(docUid, body, { 'Content-Type': 'application/json' }), docUid);
    });
  }
});
