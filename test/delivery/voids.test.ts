import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { signedIn } from '../console/console-visitor.ts';
import { type Delivering, startDelivering, type Taxpayer } from './support.ts';

const VOIDED = '10 20 30 40 40:UJP-VOIDED';

describe('a void of a registered document', () => {
  let delivering: Delivering;
  let alfa: Taxpayer;
  before(async () => {
    delivering = await startDelivering({ OUTCOME_WINDOW_SECONDS: '3' });
    ({ alfa } = delivering);
  });
  afterEach(() => delivering.pull('faults', {}));
  after(() => delivering.service.stop());

  async function accepted(number: string): Promise<DocUid> {
    const docUid = await alfa.send(number);
    await delivering.reach(alfa, docUid, 40);
    return docUid;
  }

  const voids = () => delivering.service.operator.voids;
  const request = (docUid: DocUid, reason = 'S-1', comment: string | null = null) =>
    voids().request(alfa.edb, docUid, reason, comment);

  async function ended(docUid: DocUid) {
    await delivering.passUntil('the end of the void', async () => {
      const { endedAt, dueAt } = (await voids().find(alfa.edb, docUid)) ?? assert.fail('no void');
      const now = delivering.clock.now();
      if (endedAt === null && dueAt !== null && dueAt > now && dueAt < now + 60_000)
        delivering.clock.advance(dueAt - now);
      return endedAt !== null;
    });
    return (await voids().find(alfa.edb, docUid)) ?? assert.fail('no void');
  }

  /** At the authority: documents by number, the void's own among them. */
  const registeredWith = async (number: string) =>
    (await delivering.registered()).filter(({ docNumber }) => docNumber.startsWith(number));

  async function acts(docUid: DocUid): Promise<string> {
    const { attempts } = await alfa.story(docUid);
    return attempts
      .filter(({ act }) => act.startsWith('void'))
      .map(({ act, outcome }) => `${act} ${outcome}`)
      .join(', ');
  }

  test('is asked for in the console, in the name of who is signed in, and its end is on the page', async () => {
    const docUid = await accepted('BY-CONSOLE');
    const vera = await signedIn(delivering.service, 'vera', 'operator');
    const path = `/documents/outbound/${alfa.edb}/${docUid}`;
    assert.ok((await vera.get(path)).text.includes(`${path}/void"`));
    assert.match((await vera.get(`${path}/void`)).text, /<option value="S-1">/u);
    assert.equal((await vera.post(`${path}/void`, { reason: 'no such reason' })).status, 409);
    assert.equal((await vera.post(`${path}/void`, { reason: 'S-1', comment: ' по договор ' })).status, 303);
    const { state, voidEuid, reason } = await ended(docUid);
    assert.deepEqual([state, reason.code, reason.comment], ['registered', 'S-1', 'по договор']);
    const [original, own, ...others] = await registeredWith('BY-CONSOLE');
    assert.deepEqual([original?.status, own?.euid, others], ['07', voidEuid, []]);
    const { text } = await vera.get(path);
    assert.ok(text.includes(`outbound void ${docUid} S-1`) && !text.includes(`${path}/void"`));
    assert.equal((await vera.post(`${path}/void`, { reason: 'S-1' })).status, 409, 'a second time');
  });

  test('repeats it with negative amounts, is registered once, and the document shows 07 with its time', async () => {
    const docUid = await accepted('VOIDED');
    await request(docUid, 'S-2', 'по договор');
    const outcome = await ended(docUid);
    assert.equal(outcome.state, 'registered');
    const [original, own, ...others] = await registeredWith('VOIDED');
    assert.deepEqual([original?.status, own?.docNumber, own?.euid, others], ['07', 'VOIDED-ST', outcome.voidEuid, []]);
    const document = await alfa.document(docUid);
    const { ujp, status, failureCode } = document;
    assert.deepEqual([status, failureCode, ujp?.euid, ujp?.statusCode], [40, null, original?.euid, '07']);
    assert.deepEqual([ujp?.statusName, ujp?.message], ['Сторнирана', 'S-2 Поништување на договор; по договор']);
    assert.equal(await alfa.steps(docUid), VOIDED);
    assert.equal(await acts(docUid), 'void-send registered');
    await assert.rejects(request(docUid), /it is voided already \(status 07/u);
  });

  test('of a document whose container is there already is made from the authority’s own copy', async () => {
    const docUid = await accepted('CONTAINED');
    await delivering.passUntil('the container', async () => (await alfa.story(docUid)).dueAt === null);
    assert.equal((await alfa.story(docUid)).sent, null);
    await request(docUid);
    assert.equal((await ended(docUid)).state, 'registered');
    assert.equal((await registeredWith('CONTAINED')).length, 2);
  });

  test('does not free the number of the document, and the message says so', async () => {
    const docUid = await accepted('AGAIN');
    await request(docUid);
    await ended(docUid);
    const again = await alfa.send('AGAIN');
    await delivering.reach(alfa, again, 55);
    const { failureCode, failureMessage } = await alfa.document(again);
    assert.equal(failureCode, 'DUPLICATE-NUMBER');
    assert.match(
      failureMessage ?? '',
      new RegExp(`^Document ${docUid} .* was voided; .* give this document another`, 'u'),
    );
  });

  test('has its identifier as number where another document has the number that it would get', async () => {
    const docUid = await accepted('TAKEN');
    const other = await accepted('TAKEN-ST');
    await request(docUid);
    const outcome = await ended(docUid);
    assert.deepEqual([outcome.state, outcome.sent?.docNumber], ['registered', outcome.sent?.docId]);
    assert.equal((await alfa.document(docUid)).ujp?.statusCode, '07');
    assert.equal((await alfa.document(other)).ujp?.statusCode, '01');
  });

  test('whose answer is lost is looked up, and registered once', async () => {
    const docUid = await accepted('LOST');
    await delivering.pull('faults', { loseAnswers: 1 });
    await request(docUid);
    await delivering.passUntil('the send', async () => (await acts(docUid)).includes('unknown'));
    await delivering.pull('faults', {});
    assert.equal((await ended(docUid)).state, 'registered');
    assert.equal(await acts(docUid), 'void-send unknown, void-look-up registered');
    assert.equal((await registeredWith('LOST')).length, 2);
    assert.equal(await alfa.steps(docUid), VOIDED);
  });

  test('that does not arrive during an outage is sent when it is over, once', async () => {
    const docUid = await accepted('OUTAGE');
    await delivering.pull('outage', { on: true, kind: '502-html' });
    await request(docUid);
    await delivering.passUntil(
      'a failure',
      async () => ((await voids().find(alfa.edb, docUid))?.failureCode ?? null) !== null,
    );
    await delivering.pull('outage', { on: false });
    assert.equal((await ended(docUid)).state, 'registered');
    assert.equal((await registeredWith('OUTAGE')).length, 2);
  });

  test('that the authority refuses is named, and the document stays as it is', async () => {
    const docUid = await accepted('SIM-BUYER-YES-V');
    // The buyer decides, and the follow-up has not seen it yet.
    delivering.clock.advance(3_000);
    await request(docUid);
    const { state, failureCode, failureMessage } = await ended(docUid);
    assert.deepEqual([state, failureCode], ['refused', 'UJP-E1016']);
    assert.match(failureMessage ?? '', /^The document is not new any more.*It says: E1016/u);
    assert.equal((await registeredWith('SIM-BUYER-YES-V')).length, 1);
    assert.equal(await alfa.steps(docUid), '10 20 30 40');
  });

  test('is refused beforehand where it cannot be, with the reason', async () => {
    const docUid = await accepted('BEFOREHAND');
    await assert.rejects(request(docUid, 'S-99'), /no reason S-99 .* It has: S-1 Погрешен купувач; S-2/u);
    const rejected = await alfa.send('SIM-E1020-V');
    await delivering.reach(alfa, rejected, 50);
    await assert.rejects(request(rejected), /is in status 50; only a document that the authority has registered/u);
    const { storage } = delivering.service.foundation;
    const euid = (await alfa.document(docUid)).ujp?.euid ?? '';
    const change = { euid, status: { code: '05', name: 'Одбиена' }, from: null, at: null, reason: null };
    await storage.transaction((tx) => tx.deliveries.recordAuthorityStatus(alfa.edb, change, delivering.clock.now()));
    await assert.rejects(request(docUid), /its buyer has rejected it \(status 05 Одбиена at the authority\)/u);
    assert.equal(await voids().find(alfa.edb, docUid), null);
  });

  test('is requested once, however many ask for it at the same time, and each request is in the audit trail', async () => {
    const docUid = await accepted('AT-ONCE');
    const requests = await Promise.allSettled(Array.from({ length: 4 }, () => request(docUid)));
    assert.equal(requests.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await ended(docUid)).state, 'registered');
    assert.equal((await registeredWith('AT-ONCE')).length, 2);
    const entries = await delivering.service.operator.readAudit({
      ...{ tenant: null, keyId: null, since: null, until: null, limit: 100 },
      docUid,
    });
    assert.equal(entries.filter(({ path }) => path.startsWith(`outbound void ${docUid} S-1`)).length, 1);
  });
});
