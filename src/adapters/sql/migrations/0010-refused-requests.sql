-- Why delivery is stopped; null for a stop by the version before, which knows only accounts that are not accepted.
alter table tenant add column stopped_cause text;
-- Requests that the authority refused since it last dealt with a document of the tenant, and the document they were all about.
alter table tenant add column refusals_in_a_row integer not null default 0;
alter table tenant add column refused_document text;
-- When the last stop ended: what was sent before is no news.
alter table tenant add column resumed_at bigint;

-- What is under way for a tenant is counted before more is claimed.
-- PostgreSQL builds this index afterwards, without a lock: see postgres/large-indexes.ts.
/*sqlite create index outbound_by_lease on outbound (tenant) where lease is not null and status < 40; */
