import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceFiles } from './source-files.ts';

/** First parameters that name the tenant, by themselves or as a member of what they hold. */
const NAMES_TENANT =
  /^(?:tenant: Edb|edb: Edb|tenant: (?:TenantSettings|NewTenant)|key: IdempotencyRecordKey|key: ApiKey|credential: SealedCredential|entries: readonly AuditEntry\[\]|task: Pick<ClaimedTask)$/u;

const SEALS = 'a chain goes through the entries of all tenants, so that none can be left out unnoticed';

const SEARCH = 'the operator looks for documents of all tenants';
const OVERVIEW = 'the operator sees what happens to the documents of all tenants';

const OPERATORS = 'people who sign in to the console belong to no tenant';

const WORKLOAD = 'the operator sees how much there is to do';

const HOLD = 'a database is restored for all tenants';

const CLOCKS = 'a wrong clock has written times for any tenant';

/** Methods that work for no single tenant, and why. */
const ACROSS_TENANTS: Readonly<Record<string, string>> = {
  'AuditSealStore.add': SEALS,
  'AuditSealStore.adopt': SEALS,
  'AuditSealStore.adoption': SEALS,
  'AuditSealStore.assign': SEALS,
  'AuditSealStore.endAdoption': SEALS,
  'AuditSealStore.entriesWithin': SEALS,
  'AuditSealStore.expire': SEALS,
  'AuditSealStore.lastBlock': SEALS,
  'AuditSealStore.lastOf': SEALS,
  'AuditSealStore.lock': SEALS,
  'AuditSealStore.oldestOf': SEALS,
  'AuditSealStore.seals': SEALS,
  'AuditSealStore.stray': SEALS,
  'AuditSealStore.waiting': SEALS,
  'AuditStore.page': 'the operator reads the trail of all tenants',
  'AuditStore.read': 'the operator reads the trail of all tenants',
  'ChangeStore.lastNumbers': 'one query looks for all readers that wait',
  'CodeListStore.find': 'tenants of one environment share its lists',
  'CodeListStore.save': 'tenants of one environment share its lists',
  'CredentialStore.facts': 'the operator lists all tenants',
  'CredentialStore.list': 'the operator lists all tenants',
  'CredentialStore.page': 'a worker looks whether it can open the keys of all tenants',
  'DeliveryHoldStore.end': HOLD,
  'DeliveryHoldStore.endRestored': HOLD,
  'DeliveryHoldStore.find': HOLD,
  'DeliveryHoldStore.heldByThemselves': HOLD,
  'DeliveryHoldStore.lastMoveBefore': HOLD,
  'DeliveryHoldStore.set': HOLD,
  'DeliveryHoldStore.uncompared': HOLD,
  'DeliveryStore.failing': 'the operator lists all tenants',
  'DeliveryStore.isAnyDue': 'a worker looks for tenants with something due',
  'DeliveryStore.recallPostponed': CLOCKS,
  'DeliveryStore.tenantsDue': 'a worker looks for tenants with something due',
  'DocumentSearchStore.countFailed': SEARCH,
  'DocumentSearchStore.failed': SEARCH,
  'DocumentSearchStore.inbound': SEARCH,
  'DocumentSearchStore.outbound': SEARCH,
  'IdempotencyStore.deleteExpired': 'expired records of all tenants are deleted together',
  'KeyStore.findBySecret': 'the key tells the tenant',
  'KeyStore.find': 'the operator names a key by its identifier',
  'KeyStore.list': 'the operator lists the keys of all tenants',
  'OperatorStore.add': OPERATORS,
  'OperatorStore.beginSession': OPERATORS,
  'OperatorStore.endSession': OPERATORS,
  'OperatorStore.endSessionsBefore': OPERATORS,
  'OperatorStore.find': OPERATORS,
  'OperatorStore.findSession': OPERATORS,
  'OperatorStore.list': OPERATORS,
  'OperatorStore.remove': OPERATORS,
  'OperatorStore.setPassword': OPERATORS,
  'OperatorStore.useSession': OPERATORS,
  'ActivityStore.add': OVERVIEW,
  'ActivityStore.behind': OVERVIEW,
  'ActivityStore.deleteBefore': OVERVIEW,
  'ActivityStore.lock': OVERVIEW,
  'ActivityStore.movesByStep': OVERVIEW,
  'ActivityStore.totals': OVERVIEW,
  'OverviewStore.countOutbound': OVERVIEW,
  'OverviewStore.oldest': OVERVIEW,
  'OverviewStore.taskStates': OVERVIEW,
  'ProcessStore.forgetBefore': OVERVIEW,
  'ProcessStore.list': OVERVIEW,
  'ProcessStore.remove': OVERVIEW,
  'ProcessStore.save': OVERVIEW,
  'PaceStore.ask': 'several tenants may share a user of the authority',
  'PaceStore.postpone': 'several tenants may share a user of the authority',
  'ReferenceRefusalStore.clear': 'tenants of one environment share what its authority refuses',
  'ReferenceRefusalStore.list': 'tenants of one environment share what its authority refuses',
  'ReferenceRefusalStore.save': 'tenants of one environment share what its authority refuses',
  'RecurringTaskStore.recallPostponed': CLOCKS,
  'RecurringTaskStore.isAnyDue': 'a worker looks for whatever is due',
  'RecurringTaskStore.claim': 'a worker claims whatever is due longest',
  'StrayRegistrationStore.recent': OVERVIEW,
  'TenantStore.countStopped': 'the operator sees how many tenants are stopped',
  'TenantStore.list': 'the operator lists all tenants',
  'VoidStore.recallPostponed': CLOCKS,
  'VoidStore.tenantsDue': 'a worker looks for tenants with something due',
  'WorkloadStore.oldestDueAt': WORKLOAD,
  'WorkloadStore.outboundByStatus': WORKLOAD,
  'WorkloadStore.recurringTasks': WORKLOAD,
  'WorkloadStore.unknownSince': WORKLOAD,
};

type Method = { readonly name: string; readonly firstParameter: string };

function storeMethods(): readonly Method[] {
  return sourceFiles(['src/application/ports/storage'], '.ts').flatMap(({ text }) => {
    const stores = [...text.matchAll(/^export type (\w+Store) = \{\n([\s\S]*?)^\};$/gmu)];
    return stores.flatMap(([, store = '', body = '']) =>
      [...body.matchAll(/^ {2}readonly (\w+): \(\s*([^()]*?)(?:,\n|, |,?\s*\) =>)/gmu)].map(
        ([, method = '', firstParameter = '']) => ({ name: `${store}.${method}`, firstParameter }),
      ),
    );
  });
}

test('the tenant is the first argument of every store method, but for those that work across tenants', () => {
  const methods = storeMethods();
  assert.ok(methods.length >= 50, `${methods.length} methods were read`);
  const across = methods.filter(({ firstParameter }) => !NAMES_TENANT.test(firstParameter)).map(({ name }) => name);
  assert.deepEqual(across.toSorted(), Object.keys(ACROSS_TENANTS).toSorted());
});
