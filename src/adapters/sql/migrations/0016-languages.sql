-- The failure message in no language yet, as JSON with the text that it belongs to; null for messages of the version before.
alter table outbound add column failure_sentences text;

-- The language that messages are shown in to the taxpayer. Processes of the version before add taxpayers without it.
alter table tenant add column language text not null default 'mk';
update tenant set language = 'en' where exists (select 1 from store_environment where environment = 'demo');
