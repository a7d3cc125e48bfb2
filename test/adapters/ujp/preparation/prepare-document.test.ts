import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { serialise } from '../../../../src/adapters/threads/serialised-content.ts';
import { createConverter } from '../../../../src/adapters/ujp/preparation/converter.ts';
import { type PreparationQueries, prepareDocument } from '../../../../src/adapters/ujp/preparation/prepare-document.ts';
import type { ReadCachedCodeList } from '../../../../src/application/code-lists/cached-code-list.ts';
import { AuthorityCallError } from '../../../../src/application/ports/authority.ts';
import type { Tenant } from '../../../../src/domain/accounts/tenant.ts';
import type { CodeListEntry, CodeListType } from '../../../../src/domain/values/code-list.ts';
import { clockAt } from '../../../support/test-clock.ts';
import { LISTS } from '../conversion/authority-lists.ts';
import { ALFA, BETA, identifier, invoice, party, reference } from '../conversion/sample-content.ts';
import { ALFA_TENANT, faultOf } from '../services/client.ts';

/** Of another name at the authority, which does not accept it. */
const REFUSED_TENANT: Tenant = { ...ALFA_TENANT, eujpId: 'unknown' };
const UID = '01a1ddc0-3b8b-7df6-a9f7-802f112fe389';
const MINUTE = 60_000;

const SERVED: Partial<Record<CodeListType, readonly CodeListEntry[]>> = {
  'document-types': LISTS.documentTypes,
  'reference-document-types': LISTS.referenceTypes,
  'tax-groups': LISTS.taxGroups.map((group) => ({ ...group, details: { percent: group.percent } })),
  'tax-indicators': LISTS.taxIndicators.map((one) => ({
    ...one,
    details: { note: one.note, vatImpact: one.vatImpact, taxGroupCode: one.taxGroupCode },
  })),
  'payment-types': LISTS.paymentTypes,
  'correction-reasons': LISTS.correctionReasons,
  currencies: LISTS.currencies,
  countries: LISTS.countries,
};

const CONTENT = invoice({
  supplier: party({ identifiers: [identifier('tax-scheme', ALFA.taxNumber, 'VAT')] }),
  customer: party({ identifiers: [identifier('tax-scheme', BETA.taxNumber, 'VAT')] }),
});

type Asked = { readonly what: string; readonly user: string | null };

/** What the authority answers, to all but the user that it does not know; with a record of the questions. */
function authority(changes: Partial<PreparationQueries> = {}) {
  const asked: Asked[] = [];
  const clock = clockAt();
  async function answer<Value>({ eujpId: user }: Tenant, what: string, value: Value): Promise<Value> {
    asked.push({ what, user });
    await Promise.resolve();
    if (user === REFUSED_TENANT.eujpId) throw new AuthorityCallError('Nobody knows who asks', { kind: 'credentials' });
    return value;
  }
  const lists: ReadCachedCodeList = async (tenant, type) => ({
    entries: await answer(tenant, type, SERVED[type] ?? []),
    readAt: clock.now(),
  });
  const queries: PreparationQueries = {
    company: (tenant, edb) => answer(tenant, `company ${edb}`, edb === BETA.taxNumber ? BETA : ALFA),
    exchangeRate: (tenant, currency) => answer(tenant, `rate ${currency}`, null),
    allowedIndicators: (tenant, type) => answer(tenant, `indicators ${type}`, LISTS.allowedIndicators),
    findByNumber: (tenant, number) => answer(tenant, `number ${number}`, null),
    ...changes,
  };
  const prepare = prepareDocument({ converter: createConverter(), queries, lists, clock });
  return {
    asked,
    clock,
    prepare: (tenant: Tenant, content = CONTENT) => prepare(tenant, UID, serialise(content), async () => null),
  };
}

describe('preparing a document', () => {
  test('asks once for what several documents need, and anew when it may have changed', async () => {
    const { asked, clock, prepare } = authority();
    const prepared = await Promise.all([prepare(ALFA_TENANT), prepare(ALFA_TENANT)]);
    assert.deepEqual(
      prepared.map(({ outcome }) => outcome),
      ['prepared', 'prepared'],
    );
    const questions = asked.map(({ what }) => what);
    assert.equal(new Set(questions).size, questions.length, `${questions}`);
    clock.advance(10 * MINUTE);
    await prepare(ALFA_TENANT);
    const again = asked.slice(questions.length).map(({ what }) => what);
    assert.deepEqual(
      again.filter((what) => what.startsWith('company')),
      [`company ${ALFA.taxNumber}`, `company ${BETA.taxNumber}`],
    );
  });

  test('is not disturbed by another tenant that asks the same at the same time and is not accepted', async () => {
    const { prepare } = authority();
    const refused = faultOf(prepare(REFUSED_TENANT));
    const prepared = await prepare(ALFA_TENANT);
    assert.equal(prepared.outcome, 'prepared');
    assert.equal((await refused).kind, 'credentials');
  });

  test('fails for a tenant that is not accepted, without asking in another’s name', async () => {
    const { asked, prepare } = authority();
    assert.equal((await faultOf(prepare(REFUSED_TENANT))).kind, 'credentials');
    assert.ok(asked.every(({ user }) => user === REFUSED_TENANT.eujpId));
  });

  test('does not remember that a company is missing: it may be in the register the next moment', async () => {
    let times = 0;
    const { prepare } = authority({
      company: async (_, edb) => {
        if (edb !== BETA.taxNumber) return ALFA;
        times += 1;
        return times === 1 ? null : BETA;
      },
    });
    const missing = await prepare(ALFA_TENANT);
    assert.ok(missing.outcome === 'prepared' && missing.warnings.some((text) => text.includes('registry')));
    const found = await prepare(ALFA_TENANT);
    assert.ok(found.outcome === 'prepared' && found.document.text.includes(BETA.name));
    assert.equal(times, 2);
  });

  test('asks for so many earlier documents and no more, however many are named', async () => {
    const { asked, prepare } = authority();
    const references = Array.from({ length: 50 }, (_, index) => reference('billing', `E-${index}`));
    await prepare(ALFA_TENANT, { ...CONTENT, references });
    assert.equal(asked.filter(({ what }) => what.startsWith('number')).length, 10);
  });

  test('gives a document the same identifier every time', async () => {
    const { prepare } = authority();
    const [one, other] = [await prepare(ALFA_TENANT), await prepare(ALFA_TENANT)];
    assert.ok(one.outcome === 'prepared' && other.outcome === 'prepared');
    assert.equal(one.document.docId, other.document.docId);
    assert.equal(JSON.parse(one.document.text).document.header.docId, one.document.docId);
  });
});
