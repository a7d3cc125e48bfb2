import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { serialise } from '../../../../src/adapters/threads/serialised-content.ts';
import { createConverter } from '../../../../src/adapters/ujp/preparation/converter.ts';
import {
  createLookUpContext,
  type PreparationQueries,
} from '../../../../src/adapters/ujp/preparation/look-up-context.ts';
import { prepareDocument } from '../../../../src/adapters/ujp/preparation/prepare-document.ts';
import type { ReadCachedCodeList } from '../../../../src/application/code-lists/cached-code-list.ts';
import {
  AuthorityCallError,
  type FindEarlier,
  type ReferredDocument,
} from '../../../../src/application/ports/authority.ts';
import type { Tenant } from '../../../../src/domain/accounts/tenant.ts';
import { inEnglish } from '../../../../src/domain/messages/render.ts';
import type { CodeListEntry, CodeListType } from '../../../../src/domain/values/code-list.ts';
import { docUidOf } from '../../../support/doc-uid.ts';
import { clockAt } from '../../../support/test-clock.ts';
import { LISTS } from '../conversion/authority-lists.ts';
import { ALFA, BETA, identifier, invoice, party, reference } from '../conversion/sample-content.ts';
import { ALFA_TENANT, callErrorOf } from '../services/client.ts';

/** A user that the authority does not accept. */
const REFUSED_TENANT: Tenant = { ...ALFA_TENANT, eujpId: 'unknown' };
const UID = docUidOf('01a1ddc0-3b8b-7df6-a9f7-802f112fe389');
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

const converter = createConverter({ timers: systemTimers });

