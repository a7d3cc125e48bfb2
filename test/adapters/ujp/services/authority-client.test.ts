import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { signedText } from '../../../../src/domain/documents/signed-text.ts';
import { edb } from '../../../engines/samples.ts';
import { alfa, beta, DAY } from '../../../simulator/authority-client.ts';
import { GAMA } from '../../../simulator/sample-document.ts';
import { ALFA_TENANT, BETA_TENANT, callErrorOf, clientOf, prepared, startWithClient } from './client.ts';

const TODAY = '2026-11-15';

const start = async (t: TestContext) => {
  const both = await startWithClient(t);
  const send = async (document = prepared()) =>
    both.client.send(ALFA_TENANT, document, await both.client.requestTimestamp(ALFA_TENANT));
  return { ...both, send };
};

test('a send registers the document and returns EUID, link and time', async (t) => {
  const { send, authority, turns } = await start(t);
  const document = prepared();
  const { euid, qrLink, registeredAt, status, message, answer } = await send(document);
  const [listed] = await authority.listed(`?docNumber=${document.docNumber}`);
  assert.equal(listed?.['euid'], euid);
  assert.equal(listed?.['docId'], document.docId);
  assert.equal(qrLink, `${authority.simulator.portalUrl}/euid/${euid}`);
  assert.equal(registeredAt, '2026-11-15T09:00:00.000Z');
  assert.deepEqual(status, { code: '01', name: null });
  assert.equal(message, 'Фактура успешно зачувана');
  assert.match(answer ?? '', /"qr_link"/u);
  assert.deepEqual(turns, [ALFA_TENANT]);
});

test('the signed text is the prepared text with the request timestamp in front, byte for byte', async (t) => {
  const { client, authority } = await start(t);
  const document = prepared({ header: { docNotes: 'Забелешка „x“ \u2028' } });
  const requestTimestamp = await client.requestTimestamp(ALFA_TENANT);
  const { euid } = await client.send(ALFA_TENANT, document, requestTimestamp);
  const { payload } = await authority.ask('sales-invoice/payload', { euid });
  assert.equal(payload, signedText(document.text, requestTimestamp));
  assert.equal(payload, `{"requestTimestamp":"2026-11-15T10:00:00",${document.text.slice(1)}`);
});

test('a document type code that a header cannot hold is refused before anything is sent', async (t) => {
  const { send, turns } = await start(t);
  const error = await callErrorOf(send({ ...prepared(), docTypeCode: '1О0' }));
  assert.deepEqual([error.kind, error.isUncertain, turns], ['refused', false, []]);
});

test('a sent document is found by its docId among others with the same number', async (t) => {
  const { client, send, authority } = await start(t);
  const document = prepared({ docNumber: '2026-77', docDate: '2026-11-10' });
  assert.equal(await client.findRegistered(ALFA_TENANT, document), null);
  await authority.registered({ docNumber: '2026-77', docDate: '2026-11-10' });
  await authority.registered({ docNumber: '2026-77', docDate: '2026-11-09' });
  assert.equal(await client.findRegistered(ALFA_TENANT, document), null);
  authority.clock.advance(250);
  const { euid, qrLink, registeredAt } = await send(document);
  await authority.registered({ docNumber: '2026-77', docDate: '2026-11-10' });
  const { answer, ...found } = (await client.findRegistered(ALFA_TENANT, document)) ?? {};
  const status = { code: '01', name: 'Испратена (Нова)' };
  assert.deepEqual(found, { euid, qrLink, registeredAt, status, message: null });
  assert.equal(JSON.parse(answer ?? '').euid, euid);
});

