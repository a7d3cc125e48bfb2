-- Which documents keep failing is asked with every look at the overview: without this, all that wait would be read.
-- PostgreSQL builds the index afterwards, without a lock: see postgres/large-indexes.ts.
/*sqlite create index outbound_by_failures on outbound (failures) where due_at is not null and status < 40 and failures > 0; */
