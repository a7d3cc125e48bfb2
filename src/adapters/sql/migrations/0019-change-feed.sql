-- The change feed: one log for each tenant, numbered without gaps. Triggers write it, so that whatever changes a document, a process
-- of the version before included, has its entry in the same transaction. Record 31 says why.

-- When the container, or a later status of the authority, was recorded here; the time in authority_status_at is the authority's.
alter table outbound add column changed_at bigint;
alter table inbound add column changed_at bigint;

-- ordinal is that of the history row. answer is what `ujp` of the document was after the change; warnings are JSON as in outbound_warning.
-- Numbers of what had happened before this table was there are below 1 (migration 20).
create table document_change (
  tenant text not null,
  number bigint not null,
  at bigint not null,
  kind text not null,
  direction text not null,
  doc_uid text not null,
  ordinal integer,
  status smallint,
  failure_code text,
  answer text,
  authority_status text,
  authority_status_name text,
  authority_status_at bigint,
  warnings text,
  primary key (tenant, number)
) /*sqlite without rowid*/;

-- Clients ask for documents by their bytes.
-- PostgreSQL builds this index afterwards, without a lock: see postgres/large-indexes.ts.
/*sqlite create index outbound_by_sha256 on outbound (tenant, ubl_sha256, id) where doc_uid is not null; */

-- On PostgreSQL the triggers are deferred to the commit: there the lock of the tenant's log is the last one that a transaction takes,
-- and is held only until the entries can be seen. A copy of another database brings its entries along.
/*postgres
create function append_change(entry document_change) returns void language plpgsql as $$
begin
  if exists (select 1 from store_copy where finished_at is null) then return; end if;
  perform pg_advisory_xact_lock(hashtextextended('changes ' || entry.tenant, 0));
  entry.number := (select coalesce(max(number), 0) + 1 from document_change where tenant = entry.tenant);
  insert into document_change values (entry.*);
end $$;

create function append_history_change() returns trigger language plpgsql as $$
declare
  entry document_change;
begin
  entry.tenant := new.tenant;
  entry.doc_uid := new.doc_uid;
  entry.direction := 'outbound';
  entry.kind := 'status';
  entry.at := new.at;
  entry.ordinal := new.ordinal;
  entry.status := new.status;
  entry.failure_code := new.failure_code;
  entry.answer := (select ujp from outbound where tenant = new.tenant and id = new.doc_uid);
  perform append_change(entry);
  return null;
end $$;

create function append_outbound_change() returns trigger language plpgsql as $$
declare
  entry document_change;
begin
  entry.tenant := new.tenant;
  entry.doc_uid := new.doc_uid;
  entry.direction := 'outbound';
  entry.kind := tg_argv[0];
  entry.at := greatest(
    new.changed_at, (select max(at) from outbound_history where tenant = new.tenant and doc_uid = new.doc_uid), new.created_at);
  entry.status := new.status;
  if tg_argv[0] = 'authority-status' then
    entry.answer := new.ujp;
    entry.authority_status_at := new.authority_status_at;
  end if;
  perform append_change(entry);
  return null;
end $$;

create function append_warnings_change() returns trigger language plpgsql as $$
declare
  entry document_change;
  document outbound;
begin
  if tg_op = 'DELETE' then
    entry.tenant := old.tenant;
    entry.doc_uid := old.doc_uid;
    entry.warnings := '[]';
  else
    entry.tenant := new.tenant;
    entry.doc_uid := new.doc_uid;
    entry.warnings := new.warnings;
  end if;
  select * into document from outbound where tenant = entry.tenant and id = entry.doc_uid;
  if not found then return null; end if;
  if tg_argv[0] = 'kept' and (document.status = 40 or document.archived_at is not null) then return null; end if;
  entry.direction := 'outbound';
  entry.kind := 'warnings';
  entry.at := coalesce(
    (select max(at) from outbound_history where tenant = entry.tenant and doc_uid = entry.doc_uid), document.created_at);
  entry.status := document.status;
  perform append_change(entry);
  return null;
end $$;

create function append_inbound_change() returns trigger language plpgsql as $$
declare
  entry document_change;
begin
  entry.tenant := new.tenant;
  entry.doc_uid := new.doc_uid;
  entry.direction := 'inbound';
  entry.kind := tg_argv[0];
  entry.at := case tg_argv[0] when 'arrived' then new.received_at when 'acknowledged' then new.acked_at
    else greatest(new.changed_at, new.acked_at, new.received_at) end;
  if tg_argv[0] <> 'acknowledged' then
    entry.authority_status := new.authority_status;
    entry.authority_status_name := new.authority_status_name;
  end if;
  perform append_change(entry);
  return null;
end $$;

create constraint trigger history_change after insert on outbound_history deferrable initially deferred
  for each row execute function append_history_change();
create constraint trigger container_change after update of ujp_sha256 on outbound deferrable initially deferred
  for each row when (old.ujp_sha256 is null and new.ujp_sha256 is not null and new.doc_uid is not null)
  execute function append_outbound_change('container');
create constraint trigger authority_status_change after update of ujp on outbound deferrable initially deferred
  for each row when (old.ujp <> new.ujp and old.status = new.status and new.doc_uid is not null)
  execute function append_outbound_change('authority-status');
create constraint trigger payload_warnings_change after insert on outbound_payload deferrable initially deferred
  for each row when (new.warnings <> '[]') execute function append_warnings_change('new');
create constraint trigger payload_warnings_changed after update of warnings on outbound_payload deferrable initially deferred
  for each row when (new.warnings <> old.warnings) execute function append_warnings_change('new');
create constraint trigger payload_warnings_dropped after delete on outbound_payload deferrable initially deferred
  for each row when (old.warnings <> '[]') execute function append_warnings_change('kept');
create constraint trigger warnings_change after insert on outbound_warning deferrable initially deferred
  for each row execute function append_warnings_change('kept');
create constraint trigger warnings_dropped after delete on outbound_warning deferrable initially deferred
  for each row execute function append_warnings_change('kept');
create constraint trigger arrival_change after insert on inbound deferrable initially deferred
  for each row when (new.doc_uid is not null) execute function append_inbound_change('arrived');
create constraint trigger acknowledgement_change after update of acked_at on inbound deferrable initially deferred
  for each row when (old.acked_at is null and new.acked_at is not null and new.doc_uid is not null)
  execute function append_inbound_change('acknowledged');
create constraint trigger inbound_status_change after update of authority_status on inbound deferrable initially deferred
  for each row when (old.authority_status is distinct from new.authority_status and new.doc_uid is not null)
  execute function append_inbound_change('authority-status');
*/