test('without the right to download payloads the only document with the number is taken, unless its amount differs', async (t) => {
  const users = [{ eujpId: alfa.eujpId, edb: alfa.edb, privileges: ['SIGN'] as const }];
  const { client, authority } = await startWithClient(t, { users });
  const document = prepared({ docNumber: '2026-78', lines: [{ quantity: 3, price: 100 }] });
  const timestamp = await client.requestTimestamp(ALFA_TENANT);
  const { euid } = await client.send(ALFA_TENANT, document, timestamp);
  assert.equal((await client.findRegistered(ALFA_TENANT, document))?.euid, euid);
  const dearer = prepared({ docNumber: '2026-78', lines: [{ quantity: 3, price: 101 }] });
  assert.equal(await client.findRegistered(ALFA_TENANT, dearer), null);
  await authority.registered({ docNumber: '2026-78' });
  const error = await callErrorOf(client.findRegistered(ALFA_TENANT, document));
  assert.equal(error.kind, 'request-refused');
  assert.deepEqual(
    error.errors.map(({ code }) => code),
    ['E1011'],
  );
});

test('a look-up returns the current status of the document', async (t) => {
  const { send, authority } = await start(t);
  const document = prepared();
  await send(document);
  authority.clock.advance(6 * DAY);
  const { client } = clientOf(authority, { clock: { now: () => authority.clock.now().getTime() } });
  assert.equal((await client.findRegistered(ALFA_TENANT, document))?.status.code, '04');
});

test('an earlier document is found by number and date only when it is the only one', async (t) => {
  const { client, authority } = await start(t);
  const find = (date = '2026-11-10') => client.findByNumber(ALFA_TENANT, '2026-90', date);
  assert.equal(await find(), null);
  const euid = await authority.registered({ docNumber: '2026-90', docDate: '2026-11-10' });
  assert.deepEqual(await find(), { euid, issueDate: '2026-11-10' });
  assert.equal(await find('2026-11-11'), null);
  await authority.registered({ docNumber: '2026-90', docDate: '2026-11-10' });
  assert.equal(await find(), null);
});

test('the container of a registered document is a ZIP; that of another taxpayer is refused', async (t) => {
  const { client, send } = await start(t);
  const { euid } = await send();
  const bytes = await client.container(ALFA_TENANT, euid);
  assert.equal(Buffer.from(bytes.subarray(0, 4)).toString('latin1'), 'PK\u0003\u0004');
  assert.ok(Buffer.from(bytes).includes('mimetype'));
  const error = await callErrorOf(
    client.container(
      ALFA_TENANT,
      euid.replace(/.$/u, (last) => (last === '0' ? '1' : '0')),
    ),
  );
  assert.equal(error.kind, 'refused');
  assert.deepEqual(
    error.errors.map(({ code }) => code),
    ['E1021'],
  );
});

test('the status changes of a day come oldest first, with their reasons', async (t) => {
  const { client, send, authority } = await start(t);
  const { euid: rejected } = await send();
  authority.clock.advance(1_000);
  const { euid: waiting } = await send();
  const { clock } = authority;
  clock.advance(1_000);
  const decision = { euid: rejected, isAccepted: false, rejectReasonCode: 'O-2', comment: 'Погрешна количина' };
  assert.equal((await authority.ask('purchase-invoice/accept-reject', decision, beta))['success'], true);
  const changes = await client.statusChanges(ALFA_TENANT, TODAY);
  assert.deepEqual(
    changes.map(({ euid, status }) => [euid, status.code]),
    [
      [rejected, '01'],
      [waiting, '01'],
      [rejected, '05'],
    ],
  );
  assert.equal(changes[0]?.reason, null);
  assert.match(changes[2]?.reason ?? '', /.+; Погрешна количина$/u);
  assert.notEqual(changes[2]?.status.name, null);
  assert.deepEqual(await client.statusChanges(ALFA_TENANT, '2026-11-14'), []);
});

