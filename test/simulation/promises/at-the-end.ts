import assert from 'node:assert/strict';
import type { Engine } from '../../../src/adapters/sql/engine.ts';
import { documentId } from '../../../src/adapters/ujp/preparation/document-id.ts';
import { deduplicationKey } from '../../../src/application/inbound/store-arrival.ts';
import type { DocUid } from '../../../src/domain/documents/doc-uid.ts';
import { assertGapFree } from '../../delivery/gap-free.ts';
import { assertListIsTrue } from '../../engines/recount.ts';
import { surelyRememberedMs } from '../clients/judge-answer.ts';
import type { Model, Submission } from '../clients/model.ts';
import type { SimulatedAuthority } from '../world/authority.ts';
import { TAXPAYERS, type Taxpayer } from '../world/taxpayers.ts';
import { assertFeedMirrors } from './change-feed.ts';

export type FinalNeeds = {
  readonly engine: Engine;
  readonly authority: SimulatedAuthority;
  readonly model: Model;
};

export type OutboundRow = {
  readonly doc_uid: DocUid;
  readonly status: number;
  readonly euid: string | null;
  readonly failure_code: string | null;
  readonly bytes: Uint8Array | null;
  readonly ujp_sha256: Uint8Array | null;
  readonly due_at: number | null;
};

const ENDED = [40, 50, 55, 60];

/** What must hold when every fault is over and everything had time to end. */
export async function checkFinally(needs: FinalNeeds): Promise<void> {
  for (const taxpayer of TAXPAYERS) {
    const rows = await needs.engine.all<OutboundRow>(
      `select doc_uid, status, euid, failure_code, ujp_sha256, due_at,
         (select bytes from content where content.tenant = outbound.tenant and sha256 = ubl_sha256) as bytes
       from outbound where tenant = $1 and doc_uid is not null order by doc_uid`,
      [taxpayer.edb],
    );
    checkSubmissions(needs.model, taxpayer, rows);
    checkEnds(needs, taxpayer, rows);
    await checkHistories(needs, taxpayer, rows);
    await checkInbound(needs, taxpayer);
    await checkVoids(needs, taxpayer);
    await asPromised(needs.model, 'the feed mirrors', () => assertFeedMirrors(needs.engine, taxpayer));
    for (const list of ['outbound', 'inbound'] as const) {
      await asPromised(needs.model, `lists are true: ${list} of ${taxpayer.name}`, () =>
        assertListIsTrue(needs.engine, taxpayer.edb, list),
      );
    }
  }
}

async function asPromised(model: Model, promise: string, check: () => void | Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof assert.AssertionError)) throw error;
    model.violate(promise, error.message);
  }
}

function checkSubmissions(model: Model, taxpayer: Taxpayer, rows: readonly OutboundRow[]): void {
  const submissions = model.submissions.filter((one) => one.taxpayer === taxpayer);
  checkAnswered(model, submissions, rows);
  for (const [key, ofKey] of Map.groupBy(submissions, (one) => one.key)) {
    const clocks = ofKey.flatMap((one) => one.clocks);
    if (Math.max(...clocks) - Math.min(...clocks) > surelyRememberedMs(model)) continue;
    const made = rows.filter(({ bytes }) => bytes !== null && ofKey.some(({ body }) => body.equals(bytes)));
    if (made.length > 1) model.violate('one document per key', `${key}: ${made.map((row) => row.doc_uid).join(' ')}`);
  }
  for (const { doc_uid: docUid, bytes } of rows) {
    if (bytes === null || !submissions.some(({ body }) => body.equals(bytes)))
      model.violate('only what was sent is stored', docUid);
  }
}

function checkAnswered(model: Model, submissions: readonly Submission[], rows: readonly OutboundRow[]): void {
  const byUid = new Map(rows.map((row) => [row.doc_uid as string, row]));
  for (const { answered, body } of submissions) {
    for (const docUid of answered.keys()) {
      const row = byUid.get(docUid);
      if (row === undefined) model.violate('no answered document is lost', docUid);
      else if (!body.equals(row.bytes ?? Buffer.of())) model.violate('bytes exact', docUid);
    }
  }
}

