-- Tables are called what the code calls them. On PostgreSQL, processes of the version before keep working during a rolling
-- restart: they find the old names as views, which a later migration drops.
alter table errand rename to recurring_task;
drop index errand_by_due_at;
create index recurring_task_by_due_at on recurring_task (due_at);
alter table submission rename to idempotency_record;
alter table idempotency_record rename column forget_at to expires_at;
drop index submission_by_forget_at;
create index idempotency_record_by_expires_at on idempotency_record (expires_at);
/*postgres
create view errand as select tenant, name, due_at, lease, note, failures, failure from recurring_task;
create view submission as
select tenant, software, idempotency_sha256, content_sha256, doc_uid, received_at, expires_at as forget_at
from idempotency_record; */
