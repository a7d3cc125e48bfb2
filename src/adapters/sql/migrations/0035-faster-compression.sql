-- PostgreSQL packs long values, by itself with a method that takes a quarter of the server's time for a submission. LZ4 takes a fraction of that.
-- A server that was built without it, or is older than PostgreSQL 14, stays with its own. What was stored before stays as it is, and readable.
/*postgres
do $$
begin
  execute 'alter table content alter column bytes set compression lz4';
  execute 'alter table outbound_payload alter column text set compression lz4';
exception when feature_not_supported or syntax_error then
  null;
end $$;
*/
