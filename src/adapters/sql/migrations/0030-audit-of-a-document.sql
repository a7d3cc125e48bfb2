-- The entries of one document, which the console and "audit --document" show: without this, all entries of its taxpayer would be read.
-- PostgreSQL builds the index afterwards, without a lock: see postgres/large-indexes.ts.
/*sqlite create index audit_by_document on audit (tenant, doc_uid, id) where doc_uid is not null; */
