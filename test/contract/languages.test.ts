import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { rejectedAnswer } from '../../src/application/delivery/authority-answer.ts';
import { failureBecause } from '../../src/application/errors/failure-catalogue.ts';
import type { StoredPayload } from '../../src/application/ports/storage/delivery-store.ts';
import type { Language } from '../../src/domain/messages/languages.ts';
import { message } from '../../src/domain/messages/message.ts';
import { inEnglish } from '../../src/domain/messages/render.ts';
import { docUidOf } from '../support/doc-uid.ts';
import { startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';
import { json } from './support/client.ts';
import { newTenant, type TestTenant } from './support/tenant.ts';
import { walk } from './support/walk.ts';

const clock = clockAt('2026-11-02T08:00:00Z');
const service = await startTestService({ clock });
after(() => service.stop());

const PATH = '/Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount';
const WRONG_TOTAL = failureBecause('TOTALS-MISMATCH', {
  ...message('payable-differs', { stated: '118.01', computed: '118.00' }),
  path: PATH,
});
const MACEDONIAN = `Како износ за плаќање е наведено 118.01, а според вкупниот износ, авансот и заокружувањето тој е 118.00; исправете го погрешниот износ (${PATH}).`;

type Detail = {
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly ujp: { readonly message: string | null; readonly warnings: readonly unknown[] } | null;
};

async function detailOf({ get }: TestTenant, docUid: string): Promise<Detail> {
  return json(await get(`/outbound/${docUid}`)) as Detail;
}

/** A change to a tenant is effective within two seconds. */
async function speak({ edb }: TestTenant, language: Language): Promise<void> {
  await service.operator.tenants.set(edb, { language });
  clock.advance(2_000);
}

async function failed(tenant: TestTenant, { code, ...failure }: { readonly code: string } & typeof WRONG_TOTAL) {
  const docUid = docUidOf(await tenant.submitted(sampleInvoice({ number: 'N-1' })));
  const record = { failureCode: code, failureMessage: failure.message, failureSentences: failure.sentences };
  await walk(service, tenant.edb, docUid, [['give-up', record]]);
  return docUid;
}

suite('the language of a taxpayer', () => {
  test('is that of its failure messages, those of documents that failed before included; the code stays', async () => {
    const tenant = await newTenant(service);
    const docUid = await failed(tenant, WRONG_TOTAL);
    assert.match(
      (await detailOf(tenant, docUid)).failureMessage ?? '',
      /^As the amount to pay .* 118\.01, but .* 118\.00/u,
    );
    await speak(tenant, 'mk');
    const { failureCode, failureMessage } = await detailOf(tenant, docUid);
    assert.deepEqual([failureCode, failureMessage], ['TOTALS-MISMATCH', MACEDONIAN]);
    await speak(tenant, 'en');
    assert.equal((await detailOf(tenant, docUid)).failureMessage, WRONG_TOTAL.message);
  });

  test('is that of the warnings, and of the answer where the authority gave no words of its own', async () => {
    const tenant = await newTenant(service);
    const docUid = docUidOf(await tenant.submitted(sampleInvoice({ number: 'N-2' })));
    const path = '/Invoice/cac:InvoiceLine[2]';
    const sentence = { ...message('line-left-out'), line: message('line-numbered', { number: '2' }), path };
    const payload: StoredPayload = {
      ...{ docTypeCode: '100', docNumber: 'N-2', docDate: '2026-11-02', docId: 'X', text: '{}' },
      warnings: [
        { code: 'LINE-LEFT-OUT', text: inEnglish(sentence), path, sentence },
        { code: 'OTHER', text: 'Of an earlier version.', path: null },
      ],
      ...{ requestTimestamp: null, sentAt: null },
    };
    const failure = failureBecause('UJP-E1000', message('E1000'));
    const refusal = {
      ...{ failureCode: failure.code, failureMessage: failure.message, failureSentences: failure.sentences },
      ujp: rejectedAnswer(failure, [{ code: 'E1000', message: null }]),
    };
    await walk(service, tenant.edb, docUid, [['prepare'], ['send']]);
    await service.foundation.storage.transaction((tx) => tx.deliveries.savePayload(tenant.edb, docUid, payload));
    await walk(service, tenant.edb, docUid, [['reject', refusal]], 30);
    const english = await detailOf(tenant, docUid);
    assert.equal(english.ujp?.message, failure.message);
    assert.deepEqual(
      english.ujp?.warnings,
      payload.warnings.map(({ code, text, path: at }) => ({ code, text, path: at })),
    );
    await speak(tenant, 'mk');
    const { ujp, failureMessage } = await detailOf(tenant, docUid);
    assert.match(failureMessage ?? '', /^Во регистарот на даночни обврзници нема друштво/u);
    assert.equal(ujp?.message, failureMessage);
    const text = `Ставка „2“: ставката има количина 0, па е изоставена (${path}).`;
    assert.deepEqual(ujp?.warnings, [
      { code: 'LINE-LEFT-OUT', text, path },
      { code: 'OTHER', text: 'Of an earlier version.', path: null },
    ]);
  });

  test('does not change the text of a document that an earlier version stored', async () => {
    const tenant = await newTenant(service);
    const docUid = docUidOf(await tenant.submitted(sampleInvoice({ number: 'N-3' })));
    const record = { failureCode: 'NOT-EXPRESSIBLE', failureMessage: 'As it was stored.' };
    await walk(service, tenant.edb, docUid, [['give-up', record]]);
    await speak(tenant, 'mk');
    assert.equal((await detailOf(tenant, docUid)).failureMessage, 'As it was stored.');
  });
});
