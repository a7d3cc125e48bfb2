-- Delivery to the authority. The document's own row is the job: due_at is when a worker shall come next, null when there is
-- nothing left to do. A worker that takes it moves due_at to the end of its lease and leaves its token: whoever settles must
-- still hold it.
alter table outbound add column due_at bigint;
alter table outbound add column lease text;
-- Failed tries since the document was queued, by which the pauses between them grow.
alter table outbound add column failures integer not null default 0;
alter table outbound add column euid text;

-- What is to be delivered goes before what is to be fetched for documents that are delivered.
create index outbound_by_delivery_due on outbound (tenant, due_at) where due_at is not null and status < 40;

create index outbound_by_final_due on outbound (tenant, due_at) where due_at is not null and status = 40;

create index outbound_by_euid on outbound (tenant, euid) where euid is not null;

-- Numbers can be longer than an index takes.
create index outbound_by_number on outbound (tenant, substr(document_number, 1, 60)) where doc_uid is not null;

-- Documents from before this table was there are queued too.
update outbound set due_at = created_at where doc_uid is not null and status in (10, 20, 30);

-- What is signed and sent, as long as the final document is not there: the text without the time of the request, and that time.
create table outbound_payload (
  tenant text not null,
  doc_uid text not null,
  doc_type_code text not null,
  doc_number text not null,
  doc_date text not null,
  doc_id text not null,
  text text not null,
  warnings text not null,
  request_timestamp text,
  sent_at bigint,
  primary key (tenant, doc_uid)
);

-- One row per try at the authority: written before a byte leaves, completed when its outcome is known.
create table outbound_attempt (
  tenant text not null,
  doc_uid text not null,
  ordinal integer not null,
  act text not null,
  started_at bigint not null,
  ended_at bigint,
  outcome text,
  failure_code text,
  message text,
  answer text,
  primary key (tenant, doc_uid, ordinal)
) /*sqlite without rowid*/;

-- The private key is sealed with a key that is not in the database.
create table credential (
  tenant text primary key references tenant (edb),
  certificate text not null,
  serial_number text not null,
  valid_to bigint not null,
  sealed_key bytea not null,
  sealed_by text not null,
  changed_at bigint not null
);

-- A tenant whose account the authority does not accept is left alone until then; null when all is well.
alter table tenant add column stopped_until bigint;
alter table tenant add column stopped_since bigint;
alter table tenant add column stopped_reason text;
alter table tenant add column stopped_times integer not null default 0;

-- What is done for a tenant again and again. note is the errand's own memory.
create table errand (
  tenant text not null,
  name text not null,
  due_at bigint not null,
  lease text,
  note text,
  failures integer not null,
  failure text,
  primary key (tenant, name)
);

create index errand_by_due_at on errand (due_at);

-- Lists are read anew: from now on their entries hold more than code and name.
delete from code_list;

-- The next free turn of a user of the authority.
create table pace (
  environment text not null,
  eujp_id text not null,
  free_at bigint not null,
  primary key (environment, eujp_id)
);
