import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemHasher } from '../../../src/adapters/platform/platform.ts';
import { collectInbound } from '../../../src/application/inbound/collect-inbound.ts';
import type { Arrival, ArrivalFacts, Authority } from '../../../src/application/ports/authority.ts';
import { nextDocUid } from '../../../src/domain/documents/doc-uid.ts';
import { ANY_INBOUND, addWithCertificate, fileOf, MORNING, newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

const ONE = nextDocUid(MORNING, null, new Uint8Array(10));
const OTHER = nextDocUid(MORNING + 1, null, new Uint8Array(10));

function facts(documentNumber: string, amount: string): ArrivalFacts {
  const sender = { senderName: 'Алфа', senderEdb: '4030026000018', senderCountry: 'MK' };
  return { ...sender, documentNumber, amount, currency: 'MKD' };
}

const LISTED = new Map([
  [ONE, { ...facts('F-1', '118'), senderName: null, senderCountry: null, currency: null }],
  [OTHER, { ...facts('F-2', '236'), senderName: null, senderCountry: null, currency: null }],
]);
const OWN: ReadonlyMap<string, Omit<Arrival, 'euid'>> = new Map([
  [ONE, { original: fileOf('one').bytes, facts: facts('F-1', '118.4'), unreadable: null }],
  [OTHER, { original: fileOf('other').bytes, facts: facts('F-2', '236'), unreadable: null }],
]);

describe('an authority that gives the payloads of two documents for each other', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.close());

  const arrival = (euid: string, of: string): Arrival => ({ euid, ...(OWN.get(of) ?? assert.fail()) });
  const swapped = (euid: string) => arrival(euid, euid === ONE ? OTHER : ONE);

  async function collected(alone: (euid: string) => Arrival) {
    const tenant = await addWithCertificate(database.storage, newTenant());
    const authority: Pick<Authority, 'arrivals' | 'arrived' | 'arrivedInAnyShape' | 'arrivedPdf'> = {
      arrivals: async () => ({
        listed: [...LISTED].map(([euid, listed]) => ({ euid, status: null, facts: listed })),
        unreadableRows: [],
      }),
      arrived: async (_, euids) => euids.map(swapped),
      arrivedInAnyShape: async (_, euid) => alone(euid),
      arrivedPdf: async () => null,
    };
    const { storage } = database;
    const needs = { storage, authority, hasher: systemHasher, report: () => undefined, clock: clockAt(MORNING) };
    await collectInbound(needs)(tenant, 0);
    const { items } = await storage.inbound.list(tenant.edb, ANY_INBOUND, { page: 1, pageSize: 10 });
    const problems = await storage.arrivalProblems.list(tenant.edb);
    const documents = await Promise.all(items.map(({ docUid }) => storage.inbound.find(tenant.edb, docUid)));
    const numbers = documents.map((one) => `${one?.documentNumber}: ${one?.amount}`).toSorted();
    return { numbers, problems: problems.map(({ cause, reason }) => [cause, reason]) };
  }

  test('has each asked for alone, and stores what is then given as listed', async () => {
    const { numbers, problems } = await collected((euid) => arrival(euid, euid));
    assert.deepEqual(numbers, ['F-1: 118.4', 'F-2: 236']);
    assert.deepEqual(problems, []);
  });

  test('every time, has them stored as unreadable, with the facts of the list and the reason on record', async () => {
    const { numbers, problems } = await collected(swapped);
    assert.deepEqual(numbers, ['F-1: 118', 'F-2: 236']);
    assert.deepEqual(problems.toSorted(), [
      [
        'unreadable',
        'The payload is of another document than the list names: number F-1 instead of F-2, amount 118.4 instead of 236',
      ],
      [
        'unreadable',
        'The payload is of another document than the list names: number F-2 instead of F-1, amount 236 instead of 118',
      ],
    ]);
  });
});
