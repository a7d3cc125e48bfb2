-- The processes of the service, as each of them last said of itself.
create table service_process (
  id text primary key,
  role text not null,
  version text not null,
  host text not null,
  started_at bigint not null,
  seen_at bigint not null
);
