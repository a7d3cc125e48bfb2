import { Counter, type Registry } from 'prom-client';

export type SafetyMetrics = {
  /** Stored bytes did not match their checksum. */
  readonly storedDamage: () => void;
};

/** Metrics of what keeps wrong documents from leaving. */
export function safetyMetrics(registry: Registry): SafetyMetrics {
  const damage = new Counter({
    name: 'dostava_stored_damage_total',
    help: 'How often stored bytes did not match their checksum; they were neither sent nor served.',
    registers: [registry],
  });
  return { storedDamage: () => damage.inc() };
}
