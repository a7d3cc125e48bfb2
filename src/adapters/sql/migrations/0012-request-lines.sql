-- Which kinds of requests wait for the user's next turn, in all processes. The version before neither reads nor writes it.
alter table pace add column waiting text;

-- Runs in a row that brought nothing new, for tasks that are then done less often.
alter table recurring_task add column quiet_runs integer not null default 0;

-- The tenants that share a user of the authority are counted when a task of one of them is claimed.
create index tenant_by_user on tenant (environment, eujp_id);
