-- Warnings of documents whose payload, which holds them before, has been dropped. A document without a row has none.
create table outbound_warning (
  tenant text not null,
  doc_uid text not null,
  warnings text not null,
  primary key (tenant, doc_uid)
);

-- What is assumed of the taxpayer's documents where they do not say it. Processes of the version before add taxpayers without these.
alter table tenant add column reverse_charge_rate integer not null default 18;
alter table tenant add column foreign_currency integer not null default 0;
