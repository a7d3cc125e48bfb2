import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, alfa, beta, compactJws, DAY, errorOf, skopje, startAuthority } from './authority-client.ts';
import type { Json, SampleOrder } from './sample-document.ts';

const ACCEPT_REJECT = 'purchase-invoice/accept-reject';
const VAT_TOTAL = {
  purchaseVatTaxIndicator: 'DDV-22',
  vatCode: 'DDV-A',
  vatPercent: 18,
  vatTaxableAmount: 2000,
  vatAmount: 360,
  vatTotalAmount: 2360,
};

describe('the buyer', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const decide = (payload: Json, signer = beta) => authority.ask(ACCEPT_REJECT, payload, signer);
  const statusOf = async (euid: string) => (await authority.listed(`?euid=${euid}`))[0]?.['status'];

  test('accepts a document, and the seller sees it', async () => {
    const euid = await authority.registered();
    const answer = await decide({ euid, isAccepted: true, rejectReasonCode: null, comment: null });
    assert.deepEqual(answer, { success: true, createdDate: '2026-11-15T10:00:00', errorStatus: null });
    const { docStatus } = await authority.ask('sales-invoice/current-status', { euid });
    assert.deepEqual([(docStatus as Json)['statusCode'], (docStatus as Json)['statusName']], ['03', 'Прифатена']);
  });

  test('rejects a document with a reason from the list, and the seller sees it', async () => {
    const euid = await authority.registered();
    await decide({ euid, isAccepted: false, rejectReasonCode: 'O-2', comment: 'погрешна количина' });
    assert.equal(await statusOf(euid), '05');
    const { statusHistory } = await authority.ask('sales-invoice/changes', { date: '2026-11-15' });
    const row = (statusHistory as readonly Json[]).findLast((one) => one['euid'] === euid);
    assert.deepEqual(
      [row?.['oldStatus'], row?.['newStatus'], row?.['comment'], row?.['rejectReasonCode'], row?.['rejectReason']],
      [
        { code: '01', name: 'Испратена (Нова)' },
        { code: '05', name: 'Одбиена' },
        'погрешна количина',
        'O-2',
        'Грешка во нарачка (количина, цена, опис на промет и друго)',
      ],
    );
    const history = (await authority.ask('sales-invoice/status', { euid }))['statusHistory'] as readonly Json[];
    assert.deepEqual(
      history.map(({ version, userId }) => [version, userId]),
      [
        [0, 'demo-alfa'],
        [1, 'demo-beta'],
      ],
    );
  });

  test('needs a reason in force to reject, and a comment for the reason О-7 (a Cyrillic letter)', async () => {
    const euid = await authority.registered();
    for (const rejectReasonCode of [null, 'O-99', 'O-6', 'O-7']) {
      assert.equal(errorOf(await decide({ euid, isAccepted: false, rejectReasonCode })), 'E1002');
    }
    const other = { euid, isAccepted: false, rejectReasonCode: 'О-7' };
    assert.equal(errorOf(await decide(other)), 'E5011');
    assert.equal(errorOf(await decide({ ...other, comment: ' ' })), 'E5011');
    assert.equal(await statusOf(euid), '01');
    assert.equal((await decide({ ...other, comment: 'друго' }))['success'], true);
  });

  test('decides once: a second decision is E1016', async () => {
    const euid = await authority.registered();
    await decide({ euid, isAccepted: true });
    for (const isAccepted of [true, false]) {
      assert.equal(errorOf(await decide({ euid, isAccepted, rejectReasonCode: 'O-1' })), 'E1016');
    }
    assert.equal(await statusOf(euid), '03');
  });

  test('of two decisions at the same moment exactly one is made', async () => {
    const euid = await authority.registered();
    const answers = await Promise.all(
      [true, false].map((isAccepted) => decide({ euid, isAccepted, rejectReasonCode: 'O-1' })),
    );
    assert.equal(answers.filter(({ success }) => success === true).length, 1);
  });

  test('is the only party that can decide, and the decision must be given', async () => {
    const euid = await authority.registered();
    assert.equal(errorOf(await decide({ euid, isAccepted: true }, alfa)), 'E4008');
    assert.equal(errorOf(await decide({ euid })), 'E4011');
    assert.equal(errorOf(await decide({ isAccepted: true })), 'E4011');
  });

  test('cannot decide about a void: E1022', async () => {
    const voided = await authority.registered();
    const order: SampleOrder = {
      lines: [{ quantity: -2, price: 1000 }],
      header: { docStorno: 1 },
      references: [
        { docTypeRef: 'ST', docNameRef: 'Сторно/Корекција', docDateRef: '2026-11-10', docNumberRef: voided },
      ],
    };
    const voidReason = { voidCode: 'S-1', voidReason: 'Погрешен купувач', voidComment: null };
    const euid = await authority.registered(order, { siblings: { voidReason } });
    assert.equal(errorOf(await decide({ euid, isAccepted: true })), 'E1022');
  });
});

