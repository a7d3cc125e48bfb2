-- What had happened to the documents that were here before the change feed, in the order of time. The numbers end with 0, so that nobody
-- has to wait: processes that work meanwhile number from 1. Whatever they have written has its entry.
insert into document_change (tenant, number, at, kind, direction, doc_uid, ordinal, status, failure_code, answer, authority_status,
  authority_status_name, warnings)
with last_row as (
  select tenant, doc_uid, max(ordinal) as ordinal, max(at) as at from outbound_history group by tenant, doc_uid
), past as (
  select history.tenant, history.at, 'status' as kind, 'outbound' as direction, history.doc_uid, history.ordinal, history.status,
    history.failure_code, case when history.ordinal = last_row.ordinal then outbound.ujp end as answer,
    cast(null as text) as authority_status, cast(null as text) as authority_status_name, cast(null as text) as warnings, 1 as place
  from outbound_history history
  join last_row on last_row.tenant = history.tenant and last_row.doc_uid = history.doc_uid
  join outbound on outbound.tenant = history.tenant and outbound.id = history.doc_uid
  union all
  select outbound.tenant, last_row.at, 'warnings', 'outbound', id, null, status, null, null, null, null,
    coalesce(payload.warnings, kept.warnings), 2
  from outbound
  join last_row on last_row.tenant = outbound.tenant and last_row.doc_uid = outbound.id
  left join outbound_payload payload on payload.tenant = outbound.tenant and payload.doc_uid = outbound.id
  left join outbound_warning kept on kept.tenant = outbound.tenant and kept.doc_uid = outbound.id
  where coalesce(payload.warnings, kept.warnings, '[]') <> '[]'
  union all
  select outbound.tenant, last_row.at, 'container', 'outbound', id, null, status, null, null, null, null, null, 3
  from outbound join last_row on last_row.tenant = outbound.tenant and last_row.doc_uid = outbound.id
  where ujp_sha256 is not null
  union all
  select tenant, received_at, 'arrived', 'inbound', id, null, null, null, null, authority_status, authority_status_name, null, 1
  from inbound where doc_uid is not null
  union all
  select tenant, acked_at, 'acknowledged', 'inbound', id, null, null, null, null, null, null, null, 2
  from inbound where doc_uid is not null and acked_at is not null
), missing as (
  select past.* from past
  left join document_change entry on entry.tenant = past.tenant and entry.doc_uid = past.doc_uid and entry.kind = past.kind
    and coalesce(entry.ordinal, 0) = coalesce(past.ordinal, 0)
  where entry.tenant is null
)
select tenant, row_number() over (partition by tenant order by at, doc_uid, place, ordinal)
    - count(*) over (partition by tenant),
  at, kind, direction, doc_uid, ordinal, status, failure_code, answer, authority_status, authority_status_name, warnings
from missing;
