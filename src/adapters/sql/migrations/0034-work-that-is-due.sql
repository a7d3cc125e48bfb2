-- Which document of a status is due longest is asked with every look at the metrics, and whether any is due several times a second: without
-- the first index, all that wait would be read. What keeps failing is counted from the second one alone, which takes the place of one without
-- all columns that this needs.
-- PostgreSQL builds these indexes afterwards, without a lock: see postgres/large-indexes.ts.
drop index if exists outbound_by_failures;
/*sqlite
create index outbound_by_due on outbound (status, due_at, tenant) where due_at is not null and status <= 40;
create index outbound_by_failing on outbound (failures, tenant, status, due_at) where due_at is not null and status < 40 and failures > 0;
*/