describe('purchase VAT', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const allocate = (euid: string, totals: unknown, signer = beta) =>
    authority.ask('purchase-vat-totals', { euid, purchaseVatTotals: totals }, signer);

  test('is allocated by the buyer, is returned, and can be allocated again', async () => {
    const euid = await authority.registered();
    const totals = [VAT_TOTAL];
    const answer = await allocate(euid, totals);
    assert.equal(answer['success'], true);
    assert.deepEqual([answer['euid'], answer['purchaseVatTotals']], [euid, totals]);
    const split = [
      { ...VAT_TOTAL, vatTaxableAmount: 1500 },
      { ...VAT_TOTAL, purchaseVatTaxIndicator: 'DDV-35', vatTaxableAmount: 500 },
    ];
    assert.deepEqual((await allocate(euid, split))['purchaseVatTotals'], split);
  });

  test('can be allocated without a signature, with the serial number of a registered certificate', async () => {
    const euid = await authority.registered();
    const body = JSON.stringify({
      requestTimestamp: skopje(authority.clock.now()),
      euid,
      purchaseVatTotals: [VAT_TOTAL],
    });
    assert.equal((await authority.ask('purchase-vat-totals', {}, beta, { body }))['success'], true);
    assert.equal(
      errorOf(await authority.ask('purchase-vat-totals', {}, beta, { body, without: 'X-SERIAL-NUMBER' })),
      'E4016',
    );
    const stranger = { body, headers: { 'X-SERIAL-NUMBER': 'FFFF' } };
    assert.equal(errorOf(await authority.ask('purchase-vat-totals', {}, beta, stranger)), 'E1012');
    assert.equal(errorOf(await authority.ask('purchase-vat-totals', {}, beta, { body: '{"euid":"x"}' })), 'E4012');
  });

  test('is refused with a code of its own for each mistake', async () => {
    const euid = await authority.registered();
    assert.equal(errorOf(await allocate(euid, [{ ...VAT_TOTAL, vatTaxableAmount: 2000.5 }])), 'E1024');
    assert.equal(errorOf(await allocate(euid, [VAT_TOTAL, VAT_TOTAL])), 'E5015');
    assert.equal(errorOf(await allocate(euid, [{ ...VAT_TOTAL, purchaseVatTaxIndicator: 'FULL' }])), 'E1009');
    assert.equal(errorOf(await allocate(euid, [{ ...VAT_TOTAL, vatCode: 'A' }])), 'E1004');
    assert.equal(errorOf(await allocate(euid, [{ ...VAT_TOTAL, vatAmount: '360' }])), 'E4010');
    assert.equal(errorOf(await allocate(euid, [])), 'E4011');
    assert.equal(errorOf(await allocate(euid, [VAT_TOTAL], alfa)), 'E4008');
    await authority.ask(ACCEPT_REJECT, { euid, isAccepted: false, rejectReasonCode: 'O-1' }, beta);
    assert.equal(errorOf(await allocate(euid, [VAT_TOTAL])), 'E5016');
  });

  test('cannot be allocated after the period: E5014', async () => {
    const euid = await authority.registered();
    authority.clock.advance(31 * DAY);
    assert.equal((await allocate(euid, [VAT_TOTAL]))['success'], true);
    authority.clock.advance(1);
    assert.equal(errorOf(await allocate(euid, [VAT_TOTAL])), 'E5014');
  });
});

test('a body that is only a JWS is refused', async (t) => {
  const authority = await startAuthority(t);
  const body = JSON.stringify(compactJws({ requestTimestamp: skopje(authority.clock.now()) }, beta));
  assert.equal(errorOf(await authority.ask(ACCEPT_REJECT, {}, beta, { body })), 'E4000');
});
