-- What is left of each key's traffic, for all processes together: in units of 1/60,000 of a call, and up to when the refill is
-- counted. Losing it means full buckets, no more; so it is neither flushed to disk nor sent to replicas.
create /*postgres unlogged */ table traffic (
  tenant text not null,
  key_id text not null,
  level bigint not null,
  filled_at bigint not null,
  primary key (tenant, key_id)
);