/*sqlite
create trigger history_change after insert on outbound_history begin
  insert into document_change (tenant, number, at, kind, direction, doc_uid, ordinal, status, failure_code, answer)
  values (new.tenant, (select coalesce(max(number), 0) + 1 from document_change where tenant = new.tenant),
    new.at, 'status', 'outbound', new.doc_uid, new.ordinal, new.status, new.failure_code,
    (select ujp from outbound where tenant = new.tenant and id = new.doc_uid));
end;

create trigger container_change after update of ujp_sha256 on outbound
when old.ujp_sha256 is null and new.ujp_sha256 is not null and new.doc_uid is not null begin
  insert into document_change (tenant, number, at, kind, direction, doc_uid, status)
  values (new.tenant, (select coalesce(max(number), 0) + 1 from document_change where tenant = new.tenant),
    max(coalesce(new.changed_at, 0), new.created_at,
      coalesce((select max(at) from outbound_history where tenant = new.tenant and doc_uid = new.doc_uid), 0)),
    'container', 'outbound', new.doc_uid, new.status);
end;

create trigger authority_status_change after update of ujp on outbound
when old.ujp <> new.ujp and old.status = new.status and new.doc_uid is not null begin
  insert into document_change (tenant, number, at, kind, direction, doc_uid, status, answer, authority_status_at)
  values (new.tenant, (select coalesce(max(number), 0) + 1 from document_change where tenant = new.tenant),
    max(coalesce(new.changed_at, 0), new.created_at,
      coalesce((select max(at) from outbound_history where tenant = new.tenant and doc_uid = new.doc_uid), 0)),
    'authority-status', 'outbound', new.doc_uid, new.status, new.ujp, new.authority_status_at);
end;

create trigger payload_warnings_change after insert on outbound_payload when new.warnings <> '[]' begin
  insert into document_change (tenant, number, at, kind, direction, doc_uid, status, warnings)
  select tenant, (select coalesce(max(number), 0) + 1 from document_change where tenant = new.tenant),
    coalesce((select max(at) from outbound_history where tenant = new.tenant and doc_uid = new.doc_uid), created_at),
    'warnings', 'outbound', id, status, new.warnings
  from outbound where tenant = new.tenant and id = new.doc_uid;
end;

create trigger payload_warnings_changed after update of warnings on outbound_payload when new.warnings <> old.warnings begin
  insert into document_change (tenant, number, at, kind, direction, doc_uid, status, warnings)
  select tenant, (select coalesce(max(number), 0) + 1 from document_change where tenant = new.tenant),
    coalesce((select max(at) from outbound_history where tenant = new.tenant and doc_uid = new.doc_uid), created_at),
    'warnings', 'outbound', id, status, new.warnings
  from outbound where tenant = new.tenant and id = new.doc_uid;
end;

create trigger payload_warnings_dropped after delete on outbound_payload when old.warnings <> '[]' begin
  insert into document_change (tenant, number, at, kind, direction, doc_uid, status, warnings)
  select tenant, (select coalesce(max(number), 0) + 1 from document_change where tenant = old.tenant),
    coalesce((select max(at) from outbound_history where tenant = old.tenant and doc_uid = old.doc_uid), created_at),
    'warnings', 'outbound', id, status, '[]'
  from outbound where tenant = old.tenant and id = old.doc_uid and status <> 40 and archived_at is null;
end;

create trigger warnings_change after insert on outbound_warning begin
  insert into document_change (tenant, number, at, kind, direction, doc_uid, status, warnings)
  select tenant, (select coalesce(max(number), 0) + 1 from document_change where tenant = new.tenant),
    coalesce((select max(at) from outbound_history where tenant = new.tenant and doc_uid = new.doc_uid), created_at),
    'warnings', 'outbound', id, status, new.warnings
  from outbound where tenant = new.tenant and id = new.doc_uid and status <> 40 and archived_at is null;
end;

create trigger warnings_dropped after delete on outbound_warning begin
  insert into document_change (tenant, number, at, kind, direction, doc_uid, status, warnings)
  select tenant, (select coalesce(max(number), 0) + 1 from document_change where tenant = old.tenant),
    coalesce((select max(at) from outbound_history where tenant = old.tenant and doc_uid = old.doc_uid), created_at),
    'warnings', 'outbound', id, status, '[]'
  from outbound where tenant = old.tenant and id = old.doc_uid and status <> 40 and archived_at is null;
end;

create trigger arrival_change after insert on inbound
when new.doc_uid is not null begin
  insert into document_change (tenant, number, at, kind, direction, doc_uid, authority_status, authority_status_name)
  values (new.tenant, (select coalesce(max(number), 0) + 1 from document_change where tenant = new.tenant),
    new.received_at, 'arrived', 'inbound', new.doc_uid, new.authority_status, new.authority_status_name);
end;

create trigger acknowledgement_change after update of acked_at on inbound
when old.acked_at is null and new.acked_at is not null and new.doc_uid is not null begin
  insert into document_change (tenant, number, at, kind, direction, doc_uid)
  values (new.tenant, (select coalesce(max(number), 0) + 1 from document_change where tenant = new.tenant),
    new.acked_at, 'acknowledged', 'inbound', new.doc_uid);
end;

create trigger inbound_status_change after update of authority_status on inbound
when old.authority_status is not new.authority_status and new.doc_uid is not null begin
  insert into document_change (tenant, number, at, kind, direction, doc_uid, authority_status, authority_status_name)
  values (new.tenant, (select coalesce(max(number), 0) + 1 from document_change where tenant = new.tenant),
    max(coalesce(new.changed_at, 0), coalesce(new.acked_at, 0), new.received_at), 'authority-status', 'inbound', new.doc_uid, new.authority_status, new.authority_status_name);
end;
*/
