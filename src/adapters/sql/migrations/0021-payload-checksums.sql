-- The SHA-256 of what is signed and sent, with the marks by which it is looked up. Null where an earlier version wrote the row.
alter table outbound_payload add column text_sha256 bytea;