/** An authority that answers every user but the unknown one, and records the queries. */
function authority(changes: Partial<PreparationQueries> = {}) {
  const asked: Asked[] = [];
  const clock = clockAt();
  async function answer<Value>({ eujpId: user }: Tenant, what: string, value: Value): Promise<Value> {
    asked.push({ what, user });
    await Promise.resolve();
    if (user === REFUSED_TENANT.eujpId) throw new AuthorityCallError('Unknown user', { kind: 'credentials' });
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
  const prepare = prepareDocument({ converter, lookUpContext: createLookUpContext({ queries, lists, clock }) });
  return {
    asked,
    clock,
    prepare: (tenant: Tenant, content = CONTENT, findEarlier: FindEarlier = async () => []) =>
      prepare(tenant, UID, serialise(content), findEarlier, { leftOut: null, refusedOn: new Set() }),
  };
}

describe('preparing a document', () => {
  after(() => converter.close());

  test('looks up once what several documents need, and again when the cached answer has expired', async () => {
    const { asked, clock, prepare } = authority();
    const prepared = await Promise.all([prepare(ALFA_TENANT), prepare(ALFA_TENANT)]);
    assert.deepEqual(
      prepared.map(({ outcome }) => outcome),
      ['prepared', 'prepared'],
    );
    const queried = asked.map(({ what }) => what);
    assert.equal(new Set(queried).size, queried.length, `${queried}`);
    clock.advance(10 * MINUTE);
    await prepare(ALFA_TENANT);
    const again = asked.slice(queried.length).map(({ what }) => what);
    assert.deepEqual(
      again.filter((what) => what.startsWith('company')),
      [`company ${ALFA.taxNumber}`, `company ${BETA.taxNumber}`],
    );
  });

  test('succeeds when it shares a look-up with a tenant whose credentials the authority does not accept', async () => {
    const { prepare } = authority();
    const refused = callErrorOf(prepare(REFUSED_TENANT));
    const prepared = await prepare(ALFA_TENANT);
    assert.equal(prepared.outcome, 'prepared');
    assert.equal((await refused).kind, 'credentials');
  });

  test('does not wait for a look-up that waits in the line of another user, and uses its answer once it is there', async () => {
    const line = Promise.withResolvers<void>();
    const { asked, prepare } = authority({
      async company({ eujpId }, edb) {
        asked.push({ what: `company ${edb}`, user: eujpId });
        if (eujpId === 'busy') await line.promise;
        return edb === BETA.taxNumber ? BETA : ALFA;
      },
    });
    const busy = prepare({ ...ALFA_TENANT, eujpId: 'busy' });
    while (!asked.some(({ what }) => what.startsWith('company'))) await setImmediate();
    assert.equal((await prepare(ALFA_TENANT)).outcome, 'prepared');
    line.resolve();
    await busy;
    const companies = asked.filter(({ what, user }) => what === `company ${BETA.taxNumber}` && user === 'busy');
    assert.deepEqual(companies, [], 'that of the buyer is known by then');
  });

  for (const kind of ['request-refused', 'busy', 'credentials'] as const) {
    test(`does not fail because the request of another user met "${kind}"`, async () => {
      const { prepare } = authority({
        async company({ eujpId }, edb) {
          await setImmediate();
          if (eujpId === 'other') throw new AuthorityCallError('not you', { kind });
          return edb === BETA.taxNumber ? BETA : ALFA;
        },
      });
      const other = callErrorOf(prepare({ ...ALFA_TENANT, eujpId: 'other' }));
      assert.equal((await prepare(ALFA_TENANT)).outcome, 'prepared');
      assert.equal((await other).kind, kind);
    });
  }

  test('fails for a tenant with credentials that are not accepted, and never uses those of another tenant', async () => {
    const { asked, prepare } = authority();
    assert.equal((await callErrorOf(prepare(REFUSED_TENANT))).kind, 'credentials');
    assert.ok(asked.every(({ user }) => user === REFUSED_TENANT.eujpId));
  });

  test('does not cache that a company is missing: it may be registered a moment later', async () => {
    let times = 0;
    const { prepare } = authority({
      company: async (_, edb) => {
        if (edb !== BETA.taxNumber) return ALFA;
        times += 1;
        return times === 1 ? null : BETA;
      },
    });
    const missing = await prepare(ALFA_TENANT);
    assert.ok(missing.outcome === 'prepared' && missing.warnings.some(({ text }) => text.includes('registry')));
    const found = await prepare(ALFA_TENANT);
    assert.ok(found.outcome === 'prepared' && found.document.text.includes(BETA.name));
    assert.equal(times, 2);
  });

  test('sends nothing while the register does not even find the taxpayer itself: that is not about the document', async () => {
    let isEmpty = true;
    const { prepare } = authority({
      company: async (_, edb) => (isEmpty ? null : edb === BETA.taxNumber ? BETA : ALFA),
    });
    const error = await callErrorOf(prepare(ALFA_TENANT));
    assert.deepEqual([error.kind, error.isUncertain], ['request-refused', false]);
    assert.match(error.reason === null ? '' : inEnglish(error.reason), new RegExp(ALFA_TENANT.edb, 'u'));
    isEmpty = false;
    assert.equal((await prepare(ALFA_TENANT)).outcome, 'prepared');
  });

  test('believes that a buyer is not registered only from a register that still finds the taxpayer itself', async () => {
    let isEmpty = false;
    const { clock, prepare } = authority({
      company: async (_, edb) => (isEmpty || edb === BETA.taxNumber ? null : ALFA),
    });
    assert.equal((await prepare(ALFA_TENANT)).outcome, 'prepared');
    isEmpty = true;
    // The seller is still remembered.
    clock.advance(2 * MINUTE);
    assert.equal((await callErrorOf(prepare(ALFA_TENANT))).kind, 'request-refused');
  });

  test('looks up at most ten earlier documents at the authority, however many are referenced', async () => {
    const { asked, prepare } = authority();
    const references = Array.from({ length: 50 }, (_, index) => reference('billing', `E-${index}`));
    await prepare(ALFA_TENANT, { ...CONTENT, references });
    assert.equal(asked.filter(({ what }) => what.startsWith('number')).length, 10);
  });

  test('looks up each number and date once, all together, and no more than a thousand', async () => {
    const { asked, prepare } = authority();
    const lookups: (readonly ReferredDocument[])[] = [];
    const findEarlier: FindEarlier = async (wanted) => {
      lookups.push(wanted);
      return wanted.map(() => ({ euid: '019b8d43-7840-7433-b358-08891b53605c', issueDate: '2026-01-01' }));
    };
    const same = Array.from({ length: 20_000 }, () => reference('billing', 'E-1'));
    await prepare(ALFA_TENANT, { ...CONTENT, references: same }, findEarlier);
    const distinct = Array.from({ length: 20_000 }, (_, index) => reference('billing', `E-${index}`));
    await prepare(ALFA_TENANT, { ...CONTENT, references: distinct }, findEarlier);
    const tooLong = [reference('billing', 'N'.repeat(61))];
    await prepare(ALFA_TENANT, { ...CONTENT, references: tooLong }, findEarlier);
    assert.deepEqual(
      lookups.map(({ length }) => length),
      [1, 1_000],
    );
    assert.ok(!asked.some(({ what }) => what.startsWith('number')));
  });

  test('gives a document the same identifier in every attempt', async () => {
    const { prepare } = authority();
    const [one, other] = [await prepare(ALFA_TENANT), await prepare(ALFA_TENANT)];
    assert.ok(one.outcome === 'prepared' && other.outcome === 'prepared');
    assert.equal(one.document.docId, other.document.docId);
    assert.equal(JSON.parse(one.document.text).document.header.docId, one.document.docId);
  });
});
