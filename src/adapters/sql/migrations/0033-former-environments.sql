-- In which environment of the authority the documents of a taxpayer came that goes from one to the other: those up to `last_id` of a side, and after
-- the row before. Documents after the last row are of the present environment.
create table former_environment (
  tenant text not null,
  side text not null,
  last_id text not null,
  environment text not null,
  primary key (tenant, side, last_id)
) /*sqlite without rowid*/;

-- Where it was found; null where that is not known.
alter table lost_registration add column environment text;
