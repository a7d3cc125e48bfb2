-- How many documents of 64 blocks in a row are in a state: ten million documents are ten thousand blocks, but 153 groups. Triggers keep it true,
-- so that processes of the version before do so as well. PostgreSQL lets no process change counters between the triggers and the sums.
create table listing_group_count (
  tenant text not null,
  list text not null,
  scope text not null,
  block_group bigint not null,
  state smallint not null,
  documents integer not null,
  primary key (tenant, list, scope, block_group, state)
) /*sqlite without rowid*/;

/*postgres
create function add_to_block_group() returns trigger language plpgsql as $$
declare
  added integer := new.documents;
begin
  -- A copy of another database brings these counters along.
  if exists (select 1 from store_copy where finished_at is null) then return null; end if;
  if tg_op = 'UPDATE' then added := new.documents - old.documents; end if;
  insert into listing_group_count as counter (tenant, list, scope, block_group, state, documents)
  values (new.tenant, new.list, new.scope, new.block / 64, new.state, added)
  on conflict (tenant, list, scope, block_group, state) do update set documents = counter.documents + excluded.documents;
  return null;
end $$;

create trigger block_counted after insert or update of documents on listing_count
  for each row execute function add_to_block_group();
*/

/*sqlite
create trigger block_counted after insert on listing_count begin
  insert into listing_group_count (tenant, list, scope, block_group, state, documents)
  values (new.tenant, new.list, new.scope, new.block / 64, new.state, new.documents)
  on conflict (tenant, list, scope, block_group, state) do update set documents = documents + excluded.documents;
end;

create trigger block_counted_again after update of documents on listing_count begin
  insert into listing_group_count (tenant, list, scope, block_group, state, documents)
  values (new.tenant, new.list, new.scope, new.block / 64, new.state, new.documents - old.documents)
  on conflict (tenant, list, scope, block_group, state) do update set documents = documents + excluded.documents;
end;
*/

insert into listing_group_count (tenant, list, scope, block_group, state, documents)
select tenant, list, scope, block / 64, state, sum(documents) from listing_count
group by tenant, list, scope, block / 64, state;
