import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Validation } from '../../src/application/validation/validation.ts';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { json, request } from '../contract/support/client.ts';
import { type Delivering, startDelivering, type Taxpayer } from '../delivery/support.ts';
import { corpusBytes, corpusMissing, corpusRows } from '../support/corpus.ts';
import { docUidOf } from '../support/doc-uid.ts';
import { withRandom } from '../support/seeds.ts';
import { bytesOf, sampleInvoice } from '../support/ubl-samples.ts';
import { drawDocument, randomOf } from './drawn-documents.ts';

const isLong = process.env['TEST_LONG'] === '1';
const DRAWN = isLong ? 1_000 : 40;
/** Of the corpus, every so many-th document. */
const EVERY = isLong ? 1 : 12;

/** What the authority then decides is its own; but it was announced. */
const MAY_BE_REJECTED: ReadonlySet<string> = new Set([
  'PARTY-NOT-REGISTERED',
  'BUYER-NUMBER-MISSING',
  'QUANTITY-NEGATIVE',
  'INDICATOR-UNLISTED',
]);

type Tally = Record<string, number>;

let delivering: Delivering;
/** The documents of each come one after the other, so that a number is taken, or not, at a known moment. */
let lanes: readonly Taxpayer[];
before(async () => {
  delivering = await startDelivering();
  lanes = [
    await delivering.join('Прва'),
    await delivering.join('Втора', { foreignCurrency: true }),
    await delivering.join('Трета', { foreignCurrency: true, language: 'mk' }),
  ];
});
after(() => delivering.service.stop());

async function validate({ headers }: Taxpayer, body: Uint8Array<ArrayBuffer>): Promise<Validation> {
  const answer = await request(`${delivering.service.url}${EXTENSIONS_ROOT}/validate`, {
    method: 'POST',
    headers,
    body,
  });
  assert.equal(answer.status, 200, answer.text);
  return json(answer) as Validation;
}

/** What is said of a document beforehand and what becomes of it, in the same words. */
async function compare(lane: Taxpayer, body: Uint8Array<ArrayBuffer>, tally: Tally): Promise<void> {
  const { outcome, findings, preview } = await validate(lane, body);
  const answer = await lane.submit(body);
  const said = { status: answer.status, code: null as string | null };
  const count = (what: string) => {
    tally[what] = (tally[what] ?? 0) + 1;
  };
  if (answer.status !== 201) {
    said.code = (json(answer) as { readonly code: string }).code;
    const [first] = findings;
    assert.deepEqual([outcome, first?.httpStatus, first?.code], ['refused', said.status, said.code], answer.text);
    return count(`refused ${said.code}`);
  }
  const docUid = docUidOf((json(answer) as { readonly docUid: string }).docUid);
  const { status, failureCode, failureMessage, ujp } = await delivering.reach(lane, docUid, 40, 50, 55);
  const context = JSON.stringify({ outcome, findings, status, failureCode, failureMessage, ujp });
  if (status === 55) {
    const first = findings.find(({ severity }) => severity === 'failure');
    assert.deepEqual([outcome, first?.code, first?.message], ['would-fail', failureCode, failureMessage], context);
    return count(`55 ${failureCode}`);
  }
  assert.equal(outcome, 'accepted', context);
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  assert.equal(warnings.length, findings.length, context);
  assert.ok(preview !== null);
  if (status === 40) {
    assert.deepEqual(
      warnings.map(({ code, message: text, path }) => ({ code, text, path })),
      ujp?.warnings,
      context,
    );
    const documents = await delivering.registered({ docNumber: preview.number });
    const registered = documents.find(({ euid }) => euid === ujp?.euid);
    assert.deepEqual([registered?.docType, registered?.docDate], [preview.type.code, preview.date], context);
  }
  if (status === 50)
    assert.ok(
      warnings.some(({ code }) => MAY_BE_REJECTED.has(code)),
      context,
    );
  count(`${status} ${failureCode ?? ''}`.trim());
}

suite('the outcome of a dry run is what becomes of the document', () => {
  test('of drawn documents', async (t) => {
    const tally: Tally = {};
    await withRandom(async (random) => {
      const seed = Math.floor(random() * 2 ** 31);
      const inLane = async (lane: Taxpayer, first: number) => {
        for (let place = first; place < DRAWN; place += lanes.length) {
          const draw = randomOf(seed, place);
          // Sometimes that of an earlier one, which may have been accepted or not.
          const number = `D-${draw() < 0.2 ? Math.max(first, place - lanes.length * 2) : place}`;
          await compare(lane, bytesOf(drawDocument({ random: draw, number, supplier: lane.edb })), tally);
        }
      };
      await Promise.all(lanes.map(inLane));
    });
    t.diagnostic(JSON.stringify(tally));
    assert.equal(
      Object.values(tally).reduce((sum, count) => sum + count, 0),
      DRAWN,
    );
  });

  test('of the corpus, as it is and with parties of ours', { skip: corpusMissing }, async (t) => {
    const tally: Tally = {};
    const rows = corpusRows().filter((_, index) => index % EVERY === 0);
    const inLane = async (lane: Taxpayer, first: number) => {
      for (const row of rows.filter((_, index) => index % lanes.length === first)) {
        const bytes = corpusBytes(row);
        for (const body of [bytes, ...withOurParties(bytes, lane)]) await compare(lane, body, tally);
      }
    };
    await Promise.all(lanes.map(inLane));
    t.diagnostic(JSON.stringify(tally));
    assert.ok(Object.values(tally).reduce((sum, count) => sum + count, 0) >= rows.length);
  });
});

const PARTIES = ['cac:AccountingSupplierParty', 'cac:AccountingCustomerParty'] as const;

/** Otherwise each of them would fail for its supplier. Nothing where it has other prefixes or another encoding. */
function withOurParties(bytes: Uint8Array, { edb }: Taxpayer): readonly Uint8Array<ArrayBuffer>[] {
  const sample = sampleInvoice({ supplier: { taxNumber: edb } });
  let xml = Buffer.from(bytes).toString('utf8');
  for (const name of PARTIES) {
    const element = new RegExp(`<${name}[\\s>].*?</${name}>`, 'su');
    const [ours] = element.exec(sample) ?? [''];
    if (!element.test(xml)) return [];
    xml = xml.replace(element, () => ours);
  }
  return [bytesOf(xml)];
}
