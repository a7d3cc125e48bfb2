-- Which optional references a document is sent without, because the authority refused it for them: same-day, all or
-- all-of-type; null for none.
alter table outbound add column references_left_out text;

-- Document types on which the authority surely refuses references, for some days: a change at the authority shall be noticed.
create table reference_refusal (
  environment text not null,
  doc_type_code text not null,
  refused_at bigint not null,
  reason text not null,
  primary key (environment, doc_type_code)
);
