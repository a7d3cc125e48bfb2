-- When the authority's own status of a registered document changed last, by its clock: an older change is not taken after it.
alter table outbound add column authority_status_at bigint;
