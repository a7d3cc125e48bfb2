-- By which numbers the documents of a partner abroad are found, beside the number as it is shown, which is the scope of their
-- list: without blanks and in upper case, with and without the country. country is '' where it is not known. Partners in North
-- Macedonia are not here: their number is shown in the one form it has.
create table partner_number (
  tenant text not null,
  list text not null,
  number text not null,
  scope text not null,
  country text not null,
  primary key (tenant, list, number, scope, country)
) /*sqlite without rowid*/;

-- The country of documents that are here already is not known; a prefix of Europe's tax numbers tells it.
insert into partner_number (tenant, list, number, scope, country)
with shown as (
  select tenant, list, scope, upper(replace(scope, ' ', '')) as number
  from listing_block
  where block = 0 and scope <> '' and (length(scope) <> 13 or ltrim(scope, '0123456789') <> '')
), prefixed as (
  select tenant, list, scope, number, case when length(number) > 2 and substr(number, 1, 2) in (
    'AL', 'AT', 'BA', 'BE', 'BG', 'CH', 'CY', 'CZ', 'DE', 'DK', 'EE', 'EL', 'ES', 'FI', 'FR', 'GB', 'GR', 'HR', 'HU', 'IE',
    'IT', 'LT', 'LU', 'LV', 'ME', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'RS', 'SE', 'SI', 'SK', 'TR', 'XK'
  ) then substr(number, 1, 2) else '' end as country
  from shown
)
select tenant, list, number, scope, country from prefixed
union
select tenant, list, substr(number, 3), scope, country from prefixed where country <> '';
