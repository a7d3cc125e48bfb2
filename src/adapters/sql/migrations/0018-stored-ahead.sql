-- Files that were stored before the transaction that shall refer to them, by the clock of the database. The row goes with the
-- reference; one that stays tells of a file that nothing may ever refer to, because its process died or its document was refused.
create table stored_ahead (
  tenant text not null,
  sha256 bytea not null,
  stored_at bigint not null,
  primary key (tenant, sha256)
) /*sqlite without rowid*/;

create index stored_ahead_by_stored_at on stored_ahead (stored_at);
