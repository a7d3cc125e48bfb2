import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, suite, test } from 'node:test';
import type { NewOutbound } from '../../src/application/ports.ts';
import type { OutboundStatus } from '../../src/domain/outbound-status.ts';
import { startTestService } from '../support/service.ts';
import { json } from './support/client.ts';
import { OUTBOUND_ITEM, readPage } from './support/fields.ts';
import { newTenant } from './support/tenant.ts';

/** Enough to fill several of the blocks in which the lists are counted. */
const DOCUMENTS = 3_500;
const START = Date.UTC(2026, 0, 1);
const PARTNERS = ['4080026000023', '4057026000100', null] as const;

const service = await startTestService();
after(() => service.stop());
const tenant = await newTenant(service);

type Listed = { readonly docUid: string; readonly at: number; readonly partner: string | null; status: OutboundStatus };

const bytes = Buffer.from('<Invoice/>');
const ubl = { bytes, sha256: createHash('sha256').update(bytes).digest() };
const nobody = { name: null, taxNumber: null, country: null };

function newDocument(partnerEdb: string | null): NewOutbound {
  const nothing = { documentNumber: null, typeCode: null, amount: null, currency: null, issueDate: null };
  const facts = { kind: 'Invoice', ...nothing, supplier: nobody, recipient: nobody } as const;
  return { facts, partnerEdb, ubl, pdf: null, software: 'test' };
}

/** What the service holds, oldest first, as the test knows it. */
const model: Listed[] = [];
await service.foundation.storage.transaction(async ({ outbound }) => {
  for (let index = 0; index < DOCUMENTS; index += 1) {
    const partner = PARTNERS[(index * 7) % 3] ?? null;
    // Three documents share each millisecond.
    const { docUid, at } = await outbound.add(tenant.edb, newDocument(partner), START + Math.floor(index / 3));
    const document: Listed = { docUid, at, partner, status: 10 };
    const record = { at, failureCode: null, failureMessage: null };
    if (index % 5 !== 0) document.status = await move('prepare', 10, 20);
    if (index % 5 > 2) document.status = await move('send', 20, 30);
    model.push(document);

    async function move(event: 'prepare' | 'send', from: 10 | 20, to: OutboundStatus): Promise<OutboundStatus> {
      await outbound.move(tenant.edb, docUid, from, event, record);
      return to;
    }
  }
});

type Filter = {
  readonly from?: number;
  readonly to?: number;
  readonly status?: readonly number[];
  readonly partner?: string;
};

function expected({ from = 0, to = DOCUMENTS, status, partner }: Filter): readonly string[] {
  return model
    .filter(({ at }) => at >= START + from && at <= START + to)
    .filter((document) => status?.includes(document.status) ?? true)
    .filter((document) => partner === undefined || document.partner === partner)
    .map(({ docUid }) => docUid)
    .reverse();
}

function queryOf({ from, to, status, partner }: Filter): string {
  const parts = (status ?? []).map((value) => `status=${value}`);
  if (from !== undefined) parts.push(`dateFrom=${new Date(START + from).toISOString()}`);
  if (to !== undefined) parts.push(`dateTo=${new Date(START + to).toISOString()}`);
  if (partner !== undefined) parts.push(`partnerEdb=${partner}`);
  return parts.join('&');
}

suite('GET /outbound: lists of thousands', () => {
  const partner = PARTNERS[0];
  const FILTERS: readonly Filter[] = [
    {},
    { status: [10] },
    { status: [20, 30] },
    { status: [30, 10, 20] },
    { status: [60] },
    { partner },
    { partner, status: [30] },
    { from: 40 },
    { to: 1_100 },
    { from: 341, to: 1_030, status: [20] },
    { from: 300, to: 1_100, status: [10, 30], partner },
    { from: 700, to: 700 },
    { from: 2, to: 690, status: [30] },
  ];
  for (const filter of FILTERS) {
    const query = queryOf(filter);
    test(`every page and the totals are exact: ${query || 'no filter'}`, async () => {
      const wanted = expected(filter);
      for (const pageSize of [500, 333]) {
        const pages = Math.ceil(wanted.length / pageSize);
        for (let page = 1; page <= pages + 1; page += 1) {
          const found = readPage(
            OUTBOUND_ITEM,
            json(await tenant.get(`/outbound?page=${page}&pageSize=${pageSize}&${query}`)),
          );
          assert.deepEqual([found.totalCount, found.totalPages], [wanted.length, pages]);
          assert.deepEqual(
            found.items.map(({ docUid }) => docUid),
            wanted.slice((page - 1) * pageSize, page * pageSize),
          );
        }
      }
    });
  }

  test('small pages far back are as exact', async () => {
    for (const filter of [{}, { status: [10] }, { status: [20, 30] }]) {
      const wanted = expected(filter);
      for (const page of [1, 100, 137, 200, 300, Math.ceil(wanted.length / 7)]) {
        const found = readPage(
          OUTBOUND_ITEM,
          json(await tenant.get(`/outbound?pageSize=7&page=${page}&${queryOf(filter)}`)),
        );
        assert.deepEqual(
          found.items.map(({ docUid }) => docUid),
          wanted.slice((page - 1) * 7, page * 7),
          `page ${page}`,
        );
      }
    }
  });
});
