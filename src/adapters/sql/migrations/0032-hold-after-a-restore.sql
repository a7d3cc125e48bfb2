-- A hold after a restore, which an operator's own hold must not replace: `reason` and `since` are those of the operator's where there
-- is one. Null where nothing was restored, or it was reconciled.
alter table delivery_hold add column restored_since bigint;
alter table delivery_hold add column restored_at bigint;
update delivery_hold set restored_since = since, restored_at = since where reason = 'restored, not reconciled';
