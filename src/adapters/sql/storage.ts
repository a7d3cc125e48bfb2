import { TenantChanged } from '../../application/errors/tenant-changed.ts';
import type { Random } from '../../application/ports/platform.ts';
import type { Storage } from '../../application/ports/storage/storage.ts';
import type { StoreEnvironment } from '../../application/ports/store-environment.ts';
import type { Engine, Sql } from './engine.ts';
import { archiveStore } from './stores/archive-store.ts';
import { arrivalProblemStore } from './stores/arrival-problem-store.ts';
import { auditSealStore } from './stores/audit/audit-seal-store.ts';
import { auditStore } from './stores/audit/audit-store.ts';
import { changeStore } from './stores/changes/change-store.ts';
import { codeListStore } from './stores/code-list-store.ts';
import { storeLargeFile } from './stores/content.ts';
import { credentialStore } from './stores/credential-store.ts';
import { idempotencyStore } from './stores/idempotency-store.ts';
import { inboundStore } from './stores/inbound-store.ts';
import { keyStore } from './stores/key-store.ts';
import { activityStore } from './stores/operations/activity-store.ts';
import { overviewStore } from './stores/operations/overview-store.ts';
import { processStore } from './stores/operations/process-store.ts';
import { operatorStore } from './stores/operators/operator-store.ts';
import { deliveryStore } from './stores/outbound/delivery-store.ts';
import { outboundInquiryStore } from './stores/outbound/outbound-inquiry-store.ts';
import { outboundStore } from './stores/outbound/outbound-store.ts';
import { strayRegistrationStore } from './stores/outbound/stray-registration-store.ts';
import { voidStore } from './stores/outbound/void-store.ts';
import { paceStore } from './stores/pace-store.ts';
import { deliveryHoldStore } from './stores/recovery/delivery-hold-store.ts';
import { lostRegistrationStore } from './stores/recovery/lost-registration-store.ts';
import { recurringTaskStore } from './stores/recurring-task-store.ts';
import { referenceRefusalStore } from './stores/reference-refusal-store.ts';
import { documentSearchStore } from './stores/search/document-search-store.ts';
import { addSubmissions } from './stores/submissions/add-submissions.ts';
import { submissionGroups } from './stores/submissions/submission-groups.ts';
import { tenantStore } from './stores/tenant-store.ts';
import { workloadStore } from './stores/workload/workload-store.ts';

/** The storage port over either engine. With an environment, tenants are added only while the database belongs to it. */
export function createStorage(engine: Engine, random: Random, environment: StoreEnvironment | null = null): Storage {
  const storages = new WeakMap<Sql, Storage>();

  function storageWithin(sql: Sql): Storage {
    const existing = storages.get(sql);
    if (existing !== undefined) return existing;
    const tx: Storage = {
      ...stores(sql, random, environment),
      storeLargeFile: async (_tenant, file) => file,
      async storeSubmission(submission) {
        const stored = (await addSubmissions(sql, random, [submission], true)).get(submission) ?? null;
        if (typeof stored === 'string') throw new TenantChanged(stored);
        return stored;
      },
      transaction: (work) => work(tx),
    };
    storages.set(sql, tx);
    return tx;
  }

  return {
    ...stores(engine, random, environment),
    storeLargeFile: (tenant, file) => storeLargeFile(engine, tenant, file),
    storeSubmission: submissionGroups(engine, random),
    transaction: (work) => engine.transaction((sql) => work(storageWithin(sql))),
  };
}

function stores(
  sql: Sql,
  random: Random,
  environment: StoreEnvironment | null,
): Omit<Storage, 'storeLargeFile' | 'storeSubmission' | 'transaction'> {
  return {
    outbound: outboundStore(sql, random),
    outboundInquiries: outboundInquiryStore(sql),
    inbound: inboundStore(sql, random),
    documentSearch: documentSearchStore(sql),
    arrivalProblems: arrivalProblemStore(sql),
    idempotency: idempotencyStore(sql),
    tenants: tenantStore(sql, environment),
    keys: keyStore(sql),
    operators: operatorStore(sql),
    activity: activityStore(sql),
    overview: overviewStore(sql),
    processes: processStore(sql),
    deliveries: deliveryStore(sql),
    voids: voidStore(sql),
    strayRegistrations: strayRegistrationStore(sql),
    deliveryHold: deliveryHoldStore(sql),
    lostRegistrations: lostRegistrationStore(sql),
    recurringTasks: recurringTaskStore(sql),
    pace: paceStore(sql),
    credentials: credentialStore(sql),
    audit: auditStore(sql),
    auditSeals: auditSealStore(sql),
    codeLists: codeListStore(sql),
    referenceRefusals: referenceRefusalStore(sql),
    archive: archiveStore(sql),
    changes: changeStore(sql),
    workload: workloadStore(sql),
  };
}
