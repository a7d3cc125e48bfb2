import { createAuditBuffer } from '../adapters/platform/audit-buffer.ts';
import { createLog } from '../adapters/platform/log.ts';
import { createMetrics } from '../adapters/platform/metrics.ts';
import { lowerPlatformPriority } from '../adapters/threads/thread-priority.ts';
import type { DocumentReader } from '../application/ports/document-reader.ts';
import { listen, portOf, watchSilentConnections } from '../http/listening.ts';
import { createOpsServer } from '../http/ops-server.ts';
import { openAuthority } from './authority.ts';
import { startBackground } from './background.ts';
import type { Foundation } from './foundation.ts';
import { type Interface, startInterface } from './http.ts';

export type Service = {
  /** Where clients reach the interface, whichever process serves it. */
  readonly url: string;
  readonly opsUrl: string;
  readonly stop: () => Promise<void>;
};

/** The service: the ops port and, by its role, the interface, the background jobs or both, over a foundation it does not own. */
export async function startService(foundation: Foundation, reader: DocumentReader): Promise<Service> {
  const { config, engine, storage } = foundation;
  const log = createLog(config.logLevel);
  const audit = createAuditBuffer(
    storage,
    (error, waiting) => log.error({ err: error, waiting }, 'audit entries could not be written'),
    (entry) => log.error({ entry }, 'audit entry kept here alone'),
  );
  const metrics = createMetrics({ auditWaiting: audit.waiting });
  const side = openAuthority(foundation, (type, cause) =>
    log.warn({ err: cause, type }, 'code list could not be refreshed; the old one serves'),
  );
  let isStopping = false;
  const ops = createOpsServer({
    metrics: metrics.render,
    async notReadyBecause() {
      if (isStopping) return 'shutting down';
      await engine.get('select 1 as one', []);
      return null;
    },
  });
  const silentOps = watchSilentConnections(ops);
  const needs = { foundation, reader, audit, lists: side.lists, log, metrics };
  let served: Interface | null = null;
  try {
    if (config.role !== 'worker') served = await startInterface(needs);
    await listen(ops, '127.0.0.1', config.opsPort);
  } catch (error) {
    await served?.stop();
    await audit.close();
    throw error;
  }
  await lowerPlatformPriority();
  const working = config.role === 'api' ? null : startBackground({ foundation, side, reader, log, metrics });
  return {
    url: served?.url ?? config.publicUrl ?? '',
    opsUrl: `http://127.0.0.1:${portOf(ops)}`,
    async stop() {
      isStopping = true;
      await served?.stop();
      await working?.stop();
      await side.close();
      await audit.close();
      await new Promise((resolve) => {
        ops.close(resolve);
        silentOps.end();
      });
    },
  };
}
