-- The authority's own status of an inbound document, which its sender and the authority change later; null where it is not known.
alter table inbound add column authority_status text;
alter table inbound add column authority_status_name text;

-- What stands in the way of an arrival. subject is its EUID, or what else of a collection failed; cause tells two reasons apart
-- whatever their wording; due_at is when it is asked for again. A document that was stored although it could not be read has its
-- doc_uid here and no due_at.
create table inbound_problem (
  tenant text not null,
  subject text not null,
  cause text not null,
  reason text not null,
  since bigint not null,
  failures integer not null,
  due_at bigint,
  seen_at bigint not null,
  doc_uid text,
  primary key (tenant, subject)
) /*sqlite without rowid*/;
