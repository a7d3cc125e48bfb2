import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import type { AuthorityAnswer } from '../../src/domain/documents/outbound-document.ts';
import type { Random } from '../support/seeds.ts';
import { fileOf, MORNING, newInbound, newOutbound, record } from './samples.ts';

/** The documents of a tenant that operations choose from, as those who wrote them know them. */
export type Known = {
  readonly tenant: Edb;
  readonly outbound: DocUid[];
  readonly inbound: (readonly [DocUid, string])[];
};

type Step = (tx: Storage, known: Known, random: Random) => Promise<unknown>;

const WARNING = { code: 'LINE-LEFT-OUT', text: 'Something was left out.', path: '/Invoice' } as const;

let times = 0;

/** Each later than the one before. */
function now(): number {
  times += 1;
  return MORNING + times;
}

function pick<Item>(random: Random, items: readonly Item[]): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

function answerOf(docUid: DocUid, accepted: boolean): AuthorityAnswer {
  const rest = { qrLink: null, registeredAt: null, statusName: null, errors: [] };
  return {
    accepted,
    euid: accepted ? `euid-${docUid}` : null,
    statusCode: accepted ? '01' : null,
    message: 'm',
    ...rest,
  };
}

const payload = (random: Random) => ({
  docTypeCode: '100',
  docNumber: '1',
  docDate: '2026-11-16',
  docId: 'X',
  text: '{}',
  warnings: random() < 0.5 ? [] : [{ ...WARNING, path: `/${Math.floor(random() * 2)}` }],
  requestTimestamp: null,
  sentAt: MORNING,
});

/** Moves a document that may be in another status by now; then nothing is written. */
const onOutbound =
  (step: (tx: Storage, tenant: Edb, docUid: DocUid, random: Random) => Promise<unknown>): Step =>
  async (tx, { tenant, outbound }, random) => {
    const docUid = pick(random, outbound);
    if (docUid !== undefined) await step(tx, tenant, docUid, random);
  };

const STEPS: readonly Step[] = [
  (tx, { tenant }) => tx.outbound.add(tenant, newOutbound(), now()),
  onOutbound(async ({ outbound, deliveries }, tenant, docUid, random) => {
    if (await outbound.move(tenant, docUid, 10, ['prepare', 'send'], record(now())))
      await deliveries.savePayload(tenant, docUid, payload(random));
  }),
  onOutbound(async ({ outbound, deliveries }, tenant, docUid, random) => {
    if (await outbound.move(tenant, docUid, 20, 'send', record(now())))
      await deliveries.savePayload(tenant, docUid, payload(random));
  }),
  onOutbound(async ({ outbound, deliveries }, tenant, docUid) => {
    if (!(await outbound.move(tenant, docUid, 30, 'try-again', record(now(), { failureCode: 'AUTHORITY-ERROR' }))))
      return;
    await deliveries.dropPayload(tenant, docUid);
  }),
  onOutbound(({ outbound }, tenant, docUid) =>
    outbound.move(tenant, docUid, 30, 'accept', record(now(), { ujp: answerOf(docUid, true) })),
  ),
  onOutbound(({ outbound }, tenant, docUid) =>
    outbound.move(
      tenant,
      docUid,
      30,
      'reject',
      record(now(), { ujp: answerOf(docUid, false), failureCode: 'REJECTED' }),
    ),
  ),
  onOutbound(({ outbound }, tenant, docUid) =>
    outbound.move(tenant, docUid, 50, 'reopen', record(now(), { ujp: null })),
  ),
  onOutbound(async ({ outbound, deliveries }, tenant, docUid) => {
    if (await outbound.move(tenant, docUid, 20, 'give-up', record(now(), { failureCode: 'CONVERSION' })))
      await deliveries.saveWarnings(tenant, docUid, [WARNING]);
  }),
  onOutbound(({ outbound }, tenant, docUid) => outbound.move(tenant, docUid, 10, 'cancel', record(now()))),
  onOutbound(async ({ outbound, deliveries }, tenant, docUid) => {
    if ((await outbound.find(tenant, docUid))?.status !== 40) return;
    await deliveries.storeContainer(tenant, docUid, fileOf('PK'), now());
  }),
  onOutbound(async ({ deliveries }, tenant, docUid, random) => {
    const code = pick(random, ['03', '05', '07']) ?? '03';
    const at = random() < 0.5 ? null : now();
    const change = { euid: `euid-${docUid}`, status: { code, name: `n${code}` }, from: null, at, reason: null };
    await deliveries.recordAuthorityStatus(tenant, change, now());
  }),
  async (tx, { tenant }) => tx.inbound.add(tenant, newInbound(), now()),
  async (tx, { tenant, inbound }, random) => {
    const arrival = pick(random, inbound);
    if (arrival !== undefined) await tx.inbound.acknowledge(tenant, arrival[0], now());
  },
  async (tx, { tenant, inbound }, random) => {
    const arrival = pick(random, inbound);
    if (arrival === undefined) return;
    const from = (await tx.inbound.find(tenant, arrival[0]))?.authorityStatus ?? null;
    const to = { code: pick(random, ['01', '03', '07']) ?? '01', name: null };
    await tx.inbound.recordAuthorityStatus(tenant, arrival[1], { from, to, at: now() });
  },
];

class Undone extends Error {}

/** One transaction, in one of five cases rolled back at its end. */
export async function anyOperation(storage: Storage, known: Known, random: Random): Promise<void> {
  const step = pick(random, STEPS);
  const isUndone = random() < 0.2;
  try {
    await storage.transaction(async (tx) => {
      await step?.(tx, known, random);
      if (isUndone) throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
}
