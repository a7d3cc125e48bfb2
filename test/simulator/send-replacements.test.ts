import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, beta, startAuthority } from './authority-client.ts';
import { ALFA, altered, BETA, type Json } from './sample-document.ts';
import {
  CORRECTION,
  CORRECTION_REASON,
  correctionOf,
  replacing,
  VOID,
  VOID_REASON,
  voidOf,
} from './sample-replacements.ts';

describe('a document that replaces another', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  describe('a void', () => {
    const statusOf = async (euid: string) => (await authority.listed(`?euid=${euid}`))[0]?.['status'];

    test('puts the voided document into status 07 and is itself in status 10', async () => {
      const euid = await authority.registered();
      const { status, body } = await authority.send(voidOf(euid), VOID);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(await statusOf(euid), '07');
      assert.equal(await statusOf(String(body['euid'])), '10');
      const { statusHistory } = await authority.ask('sales-invoice/changes', { date: '2026-11-15' });
      const row = (statusHistory as readonly Json[]).find((one) => one['euid'] === euid && one['voidReasonCode']);
      assert.deepEqual(
        [row?.['voidReasonCode'], row?.['voidReason'], row?.['voidComment']],
        ['S-1', 'Погрешен купувач', 'по договор'],
      );
    });

    test('needs a reason of the list', async () => {
      const euid = await authority.registered();
      assert.equal(await authority.refused(voidOf(euid)), 'E4019');
      for (const other of [{ voidCode: 'S-77' }, { voidCode: 'S-99' }, { voidReason: 'Грешка' }]) {
        const voidReason = { ...VOID_REASON, ...other };
        assert.equal(await authority.refused(voidOf(euid), { siblings: { voidReason } }), 'E1006');
      }
    });

    test('needs exactly one reference to a document of the same seller', async () => {
      const [one, two] = [await authority.registered(), await authority.registered()];
      const none = altered(voidOf(one), { docReferences: [] });
      assert.equal(await authority.refused(none, VOID), 'E1024');
      const both = altered(voidOf(one), { docReferences: [replacing(one), replacing(two)] });
      assert.equal(await authority.refused(both, VOID), 'E1024');
      assert.equal(await authority.refused(voidOf('no-such-euid'), VOID), 'E1021');
      const ofBeta = await authority.registered({ seller: BETA, buyer: ALFA }, { signer: beta });
      assert.equal(await authority.refused(voidOf(ofBeta), VOID), 'E1021');
    });

    test('is refused for a document that is voided, corrected, a void, or decided by the buyer', async () => {
      const voided = await authority.registered();
      const voiding = String((await authority.send(voidOf(voided), VOID)).body['euid']);
      assert.equal(await authority.refused(voidOf(voided), VOID), 'E1026');
      assert.equal(await authority.refused(voidOf(voiding), VOID), 'E1025');
      const corrected = await authority.registered();
      await authority.send(correctionOf(corrected), CORRECTION);
      assert.equal(await authority.refused(voidOf(corrected), VOID), 'E1028');
      const decided = await authority.registered();
      await authority.ask('purchase-invoice/accept-reject', { euid: decided, isAccepted: true }, beta);
      assert.equal(await authority.refused(voidOf(decided), VOID), 'E1016');
    });

    test('is refused for a document that was never NEW: E1016', async () => {
      const person = { docType: '170', docTypeName: 'Фактура кон физичко лице' };
      const euid = await authority.registered({ header: person });
      assert.equal(await authority.refused(voidOf(euid, { header: person }), VOID), 'E1016');
    });

    test('must name the issue date of the voided document: E50073', async () => {
      const euid = await authority.registered();
      const other = altered(voidOf(euid), { 'docReferences.0.docDateRef': '2026-11-09' });
      assert.equal(await authority.refused(other, VOID), 'E50073');
    });

    test('must be the voided document with every quantity and total negated: E1025', async () => {
      const lines = [
        { quantity: 2, price: 1000 },
        { quantity: 1, price: 500 },
      ];
      const euid = await authority.registered({ lines });
      const opposite = lines.map(({ quantity, price }) => ({ quantity: -quantity, price }));
      const others = [
        opposite.slice(1),
        opposite.toReversed(),
        [{ quantity: -1, price: 2500 }],
        [{ quantity: -4, price: 500 }, opposite[1] ?? { quantity: 0, price: 0 }],
        [{ quantity: 2, price: -1000 }, opposite[1] ?? { quantity: 0, price: 0 }],
      ];
      for (const other of others) {
        const document = voidOf(euid, { lines: other });
        assert.equal(await authority.refused(document, VOID), 'E1025', JSON.stringify(other));
      }
      const { status, body } = await authority.send(voidOf(euid, { lines: opposite }), VOID);
      assert.equal(status, 200, JSON.stringify(body));
    });

    test('sent again is E1023, although the document it names is voided by now', async () => {
      const document = voidOf(await authority.registered());
      assert.equal((await authority.send(document, VOID)).status, 200);
      assert.equal(await authority.refused(document, VOID), 'E1023');
    });

    test('must repeat payment and header of the voided document; each difference has its code', async () => {
      const euid = await authority.registered();
      const differences = {
        E50078: { 'docPayment.docPaymentNote': 'друго' },
        E50079: { 'header.docType': '110', 'header.docTypeName': 'Книжно одобрение' },
        E500711: { 'header.docDeliveryDate': '2026-11-09' },
        E500712: { 'header.docDelivery': 'Битола' },
        E500713: { 'header.docTurnoverDate': '2026-11-09' },
        E500714: { 'header.docPeriodStartDate': '2026-10-01' },
        E500715: { 'header.docPeriodEndDate': '2026-10-31' },
        E500716: { 'header.docNotes': 'белешка' },
        E500717: { 'header.docHeader': 'горе' },
        E500718: { 'header.docFooter': 'долу' },
      };
      for (const [code, changes] of Object.entries(differences)) {
        assert.equal(await authority.refused(altered(voidOf(euid), changes), VOID), code);
      }
      const later = { 'header.docDate': '2026-11-12' };
      assert.equal(await authority.refused(altered(voidOf(euid), later), VOID), 'E500710');
    });

    test('must have the opposite amounts of the voided document: E1025', async () => {
      const euid = await authority.registered();
      for (const quantity of [2, -1]) {
        const document = voidOf(euid, { lines: [{ quantity, price: 1000 }] });
        assert.equal(await authority.refused(document, VOID), 'E1025');
      }
    });
  });

  describe('a correction', () => {
    test('puts the corrected document into status 09 and is itself in status 01', async () => {
      const euid = await authority.registered();
      const document = correctionOf(euid, { lines: [{ quantity: 1, price: 900 }] });
      const { body } = await authority.send(document, CORRECTION);
      const statuses = await Promise.all(
        [euid, body['euid']].map(async (one) => (await authority.listed(`?euid=${one}`))[0]?.['status']),
      );
      assert.deepEqual(statuses, ['09', '01'], JSON.stringify(body));
    });

    test('is possible after the buyer has decided', async () => {
      const euid = await authority.registered();
      await authority.ask('purchase-invoice/accept-reject', { euid, isAccepted: true }, beta);
      assert.equal((await authority.send(correctionOf(euid), CORRECTION)).status, 200);
    });

    test('needs a reason of the list and a reference to a document that can be corrected', async () => {
      const euid = await authority.registered();
      assert.equal(await authority.refused(correctionOf(euid)), 'E4019');
      const correctionReason = { ...CORRECTION_REASON, correctionReasonCode: 'C98' };
      assert.equal(await authority.refused(correctionOf(euid), { siblings: { correctionReason } }), 'E1031');
      const none = altered(correctionOf(euid), { docReferences: [] });
      assert.equal(await authority.refused(none, CORRECTION), 'E1027');
      assert.equal(await authority.refused(correctionOf('no-such-euid'), CORRECTION), 'E1030');
      assert.equal((await authority.send(correctionOf(euid), CORRECTION)).status, 200);
      assert.equal(await authority.refused(correctionOf(euid), CORRECTION), 'E1028');
      const voided = await authority.registered();
      await authority.send(voidOf(voided), VOID);
      assert.equal(await authority.refused(correctionOf(voided), CORRECTION), 'E1026');
    });

    test('must have the same type and buyer: E1031', async () => {
      const euid = await authority.registered();
      const otherType = correctionOf(euid, { header: { docType: '110', docTypeName: 'Книжно одобрение' } });
      assert.equal(await authority.refused(otherType, CORRECTION), 'E1031');
      const otherBuyer = correctionOf(euid, { buyer: ALFA });
      assert.equal(await authority.refused(otherBuyer, CORRECTION), 'E1031');
    });
  });
});
