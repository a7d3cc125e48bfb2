-- When a document's files were taken out of the database after they had been archived; null while they are here. Its row,
-- its history and its place in the lists stay.
alter table outbound add column archived_at bigint;
alter table inbound add column archived_at bigint;

-- A database that is filled from another one says so: until finished_at is set, nobody works on it. At most one row.
create table store_copy (
  id smallint primary key check (id = 1),
  source text not null,
  begun_at bigint not null,
  finished_at bigint
);
