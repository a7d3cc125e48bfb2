import type { Chance, Storage } from '../../application/ports.ts';
import { archiveStore } from './archive-store.ts';
import { auditStore } from './audit-store.ts';
import { codeListStore } from './code-list-store.ts';
import { keepAhead } from './content.ts';
import { credentialStore } from './credential-store.ts';
import { deliveryStore } from './delivery-store.ts';
import type { Engine, Sql } from './engine.ts';
import { errandStore } from './errand-store.ts';
import { inboundStore } from './inbound-store.ts';
import { keyStore } from './key-store.ts';
import { outboundStore } from './outbound-store.ts';
import { paceStore } from './pace-store.ts';
import { submissionStore } from './submission-store.ts';
import { tenantStore } from './tenant-store.ts';

/** The storage port over either engine. */
export function createStorage(engine: Engine, chance: Chance): Storage {
  const bound = new WeakMap<Sql, Storage>();

  function within(sql: Sql): Storage {
    const known = bound.get(sql);
    if (known !== undefined) return known;
    const tx: Storage = {
      ...stores(sql, chance),
      storeAhead: async (_tenant, file) => file,
      transaction: (work) => work(tx),
    };
    bound.set(sql, tx);
    return tx;
  }

  return {
    ...stores(engine, chance),
    storeAhead: (tenant, file) => keepAhead(engine, tenant, file),
    transaction: (work) => engine.transaction((sql) => work(within(sql))),
  };
}

function stores(sql: Sql, chance: Chance): Omit<Storage, 'storeAhead' | 'transaction'> {
  return {
    outbound: outboundStore(sql, chance),
    inbound: inboundStore(sql, chance),
    submissions: submissionStore(sql),
    tenants: tenantStore(sql),
    keys: keyStore(sql),
    deliveries: deliveryStore(sql),
    errands: errandStore(sql),
    pace: paceStore(sql),
    credentials: credentialStore(sql),
    audit: auditStore(sql, chance),
    codeLists: codeListStore(sql),
    archive: archiveStore(sql),
  };
}
