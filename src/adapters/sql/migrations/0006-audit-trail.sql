-- The operating system's name of who gave a command; null for a call.
alter table audit add column operator text;
-- How many calls an entry stands for: refused calls beyond a rate are counted.
alter table audit add column calls integer not null default 1;
-- SHA-256 of the entry's fields in base64url, computed when it is written.
alter table audit add column digest text;
-- The block that the entry was sealed in; null until then.
alter table audit add column block bigint;

-- PostgreSQL builds this index afterwards, without a lock: see postgres/large-indexes.ts.
/*sqlite create index audit_by_block on audit (block, id); */

-- A seal vouches for the entries of one block and for the block before it in the same chain. An expired one is the last whose
-- entries were deleted by retention: the chain begins with it.
create table audit_seal (
  block bigint primary key,
  chain text not null,
  sealed_at bigint not null,
  total bigint not null,
  previous text not null,
  entries text not null,
  hash text not null,
  expired smallint not null default 0
);

create index audit_seal_by_chain on audit_seal (chain, block);

-- Only in a database that was in use before. While a row is here, entries without a digest are sealed as they are found: those from before this table, and those that
-- processes of the version before write during a rolling restart.
create table audit_adoption (
  id smallint primary key,
  until_at bigint not null
);

insert into audit_adoption (id, until_at)
select 1, 86400000 +
  /*sqlite cast(strftime('%s', 'now') as integer) * 1000 */
  /*postgres cast(extract(epoch from now()) * 1000 as bigint) */
where exists (select 1 from tenant);
