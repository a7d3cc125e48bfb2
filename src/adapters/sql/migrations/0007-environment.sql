-- The environment that the database belongs to: a demo never works on the data of production, nor the other way round. One row,
-- written when the database is opened the first time.
create table store_environment (
  id smallint primary key check (id = 1),
  environment text not null check (environment in ('demo', 'production')),
  since bigint not null
);

-- Accepted documents whose container was given up on: it is asked for again, and until it is there. Processes of the version
-- before fetch it too.
update outbound set due_at = created_at, failures = 0
where status = 40 and doc_uid is not null and euid is not null and ujp_sha256 is null and due_at is null and archived_at is null;
