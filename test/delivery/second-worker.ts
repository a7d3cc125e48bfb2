import { createDamageAlarm } from '../../src/adapters/platform/damage-alarm.ts';
import { createLog } from '../../src/adapters/platform/log.ts';
import { openAuthority } from '../../src/app/authority.ts';
import { startBackground } from '../../src/app/background.ts';
import { openClockWatch } from '../../src/app/clock-watch.ts';
import type { Foundation } from '../../src/app/foundation.ts';
import { openHoldWatch } from '../../src/app/jobs/hold-watch.ts';
import type { DocumentReader } from '../../src/application/ports/document-reader.ts';
import { quietMetrics } from '../support/quiet-metrics.ts';

/** The background work of another process, in this one. */
export async function startSecondWorker(foundation: Foundation, reader: DocumentReader) {
  const log = createLog('silent', foundation.timers);
  const metrics = quietMetrics();
  const connection = openAuthority(foundation, { onKey: ({ unopened }) => metrics.keysUnopened(unopened) });
  const clockWatch = openClockWatch(foundation, connection, log);
  const onDamage = createDamageAlarm(log, metrics.storedDamage);
  const outages = { databaseFailed: (error: Error) => log.warn({ err: error }, 'the database cannot be used') };
  const holdWatch = openHoldWatch(foundation, log, metrics);
  await clockWatch.check();
  await connection.keyWatch.check();
  const needs = { foundation, connection, reader, log, metrics, clockWatch, onDamage, holdWatch, outages };
  const worker = startBackground(needs);
  return {
    connection,
    metrics: async () => (await metrics.render()).text,
    async stop() {
      connection.interrupt();
      await worker.stop();
      await connection.close();
    },
  };
}
