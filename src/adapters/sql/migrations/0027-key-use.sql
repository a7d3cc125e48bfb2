-- When a key was last used, written at most once an hour. Null where it was never used, or only by processes of an earlier version.
alter table api_key add column last_used_at bigint;
