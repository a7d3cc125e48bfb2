import { systemHasher } from '../../src/adapters/platform/platform.ts';
import type { Engine, Sql } from '../../src/adapters/sql/engine.ts';
import { BLOCK_SIZE } from '../../src/adapters/sql/list-index/list-index.ts';
import { OUTBOUND_STATUS } from '../../src/domain/documents/outbound-status.ts';
import { DOCUMENTS_OF_OTHERS, OTHERS_FROM, PARTNERS, PARTNERS_FROM, STEP_MS, TENANT, TURNS, timeOf } from './shape.ts';

/** Documents that one transaction writes. */
const BATCH = 100_000;

const { received, processing, sent, accepted, rejected, failed, cancelled } = OUTBOUND_STATUS;

/** Of a thousand documents in a row so many are in each status, everywhere between each other. The first one waits. */
const STATUS = `case when slot < 900 then ${accepted} when slot < 920 then ${rejected} when slot < 940 then ${cancelled}
  when slot < 950 then ${failed} when slot < 990 then ${received} when slot < 999 then ${processing} else ${sent} end`;
const SLOT = '(seq * 7919 + 950) % 1000';

/** The statuses on the way to each. */
const WAYS: readonly (readonly number[])[] = [
  [received],
  [received, processing],
  [received, processing, sent],
  [received, processing, sent, accepted],
  [received, processing, sent, rejected],
  [received, failed],
  [received, cancelled],
];
const STEPS = WAYS.flatMap((way) =>
  way.map((step, index) => `select ${way.at(-1)} as status, ${index + 1} as ordinal, ${step} as step`),
).join(' union all ');

const FAILURE = `case when batch.status = ${failed} then 'NOT-EXPRESSIBLE' end`;

/** One file for all: what is measured never reads it. */
const FILE = new TextEncoder().encode('<Invoice/>');
const FILE_SHA256 = systemHasher.sha256(FILE);

/** Without a column beside it the server takes a parameter for text. */
const SHA256 = '$1 /*postgres ::bytea*/';

const TIME = "/*postgres lpad(to_hex(at), 12, '0')*/ /*sqlite printf('%012x', at)*/";

/** The documents of the next few tenants, or the next ones of one tenant. */
const DOCUMENTS = `insert into batch (tenant, seq, at, doc_uid, status, partner, partner_seq)
  with recursive number (n) as (
    select cast(0 as bigint) union all select n + 1 from number where n + 1 < cast($1 as bigint)
  ), placed as (
    select cast(cast($2 as bigint) + 2 * (n / cast($3 as bigint)) as text) as tenant,
      cast($4 as bigint) + n % cast($3 as bigint) as seq from number
  ), timed as (
    select tenant, seq, cast($5 as bigint) + seq * ${STEP_MS} as at, ${SLOT} as slot, seq % ${TURNS} as turn from placed
  )
  select tenant, seq, at,
    substr(${TIME}, 1, 8) || '-' || substr(${TIME}, 9, 4) || '-7000-8000-' || substr(tenant, 2),
    ${STATUS}, case when turn < ${PARTNERS} then cast(${PARTNERS_FROM} + turn as text) end, seq / ${TURNS}
  from timed`;

const BATCH_TABLE = `create temporary table batch (
  tenant text, seq bigint, at bigint, doc_uid text, status smallint, partner text, partner_seq bigint
)`;

const ANSWER = `'{"accepted":true,"euid":"' || doc_uid || '","qrLink":"https://portal.example/qr/' || doc_uid ||
  '","registeredAt":"2026-01-01T00:00:00Z","statusCode":"01","statusName":"Accepted","message":null,"errors":[]}'`;

const TENANTS = `insert into tenant (edb, name, environment, outbound_enabled, created_at)
  select distinct tenant, 'Tenant', 'production', 1, 0 from batch where true on conflict do nothing`;

const CONTENT = `insert into content (tenant, sha256, bytes)
  select distinct tenant, ${SHA256}, $2 /*postgres ::bytea*/ from batch where true on conflict do nothing`;

const OUTBOUND = `insert into outbound (tenant, id, doc_uid, status, kind, type_code, document_number, partner_edb,
    partner_name, amount, currency, issue_date, supplier_tax_number, failure_code, ujp, euid, ubl_sha256, ujp_sha256,
    software, created_at, due_at)
  select tenant, doc_uid, doc_uid, status, 'Invoice', '380', 'G-' || seq, partner, 'Partner', '1180.00', 'MKD',
    '2026-01-01', tenant, ${FAILURE}, case when status = ${accepted} then ${ANSWER} end,
    case when status = ${accepted} then doc_uid end, ${SHA256},
    case when status = ${accepted} then ${SHA256} end, 'bench', at,
    case when status < ${accepted} then at end
  from batch`;

