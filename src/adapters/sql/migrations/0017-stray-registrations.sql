-- A registration at the authority that does not fit what is on record of the document: it was cancelled, has another EUID, or was
-- taken back before the answer came. status is the document's at that moment.
create table stray_registration (
  tenant text not null,
  doc_uid text not null,
  euid text not null,
  act text not null,
  status smallint not null,
  registered_at text,
  recorded_at bigint not null,
  answer text,
  primary key (tenant, doc_uid, euid)
) /*sqlite without rowid*/;
