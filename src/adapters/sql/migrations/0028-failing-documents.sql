-- Which documents keep failing is asked with every look at the overview: without this, all that wait would be read.
-- PostgreSQL does not build it any more: migration 34 has another one in its place.
/*sqlite create index outbound_by_failures on outbound (failures) where due_at is not null and status < 40 and failures > 0; */
