import type { Command } from './command.ts';
import { archive, archiveVerify } from './commands/archive.ts';
import { audit } from './commands/audit.ts';
import { auditSeal, auditVerify } from './commands/audit-seals.ts';
import { authorityProbe } from './commands/authority-probe.ts';
import { backup, restore } from './commands/backup.ts';
import { codelistsRefresh } from './commands/codelists-refresh.ts';
import { credentialsReseal } from './commands/credentials/credentials-reseal.ts';
import { tenantRemoveCertificate } from './commands/credentials/tenant-remove-certificate.ts';
import { inboundImport } from './commands/inbound/inbound-import.ts';
import { inboundList } from './commands/inbound/inbound-list.ts';
import { inboundProblems } from './commands/inbound/inbound-problems.ts';
import { keyAllow, keyIssue, keyList, keyRenew, keyRevoke } from './commands/key.ts';
import { init, migrate } from './commands/migrate.ts';
import { migrateStore } from './commands/migrate-store.ts';
import { operatorAdd, operatorList, operatorPassword, operatorRemove } from './commands/operators/operator.ts';
import { outboundSent, outboundShow } from './commands/outbound/outbound.ts';
import { outboundList } from './commands/outbound/outbound-list.ts';
import { outboundRetry } from './commands/outbound/outbound-retry.ts';
import { outboundVoid } from './commands/outbound/outbound-void.ts';
import { referencesClear, referencesRefused } from './commands/outbound/references.ts';
import { check } from './commands/recovery/check.ts';
import { hold, release } from './commands/recovery/hold.ts';
import { reconcile } from './commands/recovery/reconcile.ts';
import { simulatorOutage } from './commands/simulator-outage.ts';
import { tenantAdd, tenantList, tenantSet } from './commands/tenant.ts';
import { tenantCheck } from './commands/tenant-check.ts';

/** Every command except `serve`, which runs the service itself. */
export const COMMANDS: readonly Command[] = [
  init,
  migrate,
  tenantAdd,
  tenantList,
  tenantSet,
  tenantCheck,
  tenantRemoveCertificate,
  credentialsReseal,
  keyIssue,
  keyList,
  keyRevoke,
  keyRenew,
  keyAllow,
  operatorAdd,
  operatorList,
  operatorRemove,
  operatorPassword,
  outboundList,
  outboundShow,
  outboundSent,
  outboundRetry,
  outboundVoid,
  inboundList,
  inboundImport,
  inboundProblems,
  auditVerify,
  auditSeal,
  audit,
  codelistsRefresh,
  authorityProbe,
  referencesRefused,
  referencesClear,
  simulatorOutage,
  archiveVerify,
  archive,
  backup,
  restore,
  check,
  hold,
  release,
  reconcile,
  migrateStore,
];
