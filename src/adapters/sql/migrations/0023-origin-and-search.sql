-- The call that brought a document: its X-Request-Id, and the trace that the caller named. Log lines of the delivery have them too.
-- Null where an earlier version stored the document.
alter table outbound add column request_id text;
alter table outbound add column traceparent text;

-- The operator lists and finds documents of all tenants. Accepted documents are nearly all there are: they are found by time alone.
-- PostgreSQL builds these indexes afterwards, without a lock: see postgres/large-indexes.ts.
/*sqlite
create index outbound_by_id on outbound (id) where doc_uid is not null;
create index outbound_by_status on outbound (status, id) where status <> 40;
create index outbound_by_failure on outbound (failure_code, id) where failure_code is not null;
create index outbound_by_partner on outbound (partner_edb, id) where doc_uid is not null;
create index inbound_by_id on inbound (id) where doc_uid is not null;
create index inbound_by_number on inbound (substr(document_number, 1, 60)) where doc_uid is not null;
create index inbound_by_sha256 on inbound (original_sha256) where doc_uid is not null;
create index inbound_by_partner on inbound (sender_edb, id) where doc_uid is not null;
*/
