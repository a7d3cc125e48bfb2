import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuthorityCallError } from '../../src/application/ports/authority.ts';
import { type Json, refusing, rows, startCollecting } from '../delivery/collecting.ts';
import { onEveryEngine } from '../support/engines.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Collecting = Awaited<ReturnType<typeof startCollecting>>;

const numbersOf = async ({ stored }: Collecting) =>
  (await stored()).map(({ documentNumber }) => documentNumber).toSorted();

onEveryEngine('arrivals of another kind than expected', (database) => {
  test('an object instead of a text is stored within one run, as it was given, with what the list says of it', async (t) => {
    const collecting = await startCollecting(t, database());
    const { sent, collect, rewriting, stored, problems, news, client, tenant, pass } = collecting;
    await sent({ docNumber: 'TEXT-1' });
    const odd = await sent({ docNumber: 'OBJECT' });
    await sent({ docNumber: 'TEXT-2' });
    rewriting(rows('payload/list', (row) => [row['euid'] === odd ? asObject(row) : row]));
    await collect();
    assert.deepEqual(await numbersOf(collecting), ['OBJECT', 'TEXT-1', 'TEXT-2']);
    const found = await stored();
    const document = found.find(({ documentNumber }) => documentNumber === 'OBJECT') ?? assert.fail();
    assert.deepEqual([document.senderEdb, document.amount], ['4030026000018', '2360']);
    const [given] = (JSON.parse(document.original) as { readonly invoices: readonly Json[] }).invoices;
    assert.equal(given?.['euid'], odd);
    assert.equal(typeof given['payload'], 'object');
    assert.equal(Buffer.from((await client.arrivedInAnyShape(tenant, odd)).original).toString(), document.original);
    assert.deepEqual(
      (await problems()).map(({ subject, docUid, dueAt }) => [subject, docUid, dueAt]),
      [[odd, document.docUid, null]],
    );
    assert.deepEqual(news(), [`unreadable ${odd}`]);

    // Once it is stored, neither its identifier nor its bytes change, whatever the authority gives later.
    rewriting(() => undefined);
    pass(24 * HOUR);
    await collect();
    assert.deepEqual(
      (await stored()).map(({ docUid, original }) => [docUid, original]),
      found.map(({ docUid, original }) => [docUid, original]),
    );
    assert.deepEqual(news(), []);
    await database().storage.transaction((tx) => tx.inbound.acknowledge(tenant.edb, document.docUid, 1));
    assert.deepEqual(await problems(), [], 'the client has it');
  });

  test('a text that is no document, or says its facts in another form, is stored within one run with those of the list', async (t) => {
    const collecting = await startCollecting(t, database());
    const { sent, collect, rewriting, stored, news } = collecting;
    const payloads = new Map<unknown, string>();
    const changes: readonly ((payload: string) => string)[] = [
      () => '<Invoice/>',
      () => '{"document":',
      () => '{"document":[]}',
      () => '"text"',
      (payload) => payload.replace(/"docFinalAmount":(\d+)/u, '"docFinalAmount":"$1"'),
      (payload) => payload.replace('"header"', '"heading"'),
    ];
    const numbers = changes.map((_, index) => `ODD-${index}`);
    for (const docNumber of numbers) await sent({ docNumber });
    rewriting(
      rows('payload/list', (row) => {
        const change = changes[payloads.has(row['euid']) ? -1 : payloads.size] ?? String;
        const payload = payloads.get(row['euid']) ?? change(String(row['payload']));
        payloads.set(row['euid'], payload);
        return [{ ...row, payload }];
      }),
    );
    await collect();
    const found = await stored();
    assert.deepEqual(await numbersOf(collecting), numbers);
    assert.ok(found.every(({ amount, senderEdb }) => amount === '2360' && senderEdb === '4030026000018'));
    assert.deepEqual(found.map(({ original }) => original).toSorted(), [...payloads.values()].toSorted());
    assert.deepEqual(news().toSorted(), [...payloads.keys()].map((euid) => `unreadable ${euid}`).toSorted());
  });

  test('without the right to read payloads every arrival is reported once, asked for ever more seldom, and stored in the end', async (t) => {
    const collecting = await startCollecting(t, database());
    const { authority, sent, collect, user, problems, news, pass, rewriting } = collecting;
    const euids = [await sent({ docNumber: 'R-1' }), await sent({ docNumber: 'R-2' })];
    await authority.admin('users', { ...user, privileges: ['SIGN', 'DP', 'DA'] });
    let asked = 0;
    rewriting(({ path }) => {
      asked += path.endsWith('payload/list') ? 1 : 0;
      return undefined;
    });
    await collect();
    assert.deepEqual(
      news(),
      euids.map((euid) => `failed ${euid}`),
    );
    assert.deepEqual(
      (await problems()).map(({ subject, cause, failures }) => [subject, cause, failures]),
      euids.map((euid) => [euid, 'E1011', 1]),
    );
    const before = asked;
    await collect();
    assert.equal(asked, before, 'its pause is not over');
    for (const [pause, failures] of [
      [MINUTE, 2],
      [2 * MINUTE, 3],
      [4 * MINUTE, 4],
    ] as const) {
      pass(pause);
      await collect();
      assert.deepEqual(
        (await problems()).map((problem) => problem.failures),
        [failures, failures],
      );
    }
    for (let day = 0; day < 12; day += 1) {
      pass(6 * HOUR);
      await collect();
    }
    assert.deepEqual(
      (await problems()).map(({ failures }) => failures),
      [16, 16],
      'every six hours, without end',
    );
    assert.deepEqual(news(), [], 'the reason is the same');
    await authority.admin('users', user);
    pass(6 * HOUR);
    await collect();
    assert.deepEqual(await numbersOf(collecting), ['R-1', 'R-2']);
    assert.deepEqual(await problems(), []);
    assert.deepEqual(
      news(),
      euids.map((euid) => `resolved ${euid}`),
    );
  });

  test('a right that is back shows at the next arrival: what waited for it comes in the run after that', async (t) => {
    const collecting = await startCollecting(t, database());
    const { authority, sent, collect, user, pass } = collecting;
    await sent({ docNumber: 'B-1' });
    await authority.admin('users', { ...user, privileges: ['SIGN', 'DP', 'DA'] });
    for (let run = 0; run < 12; run += 1) {
      pass(6 * HOUR);
      await collect();
    }
    await sent({ docNumber: 'B-2' });
    await collect();
    await authority.admin('users', user);
    pass(MINUTE);
    await collect();
    assert.deepEqual(await numbersOf(collecting), ['B-2']);
    await collect();
    assert.deepEqual(await numbersOf(collecting), ['B-1', 'B-2']);
  });

  test('documents that fail keep none behind them back, and are reported with the reason', async (t) => {
    const collecting = await startCollecting(t, database());
    const { sent, collect, rewriting, problems, pass } = collecting;
    const failing = [
      await sent({ docNumber: 'F-1' }),
      await sent({ docNumber: 'F-2' }),
      await sent({ docNumber: 'F-3' }),
    ];
    const numbers = Array.from({ length: 22 }, (_, index) => `G-${String(index).padStart(2, '0')}`);
    for (const docNumber of numbers) await sent({ docNumber });
    rewriting(refusing('payload/list', failing, 'E5000'));
    await collect();
    assert.deepEqual(await numbersOf(collecting), numbers);
    const found = await problems();
    assert.deepEqual(
      found.map(({ subject, cause }) => [subject, cause]),
      failing.map((euid) => [euid, 'E5000']),
    );
    assert.match(found[0]?.reason ?? '', /E5000 no/u);
    rewriting(() => undefined);
    pass(MINUTE);
    await collect();
    assert.equal((await collecting.stored()).length, 25);
    assert.deepEqual(await problems(), []);
  });

  test('a document that is listed and not given is reported and asked for, also when it is not listed any more', async (t) => {
    const collecting = await startCollecting(t, database());
    const { sent, collect, rewriting, problems, pass } = collecting;
    const euid = await sent({ docNumber: 'LATER' });
    rewriting(rows('payload/list', () => []));
    await collect();
    assert.deepEqual(
      (await problems()).map(({ subject, reason }) => [subject, reason]),
      [[euid, 'The authority lists the document and does not give it']],
    );
    rewriting(rows('invoices-status', () => []));
    pass(MINUTE);
    await collect();
    assert.deepEqual(await numbersOf(collecting), ['LATER']);
  });

  test('the problem of a document that was stored meanwhile is over, whoever stored it', async (t) => {
    const collecting = await startCollecting(t, database());
    const { sent, collect, rewriting, problems, news, pass, storage, tenant } = collecting;
    const euid = await sent({ docNumber: 'MEANWHILE' });
    rewriting(refusing('payload/list', [euid], 'E5000'));
    await collect();
    const [problem] = await problems();
    rewriting(() => undefined);
    pass(MINUTE);
    await collect();
    // As if the process had ended after the document was stored and before its problem was removed.
    await storage.transaction((tx) => tx.arrivalProblems.save(tenant.edb, problem ?? assert.fail()));
    news();
    await collect();
    assert.deepEqual(await problems(), []);
    assert.deepEqual(news(), [`resolved ${euid}`]);
  });

  test('of a list with odd rows the good ones are taken, and the odd ones are reported once', async (t) => {
    const collecting = await startCollecting(t, database());
    const { sent, collect, rewriting, problems, news, pass } = collecting;
    await sent({ docNumber: 'GOOD-1' });
    await sent({ docNumber: 'GOOD-2' });
    rewriting(rows('invoices-status', (row) => [{ ...row, euid: 'no UUID' }, row, 7, { docNumber: 'x' }, row]));
    await collect();
    assert.deepEqual(await numbersOf(collecting), ['GOOD-1', 'GOOD-2']);
    const reported = news();
    assert.ok(reported.length >= 4 && reported.every((one) => one.startsWith('failed row:')), reported.join());
    assert.ok((await problems()).some(({ reason }) => reason.includes('no UUID')));
    pass(MINUTE);
    await collect();
    assert.deepEqual(news(), []);
    rewriting(() => undefined);
    pass(25 * HOUR);
    await collect();
    assert.deepEqual(await problems(), []);
  });

  test('a list of older documents that fails is reported and keeps neither new ones nor the other lists back', async (t) => {
    const collecting = await startCollecting(t, database());
    const { sent, collect, rewriting, problems, news } = collecting;
    await sent({ docNumber: 'NEW' });
    await sent({ docNumber: 'OLD', docDate: '2026-09-05' });
    let lists = 0;
    rewriting(({ path }) => {
      lists += path.endsWith('invoices-status') ? 1 : 0;
      return path.endsWith('invoices-status') && lists === 2 ? { body: Buffer.from('{"success":true}') } : undefined;
    });
    await collect();
    assert.deepEqual(await numbersOf(collecting), ['NEW']);
    assert.deepEqual(news(), ['failed list:1']);
    await collect();
    assert.deepEqual(await numbersOf(collecting), ['NEW', 'OLD']);
    for (let run = 2; run < 14; run += 1) await collect();
    assert.equal((await problems()).length, 1, 'the list itself was not asked for again');
    await collect();
    assert.deepEqual(await problems(), []);
    assert.deepEqual(news(), ['resolved list:1']);
  });

  test('the weeks to come are no problem where the authority refuses to list them, and one where it or a firewall fails to', async (t) => {
    const errorStatus = { errorCode: 'E4014', errorMessage: 'dateTo', errorPropertyMap: null };
    for (const [status, answer, expected] of [
      [200, { success: false, createdDate: null, errorStatus }, []],
      [200, { success: true }, ['failed list:-1']],
      [403, { error: 'a firewall' }, ['failed list:-1']],
    ] as const) {
      const { sent, collect, rewriting, stored, problems, news } = await startCollecting(t, database());
      await sent({ docNumber: 'NEW' });
      let lists = 0;
      rewriting(({ path }) => {
        lists += path.endsWith('invoices-status') ? 1 : 0;
        const isAhead = path.endsWith('invoices-status') && lists === 28;
        return isAhead ? { status, body: Buffer.from(JSON.stringify(answer)) } : undefined;
      });
      for (let run = 0; run < 14; run += 1) await collect();
      assert.equal(lists, 28);
      assert.deepEqual([news(), (await problems()).length], [expected, expected.length]);
      assert.equal((await stored()).length, 1);
    }
  });

  test('bytes that are not UTF-8, in a row of the list or in a payload, keep no other document back', async (t) => {
    for (const service of ['invoices-status', 'payload/list']) {
      const collecting = await startCollecting(t, database());
      const { sent, collect, rewriting, problems } = collecting;
      for (const docNumber of ['U-1', 'U-CUT', 'U-3']) await sent({ docNumber });
      // The first byte of a Cyrillic letter.
      rewriting(({ path, body }) => {
        const cut = body.toString('latin1').replace('U-CUT', 'U-CU\xd0');
        return path.endsWith(service) ? { body: Buffer.from(cut, 'latin1') } : undefined;
      });
      await collect();
      const cut = service === 'invoices-status' ? 'U-CU\ufffd' : 'U-CUT';
      assert.deepEqual((await numbersOf(collecting)).toSorted(), ['U-1', 'U-3', cut]);
      assert.deepEqual(
        (await problems()).map(({ cause }) => cause),
        ['unreadable'],
      );
    }
  });

  test('an outage ends the run, is reported once, and when it is over everything is there', async (t) => {
    const collecting = await startCollecting(t, database());
    const { sent, collect, rewriting, problems, news } = collecting;
    for (const docNumber of ['O-1', 'O-2', 'O-3']) await sent({ docNumber });
    const busy = { status: 503, body: Buffer.from('busy') };
    rewriting(({ path }) => (path.endsWith('payload/list') ? busy : undefined));
    for (let run = 0; run < 3; run += 1) await assert.rejects(collect(), AuthorityCallError);
    rewriting(({ path }) => (path.endsWith('invoices-status') ? busy : undefined));
    await assert.rejects(collect(), AuthorityCallError);
    assert.deepEqual(
      (await problems()).map(({ subject, failures }) => [subject, failures]),
      [['collection', 4]],
    );
    assert.deepEqual(news(), ['failed collection']);
    rewriting(() => undefined);
    await collect();
    assert.deepEqual(await numbersOf(collecting), ['O-1', 'O-2', 'O-3']);
    assert.deepEqual(await problems(), []);
    assert.deepEqual(news(), ['resolved collection']);
  });

  test('a PDF that something on the way answers for, or whose request has a wrong time, is asked for again with its document', async (t) => {
    const page = { contentType: 'text/html', body: Buffer.from('<h1>Bad Gateway</h1>') };
    for (const answer of [
      ...[200, 302, 401, 403, 407, 408, 500, 502, 504, 511].map((status) => ({ ...page, status })),
      ...['', '{"success":true,"pdf', '[]', 'null', '{"status":"ok"}', '{"error":"x"}'].map((body) => ({
        body: Buffer.from(body),
      })),
      { status: 403, body: Buffer.from('{"code":"BLOCKED","message":"by a rule"}') },
      { body: Buffer.from('{"success":false,"errorStatus":{"errorCode":"E4012","errorMessage":"time"}}') },
    ]) {
      const { sent, collect, rewriting, stored, problems, pass, storage, tenant } = await startCollecting(
        t,
        database(),
      );
      const euid = await sent();
      rewriting(({ path }) => (path === 'documents/purchase-invoice/pdf' ? answer : undefined));
      await collect();
      assert.deepEqual([(await stored()).length, (await problems()).map(({ subject }) => subject)], [0, [euid]]);
      rewriting(() => undefined);
      pass(MINUTE);
      await collect();
      const [{ docUid } = assert.fail(), ...others] = await stored();
      assert.notEqual(await storage.inbound.file(tenant.edb, docUid, 'pdf'), null);
      assert.deepEqual([others, await problems()], [[], []]);
    }
  });

  test('a document whose PDF is not there, comes in another form, or is what the authority fails on, is stored without it at once', async (t) => {
    for (const answer of [
      { contentType: 'application/pdf', body: Buffer.from('%PDF-1.7') },
      { body: Buffer.from('"JVBERi0xLjcK') },
      { body: Buffer.from('{"success":true,"errorStatus":null,"pdf":"JVBERi0xLjcK"}') },
      { body: Buffer.from('{"success":false,"errorStatus":{"errorCode":"E1011","errorMessage":"no right"}}') },
      { status: 403, body: Buffer.from('{"success":false,"errorStatus":{"errorCode":"E5005","errorMessage":"no"}}') },
      { status: 404, contentType: 'text/html', body: Buffer.from('<h1>Not Found</h1>') },
      { body: Buffer.from('{"success":false,"errorStatus":{"errorCode":"E5000","errorMessage":"no"}}') },
    ]) {
      const { sent, collect, rewriting, stored, problems } = await startCollecting(t, database());
      await sent();
      rewriting(({ path }) => (path === 'documents/purchase-invoice/pdf' ? answer : undefined));
      await collect();
      assert.deepEqual([(await stored()).length, await problems()], [1, []]);
    }
  });

  test('the sender’s later void and the buyer’s decision are followed, and an answer that is overtaken changes nothing', async (t) => {
    const { sent, collect, rewriting, stored } = await startCollecting(t, database());
    await sent({ docNumber: 'STATUS' });
    const statusOf = async () => (await stored())[0]?.authorityStatus;
    await collect();
    assert.deepEqual(await statusOf(), { code: '01', name: 'Испратена (Нова)' });
    const saying = (statusCode: string, statusName: string) =>
      rewriting(rows('invoices-status', (row) => [{ ...row, statusCode, statusName }]));
    const seen: unknown[] = [];
    for (const code of ['03', '01', '07', '03', '05', '01', '07', '00']) {
      saying(code, `name of ${code}`);
      await collect();
      seen.push((await statusOf())?.code);
    }
    assert.deepEqual(seen, ['03', '03', '07', '07', '07', '07', '07', '07']);
    assert.equal((await statusOf())?.name, 'name of 07');
  });
});

function asObject(row: Json): Json {
  return { ...row, payload: JSON.parse(String(row['payload'])) };
}
