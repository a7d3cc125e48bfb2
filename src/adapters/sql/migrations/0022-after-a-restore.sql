-- Why no process sends anything, until it is ended: after a restore nobody knows what the authority has registered meanwhile. At
-- most one row.
create table delivery_hold (
  id smallint primary key check (id = 1),
  reason text not null,
  since bigint not null
);

-- Registrations at the authority of documents that this database does not have, because it was put back to an earlier state. A
-- document of the same type and number is not sent again.
create table lost_registration (
  tenant text not null,
  euid text not null,
  doc_type_code text not null,
  doc_number text not null,
  doc_date text not null,
  doc_id text not null,
  found_at bigint not null,
  primary key (tenant, euid)
);

-- Numbers can be longer than an index takes.
create index lost_registration_by_number on lost_registration (tenant, substr(doc_number, 1, 60));
