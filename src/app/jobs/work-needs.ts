import type { Logger } from 'pino';
import type { DamageAlarm } from '../../adapters/platform/damage-alarm.ts';
import type { Metrics } from '../../adapters/platform/metrics.ts';
import type { ClockWatch } from '../../application/clocks/watch-clock.ts';
import type { DocumentReader } from '../../application/ports/document-reader.ts';
import type { Tracer } from '../../application/ports/telemetry/tracer.ts';
import type { HoldWatch } from '../../application/recovery/hold-delivery.ts';
import type { AuthorityConnection } from '../authority.ts';
import type { Foundation } from '../foundation.ts';
import type { OutageLog } from '../states/outage-log.ts';

/** What the background work is built from. */
export type WorkNeeds = {
  readonly foundation: Foundation;
  readonly connection: AuthorityConnection;
  readonly reader: DocumentReader;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  readonly clockWatch: ClockWatch;
  readonly onDamage: DamageAlarm;
  readonly outages: Pick<OutageLog, 'databaseFailed'>;
  /** Whether anything is sent. */
  readonly holdWatch: HoldWatch;
};
