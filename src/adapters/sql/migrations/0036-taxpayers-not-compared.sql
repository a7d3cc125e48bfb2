-- Taxpayers that could not be compared with the authority when the hold after a restore ended, since they had no account: nothing is sent for them
-- until they were. The times are those of the hold that ended.
create table uncompared_tenant (
  tenant text primary key,
  restored_since bigint not null,
  restored_at bigint not null
) /*sqlite without rowid*/;
