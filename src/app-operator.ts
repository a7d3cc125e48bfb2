import { contentSweep } from './adapters/sql/content-sweep.ts';
import { createAddressList } from './adapters/system/address-list.ts';
import { openArchiveFolder } from './adapters/system/archive-folder.ts';
import { certificateReading } from './adapters/system/certificate-reading.ts';
import { createKeySealing } from './adapters/system/key-sealing.ts';
import { createKeySecrets } from './adapters/system/key-secrets.ts';
import { systemChance, systemHasher } from './adapters/system/platform.ts';
import { createSimulatorLevers } from './adapters/system/simulator-levers.ts';
import type { Foundation } from './app.ts';
import { openAuthority } from './app-authority.ts';
import { archiveDocuments } from './application/archive-documents.ts';
import { checkAccount } from './application/check-account.ts';
import type { DocumentReader } from './application/document-reader.ts';
import { findOutboundOwner } from './application/find-outbound-owner.ts';
import { importInbound } from './application/import-inbound.ts';
import { manageCredentials } from './application/manage-credentials.ts';
import { manageKeys } from './application/manage-keys.ts';
import { manageTenants } from './application/manage-tenants.ts';
import { readOutbound } from './application/read-outbound.ts';
import { requeueOutbound } from './application/requeue-outbound.ts';
import { stageOutage } from './application/stage-outage.ts';
import { tellOutboundStory } from './application/tell-outbound-story.ts';
import type { Operator } from './cli/operator.ts';

/** The operator's side: what the command line can do. */
export function createOperator(foundation: Foundation, reader: DocumentReader): Operator {
  const { config, clock, engine, storage, migrated } = foundation;
  const archive = archiveDocuments({ storage, contents: contentSweep(engine), hasher: systemHasher, clock });
  const isDemo = config.environment === 'demo';
  const secrets = createKeySecrets({ demoKeys: isDemo });
  const sealing = createKeySealing(config.credentialsKeys ?? []);
  const { authority, refreshList } = openAuthority(foundation);
  return {
    migrated,
    tenants: manageTenants({ storage, clock }),
    credentials: manageCredentials({ storage, reading: certificateReading, sealing, clock }),
    checkAccount: checkAccount({ storage, authority, clock }),
    stageOutage: stageOutage({ levers: isDemo ? createSimulatorLevers(config.authorityUrls) : null }),
    keys: manageKeys({ storage, secrets, addresses: createAddressList(), chance: systemChance, clock }),
    importInbound: importInbound({ storage, reader, hasher: systemHasher, clock }),
    findOutboundOwner: findOutboundOwner({ storage }),
    requeueOutbound: requeueOutbound({ storage, clock }),
    readOutbound: readOutbound(storage),
    tellOutboundStory: tellOutboundStory({ storage }),
    archive: ({ folder, ...request }) => archive({ folder: openArchiveFolder(folder), ...request }),
    readAudit: (filter) => storage.audit.read(filter),
    refreshCodeList: refreshList,
  };
}