function checkEnds({ model, authority }: FinalNeeds, { edb }: Taxpayer, rows: readonly OutboundRow[]): void {
  const registered = new Map(
    authority.registered().flatMap(({ seller, docId, euid }) => (seller === edb ? [[docId, euid] as const] : [])),
  );
  for (const row of rows) {
    const { doc_uid: docUid, status, euid } = row;
    const theirs = registered.get(documentId(edb, docUid));
    if (!ENDED.includes(status)) model.violate('everything ends', `${docUid} is in status ${status}`);
    if (status === 40 && theirs !== euid) model.violate('accepted is registered with its EUID', `${docUid}: ${theirs}`);
    if (status === 40 && row.ujp_sha256 === null) model.violate('everything ends', `${docUid} has no container`);
    if (status !== 40 && theirs !== undefined)
      model.violate('registered is accepted', `${docUid} in status ${status} is registered as ${theirs}`);
    if (model.cancelled.has(docUid) && status !== 60)
      model.violate('cancelled stays cancelled', `${docUid} is in status ${status}`);
  }
}

async function checkHistories(
  { engine, model }: FinalNeeds,
  { edb }: Taxpayer,
  rows: readonly OutboundRow[],
): Promise<void> {
  const all = await engine.all<{ doc_uid: string; ordinal: number; status: number; at: number; failure_code: string }>(
    'select doc_uid, ordinal, status, at, failure_code from outbound_history where tenant = $1 order by doc_uid, ordinal',
    [edb],
  );
  const byUid = Map.groupBy(all, (row) => row.doc_uid);
  for (const { doc_uid: docUid, status } of rows) {
    const history = byUid.get(docUid) ?? [];
    await asPromised(model, `history gap-free and in order`, () => {
      const first = history[0]?.ordinal ?? 0;
      assert.deepEqual(
        history.map(({ ordinal }) => ordinal - first),
        history.map((_, at) => at),
        `${docUid}: ordinals`,
      );
      assert.equal(history.at(-1)?.status, status, `${docUid}: last row`);
      const steps = history.map(({ status: step, at }) => `${step}@${at}`).join(' ');
      try {
        assertGapFree(history.map((row) => ({ ...row, failureCode: row.failure_code })));
      } catch (error) {
        assert.fail(`${docUid}: ${steps}: ${error instanceof Error ? error.message : error}`);
      }
    });
  }
}

async function checkInbound({ engine, authority, model }: FinalNeeds, { edb }: Taxpayer): Promise<void> {
  const stored = await engine.all<{ same_as: string; doc_uid: string; acked_at: number | null }>(
    'select same_as, doc_uid, acked_at from inbound where tenant = $1',
    [edb],
  );
  const expected = authority.registered().flatMap(({ buyer, euid }) => (buyer === edb ? [deduplicationKey(euid)] : []));
  const got = stored.map((row) => row.same_as);
  for (const key of expected)
    if (!got.includes(key)) model.violate('inbound exactly once', `${edb}: ${key} is missing`);
  for (const key of got)
    if (!expected.includes(key)) model.violate('inbound exactly once', `${edb}: ${key} is strange`);
  for (const { doc_uid: docUid, acked_at: ackedAt } of stored) {
    if (model.acknowledged.has(docUid) && ackedAt === null) model.violate('acknowledged stays so', docUid);
  }
}

async function checkVoids({ engine, authority, model }: FinalNeeds, { edb }: Taxpayer): Promise<void> {
  const voids = await engine.all<{ doc_uid: DocUid; state: string; void_euid: string | null; ended_at: number | null }>(
    'select doc_uid, state, void_euid, ended_at from outbound_void where tenant = $1',
    [edb],
  );
  const registered = new Map(
    authority.registered().flatMap(({ seller, docId, euid }) => (seller === edb ? [[docId, euid] as const] : [])),
  );
  for (const { doc_uid: docUid, state, void_euid: euid, ended_at: endedAt } of voids) {
    const theirs = registered.get(documentId(edb, docUid, 'void')) ?? null;
    if (endedAt === null) model.violate('everything ends', `the void of ${docUid} is ${state}`);
    if (theirs !== euid) model.violate('a void is known as it is registered', `${docUid}: ${state} ${euid} ${theirs}`);
  }
}
