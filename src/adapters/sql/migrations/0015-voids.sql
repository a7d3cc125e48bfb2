-- The void (storno) of a registered document: on record before anything is sent, and delivered by a worker under a lease, like a
-- document. One for each document: a void that was refused or given up is requested again in the same row, under the same doc_id.
create table outbound_void (
  tenant text not null,
  doc_uid text not null,
  state text not null,
  reason_code text not null,
  reason text not null,
  comment text,
  requested_at bigint not null,
  due_at bigint,
  lease text,
  failures integer not null default 0,
  failure_code text,
  failure_message text,
  doc_type_code text,
  doc_number text,
  doc_date text,
  doc_id text,
  text text,
  sent_at bigint,
  void_euid text,
  ended_at bigint,
  primary key (tenant, doc_uid)
);

create index outbound_void_by_due_at on outbound_void (due_at) where due_at is not null;
