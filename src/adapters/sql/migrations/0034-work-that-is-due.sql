-- Which document of a status is due longest is asked with every look at the metrics, and whether any is due several times a second: without
-- the first index, all that wait would be read. What keeps failing is counted from the second one alone. It takes the place, and the name, of one
-- without all columns that this needs: statements of the version before name it.
-- PostgreSQL builds these indexes afterwards, without a lock: see postgres/large-indexes.ts.
drop index if exists outbound_by_failures;
/*sqlite
create index outbound_by_due on outbound (status, due_at, tenant) where due_at is not null and status <= 40;
create index outbound_by_failures on outbound (failures, tenant, status, due_at) where due_at is not null and status < 40 and failures > 0;
*/
