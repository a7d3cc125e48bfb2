-- Written for PostgreSQL; what only SQLite knows stands in /*sqlite ... */.
-- Times are milliseconds since 1970. Amounts are exact decimals, as text.

create table tenant (
  edb text primary key,
  name text not null,
  environment text not null check (environment in ('test', 'production')),
  outbound_enabled smallint not null,
  eujp_id text,
  created_at bigint not null
);

-- The secret itself is never stored.
create table api_key (
  tenant text not null references tenant (edb),
  key_id text not null unique,
  secret_sha256 bytea not null unique,
  software text not null,
  scopes text not null,
  expires_at bigint,
  revoked_at bigint,
  allowed_addresses text not null,
  calls_per_minute integer not null,
  created_at bigint not null,
  primary key (tenant, key_id)
);

-- Every file once per tenant, whatever it is a representation of.
create table content (
  tenant text not null,
  sha256 bytea not null,
  bytes bytea not null,
  primary key (tenant, sha256)
);

-- doc_uid is null for documents older than the integration interface: they keep an id of their own and stay invisible to it.
create table outbound (
  tenant text not null,
  id text not null,
  doc_uid text check (doc_uid is null or doc_uid = id),
  status smallint not null,
  kind text not null,
  type_code text,
  document_number text,
  partner_edb text,
  partner_name text,
  amount text,
  currency text,
  issue_date text,
  supplier_tax_number text,
  failure_code text,
  failure_message text,
  ujp text,
  ubl_sha256 bytea,
  pdf_sha256 bytea,
  ujp_sha256 bytea,
  software text,
  created_at bigint not null,
  primary key (tenant, id)
) /*sqlite without rowid*/;

create table outbound_history (
  tenant text not null,
  doc_uid text not null,
  ordinal integer not null,
  status smallint not null,
  at bigint not null,
  failure_code text,
  primary key (tenant, doc_uid, ordinal)
) /*sqlite without rowid*/;

create table submission (
  tenant text not null,
  software text not null,
  idempotency_sha256 bytea not null,
  content_sha256 bytea not null,
  doc_uid text not null,
  received_at bigint not null,
  forget_at bigint not null,
  primary key (tenant, software, idempotency_sha256)
) /*sqlite without rowid*/;

create index submission_by_forget_at on submission (forget_at);

create table inbound (
  tenant text not null,
  id text not null,
  doc_uid text check (doc_uid is null or doc_uid = id),
  same_as text not null,
  file_name text,
  sender_name text,
  sender_edb text,
  document_number text,
  amount text,
  currency text,
  original_sha256 bytea not null,
  ubl_sha256 bytea,
  pdf_sha256 bytea,
  received_at bigint not null,
  acked_at bigint,
  primary key (tenant, id),
  unique (tenant, same_as)
) /*sqlite without rowid*/;

-- The read model behind both lists. A document stands in the scope '' (all of the tenant's) and, where it has a partner,
-- in the scope of that partner's tax number. Within a scope seq counts from 0 without gaps in the order of doc_uid, which
-- is the order of time: the number of documents between two of them is a subtraction.
create table listing (
  tenant text not null,
  list text not null,
  scope text not null,
  doc_uid text not null,
  seq bigint not null,
  state smallint not null,
  primary key (tenant, list, scope, doc_uid)
) /*sqlite without rowid*/;

create index listing_by_state on listing (tenant, list, scope, state, doc_uid);

-- The first document of every block of consecutive seq: from here a page far back is a few steps away.
create table listing_block (
  tenant text not null,
  list text not null,
  scope text not null,
  block bigint not null,
  first_doc_uid text not null,
  primary key (tenant, list, scope, block)
) /*sqlite without rowid*/;

-- How many documents of a block are in a state.
create table listing_count (
  tenant text not null,
  list text not null,
  scope text not null,
  block bigint not null,
  state smallint not null,
  documents integer not null,
  primary key (tenant, list, scope, block, state)
) /*sqlite without rowid*/;

-- tenant is '' where no key was recognised.
create table audit (
  tenant text not null,
  id text not null,
  at bigint not null,
  key_id text,
  software_id text,
  method text not null,
  path text not null,
  doc_uid text,
  http_status smallint not null,
  code text,
  address text not null,
  duration_ms double precision not null,
  request_id text not null,
  primary key (tenant, id)
) /*sqlite without rowid*/;

create table code_list (
  environment text not null,
  type text not null,
  entries text not null,
  read_at bigint not null,
  primary key (environment, type)
);
