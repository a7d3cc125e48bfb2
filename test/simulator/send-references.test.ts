import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, beta, startAuthority } from './authority-client.ts';
import { ALFA, altered, BETA, type Json, type SampleOrder, sampleDocument } from './sample-document.ts';

const ORDER = { docTypeRef: 'NAR', docNameRef: 'Нарачка', docDateRef: '2026-11-01', docNumberRef: 'N-17' };
const VOID_REASON = { voidCode: 'S-1', voidReason: 'Погрешен купувач', voidComment: 'по договор' };
const CORRECTION_REASON = {
  correctionReasonCode: 'C01',
  correctionReason: 'Грешка во цена',
  correctionReasonComment: 'нова цена',
};

function reference(docNumberRef: string, more: Json = {}): Json {
  return { docTypeRef: 'SYS', docNameRef: 'Од систем', docDateRef: '2026-11-10', docNumberRef, ...more };
}

function replacing(docNumberRef: string): Json {
  return reference(docNumberRef, { docTypeRef: 'ST', docNameRef: 'Сторно/Корекција' });
}

function voidOf(euid: string, order: SampleOrder = {}): Json {
  const lines = [{ quantity: -2, price: 1000 }];
  return sampleDocument({ lines, ...order, header: { docStorno: 1, ...order.header }, references: [replacing(euid)] });
}

function correctionOf(euid: string, order: SampleOrder = {}): Json {
  return sampleDocument({ ...order, header: { docStorno: 2, ...order.header }, references: [replacing(euid)] });
}

const VOID = { siblings: { voidReason: VOID_REASON } };
const CORRECTION = { siblings: { correctionReason: CORRECTION_REASON } };

describe('references', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const codeWith = (docReferences: readonly Json[]) => authority.refused(altered(sampleDocument(), { docReferences }));

  test('to other documents must have a known type with its name, and must not be repeated', async () => {
    await authority.registered({ references: [ORDER, { ...ORDER, docNumberRef: 'N-18' }] });
    assert.equal(await codeWith([{ ...ORDER, docTypeRef: 'XXX' }]), 'E1021');
    assert.equal(await codeWith([{ ...ORDER, docNameRef: 'Нарачки' }]), 'E10211');
    assert.equal(await codeWith([ORDER, ORDER]), 'E1022');
  });

  test('to registered documents are by EUID, and only to documents of the seller as either party', async () => {
    const euid = await authority.registered();
    await authority.registered({ references: [reference(euid)] });
    await authority.registered({ seller: BETA, buyer: ALFA, references: [reference(euid)] }, { signer: beta });
    assert.equal(await codeWith([reference('2026-1')]), 'E1021');
    assert.equal(await codeWith([reference('019b8d43-7840-7433-b358-08891b53605c')]), 'E1021');
  });

  test('of types served without references are accepted, or refused as a rule says; the refusal names them', async (t) => {
    const strict = await startAuthority(t, { rules: { undeclaredReferences: 'refused' } });
    const headers = { 'X-EUJP-ID': 'demo-alfa', 'X-EDB': ALFA.tin };
    const response = await fetch(`${strict.simulator.url}/api/v1/document-types`, { headers });
    const { documentTypesList } = (await response.json()) as { readonly documentTypesList: readonly Json[] };
    const served = documentTypesList.filter(({ code }) => code === '100').map(({ hasReference }) => hasReference);
    assert.deepEqual(new Set(served), new Set([false]), 'type 100 is served so');
    const names = { NAR: 'Нарачка', DOG: 'Договор', JN: 'Документ за јавна набавка' };
    for (const [docTypeRef, docNameRef] of Object.entries(names)) {
      const document = () => sampleDocument({ references: [{ ...ORDER, docTypeRef, docNameRef }] });
      assert.equal((await authority.send(document())).status, 200, docTypeRef);
      const { body } = await strict.send(document());
      assert.deepEqual([body['code'], body['message']], ['E1021', 'A document of type 100 has no references']);
    }
    const header = { docType: '110', docTypeName: 'Книжно одобрение' };
    await strict.registered({ references: [ORDER], header });
    const euid = await strict.registered();
    assert.equal((await strict.send(voidOf(euid), VOID)).status, 200, 'a void must refer to what it voids');
    await strict.admin('rules', {});
    await strict.registered({ references: [ORDER] });
  });

  test('of type ST are for voids and corrections only: E1029', async () => {
    assert.equal(await codeWith([replacing(await authority.registered())]), 'E1029');
  });

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