test('a buyer gets the list of arrivals, each exactly as it was signed, and its PDF', async (t) => {
  const { client, send } = await start(t);
  const documents = [prepared(), prepared()];
  const euids: string[] = [];
  for (const document of documents) euids.push((await send(document)).euid);
  const listed = async (tenant = BETA_TENANT, from = '2026-11-01') =>
    (await client.arrivals(tenant, from, '2026-11-30')).listed;
  const found = await listed();
  assert.deepEqual(
    found.map(({ euid }) => euid),
    euids,
  );
  assert.deepEqual(found[0]?.status, { code: '01', name: 'Испратена (Нова)' });
  assert.deepEqual(
    [found[0]?.facts.documentNumber, found[0]?.facts.senderEdb],
    [documents[0]?.docNumber, ALFA_TENANT.edb],
  );
  assert.deepEqual(await listed(BETA_TENANT, '2026-11-11'), []);
  assert.deepEqual(await listed(ALFA_TENANT), []);
  assert.deepEqual(
    (await client.arrived(BETA_TENANT, euids)).map(({ euid, original, unreadable }) => ({
      euid,
      payload: Buffer.from(original).toString(),
      unreadable,
    })),
    documents.map(({ text }, index) => ({
      euid: euids[index],
      payload: signedText(text, '2026-11-15T10:00:00'),
      unreadable: null,
    })),
  );
  assert.deepEqual(await client.arrived(BETA_TENANT, []), []);
  assert.deepEqual(await client.arrived(ALFA_TENANT, euids), []);
  const pdf = await client.arrivedPdf(BETA_TENANT, `${euids[0]}`);
  assert.equal(Buffer.from(pdf ?? []).toString('latin1', 0, 5), '%PDF-');
  assert.equal(await client.arrivedPdf(ALFA_TENANT, `${euids[0]}`), null);
  assert.equal((await callErrorOf(client.arrivals(BETA_TENANT, '2026-09-01', '2026-11-30'))).errors[0]?.code, 'E4014');
});

test('a company is read unchanged from the registry; an unknown one is null', async (t) => {
  const { client } = await start(t);
  assert.deepEqual(await client.company(ALFA_TENANT, edb(GAMA.tin)), {
    taxNumber: GAMA.tin,
    vatNumber: null,
    name: GAMA.name,
    street: GAMA.street,
    number: GAMA.number,
    postalCode: GAMA.zip,
    city: GAMA.city,
  });
  assert.equal((await client.company(ALFA_TENANT, ALFA_TENANT.edb))?.vatNumber, 'МК4030026000018');
  assert.equal(await client.company(ALFA_TENANT, edb('4099999999999')), null);
});

test('an exchange rate is in denars for one unit; a missing one is null', async (t) => {
  const { client } = await start(t);
  const rate = (currency: string, date = '2026-11-10') => client.exchangeRate(ALFA_TENANT, currency, date);
  assert.deepEqual(await rate('EUR'), { currency: 'EUR', date: '2026-11-10', rate: 61.695 });
  assert.deepEqual(await rate('JPY'), { currency: 'JPY', date: '2026-11-10', rate: 0.347258 });
  assert.equal(await rate('XAU'), null);
  assert.equal(await rate('EUR', '2026-12-10'), null);
});

test('the allowed indicators of a document type come each once; an unknown type has none', async (t) => {
  const { client, turns } = await start(t);
  const allowed = await client.allowedIndicators(ALFA_TENANT, '170');
  const codes = allowed.map(({ taxIndicatorCode }) => taxIndicatorCode);
  assert.ok(allowed.every(({ docTypeCode }) => docTypeCode === '170'));
  assert.ok(codes.includes('DDV-A'));
  assert.ok(!codes.includes('DDV-11-A'));
  assert.equal(new Set(codes).size, codes.length);
  assert.deepEqual(await client.allowedIndicators(ALFA_TENANT, '777'), []);
  const { length } = turns;
  assert.deepEqual(await client.allowedIndicators(ALFA_TENANT, '../companies'), []);
  assert.equal(turns.length, length);
});

test('a catalogue answer is returned unchanged', async (t) => {
  const { client } = await start(t);
  const { purchaseTaxIndicators } = await client.list(ALFA_TENANT, 'purchase-tax-indicators');
  assert.ok(Array.isArray(purchaseTaxIndicators));
  assert.equal((await callErrorOf(client.list(ALFA_TENANT, 'no-such-list'))).errors[0]?.code, 'E4004');
});