const HISTORY = `insert into outbound_history (tenant, doc_uid, ordinal, status, at, failure_code)
  select tenant, doc_uid, ordinal, step, at, case when step = ${failed} then ${FAILURE} end
  from batch join (${STEPS}) as way on way.status = batch.status`;

/** What the trigger would write row by row, which takes most of the time that all else takes together. */
const CHANGES = `insert into document_change
    (tenant, number, at, kind, direction, doc_uid, ordinal, status, failure_code, answer)
  select tenant, cast($1 as bigint) + row_number() over (partition by tenant order by seq, ordinal),
    at, 'status', 'outbound', doc_uid, ordinal, step, case when step = ${failed} then ${FAILURE} end,
    case when batch.status = ${accepted} then ${ANSWER} end
  from batch join (${STEPS}) as way on way.status = batch.status`;
/** Tenants that share a batch have nothing before it. */
const LAST_CHANGE = 'select coalesce(max(number), 0) as last from document_change where tenant = $1';
const CHANGE_TRIGGER = 'history_change';
const TRIGGER_TEXT = `select /*sqlite sql as text from sqlite_master where name = $1*/
  /*postgres 'alter table outbound_history enable trigger ' || $1::text as text*/`;
const NO_TRIGGER = `/*sqlite drop trigger ${CHANGE_TRIGGER}*/
  /*postgres alter table outbound_history disable trigger ${CHANGE_TRIGGER}*/`;

/** Every document in the list of all, and in its partner's. */
const PLACES = `(
    select tenant, '' as scope, doc_uid, seq, status from batch union all
    select tenant, partner, doc_uid, partner_seq, status from batch where partner is not null
  ) as place`;

const LISTING = `insert into listing (tenant, list, scope, doc_uid, seq, state)
  select tenant, 'outbound', scope, doc_uid, seq, status from ${PLACES} order by tenant, scope, seq`;

const BLOCKS = `insert into listing_block (tenant, list, scope, block, first_doc_uid)
  select tenant, 'outbound', scope, seq / ${BLOCK_SIZE}, doc_uid from ${PLACES} where seq % ${BLOCK_SIZE} = 0`;

const COUNTS = `insert into listing_count (tenant, list, scope, block, state, documents)
  select tenant, 'outbound', scope, seq / ${BLOCK_SIZE}, status, count(*) from ${PLACES}
  group by tenant, scope, seq / ${BLOCK_SIZE}, status
  on conflict (tenant, list, scope, block, state)
  do update set documents = listing_count.documents + excluded.documents`;

type Run = {
  readonly firstTenant: number;
  readonly perTenant: number;
  readonly firstSeq: number;
  readonly count: number;
};

/** Makes the large tenant's list grow from one number of documents to another. */
export async function seedDocuments(engine: Engine, from: number, to: number, stop: AbortSignal): Promise<void> {
  for (let seq = from; seq < to; seq += BATCH) {
    stop.throwIfAborted();
    const count = Math.min(BATCH, to - seq);
    await engine.transaction((sql) =>
      write(engine, sql, { firstTenant: Number(TENANT), perTenant: count, firstSeq: seq, count }),
    );
  }
}

/** More tenants with a few documents each, one of which waits to be delivered. */
export async function seedOthers(engine: Engine, from: number, to: number): Promise<void> {
  await engine.transaction(async (sql) => {
    const run = { firstTenant: OTHERS_FROM + 2 * from, perTenant: DOCUMENTS_OF_OTHERS, firstSeq: 0 };
    await write(engine, sql, { ...run, count: (to - from) * DOCUMENTS_OF_OTHERS });
  });
}

async function write(engine: Engine, sql: Sql, { firstTenant, perTenant, firstSeq, count }: Run): Promise<void> {
  await engine.script(sql, BATCH_TABLE);
  await sql.run(DOCUMENTS, [count, firstTenant, perTenant, firstSeq, timeOf(0)]);
  await sql.run(CONTENT, [FILE_SHA256, FILE]);
  await sql.run(OUTBOUND, [FILE_SHA256]);
  const trigger = await sql.get<{ readonly text: string }>(TRIGGER_TEXT, [CHANGE_TRIGGER]);
  await engine.script(sql, NO_TRIGGER);
  const before = await sql.get<{ readonly last: number }>(LAST_CHANGE, [String(firstTenant)]);
  await sql.run(CHANGES, [before?.last ?? 0]);
  for (const statement of [TENANTS, HISTORY, LISTING, BLOCKS, COUNTS]) await sql.run(statement, []);
  await engine.script(sql, trigger?.text ?? '');
  await engine.script(sql, 'drop table batch');
}
