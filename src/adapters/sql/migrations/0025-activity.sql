-- What happened to documents, counted by the hour from the change feed: the console shows weeks without reading documents. measure is
-- what is counted, label one value of it: a status, a failure code, or a step of delivery time.
create table document_activity (
  hour bigint not null,
  measure text not null,
  label text not null,
  documents bigint not null,
  primary key (hour, measure, label)
);

-- Up to which entry of its change feed a tenant is counted.
create table activity_progress (
  tenant text primary key,
  number bigint not null
);
