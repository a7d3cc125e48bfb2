import { Counter, Gauge, type Registry } from 'prom-client';
import { EXPIRY_WARNING_DAYS } from '../../domain/accounts/certificate-expiry.ts';

export type SafetyMetrics = {
  /** Stored bytes did not match their checksum, or could not be read. */
  readonly storedDamage: () => void;
  /** Tenants whose sealed key this process cannot open. */
  readonly keysUnopened: (tenants: number) => void;
  readonly deliveryHeld: (isHeld: boolean) => void;
  /** Tenants with an account for which alone nothing is sent. */
  readonly tenantsHeld: (tenants: number) => void;
  /** Certificates, what expires first coming first. */
  readonly certificates: (
    all: readonly { readonly tenant: string; readonly validTo: number; readonly warning: number | null }[],
  ) => void;
};

/** A time series for each tenant would be too many: those that expire first are enough. */
const MOST_CERTIFICATES = 50;

/** Metrics of what keeps wrong documents from leaving, and of what right ones need to leave. */
export function safetyMetrics(registry: Registry): SafetyMetrics {
  const registers = [registry];
  const damage = new Counter({
    name: 'dostava_stored_damage_total',
    help: 'How often stored bytes did not match their checksum, or the database could not read them; they were neither sent nor served.',
    registers,
  });
  const unopened = new Gauge({
    name: 'dostava_keys_unopened',
    help: 'Tenants whose private key this process cannot open: it leaves their work to others, or signs from memory until it ends.',
    registers,
  });
  const held = new Gauge({
    name: 'dostava_delivery_held',
    help: '1 while nothing is sent, after a restore or because the operator said so; of a worker.',
    registers,
  });
  const tenantsHeld = new Gauge({
    name: 'dostava_tenants_held',
    help: 'Tenants with an account for which alone nothing is sent, since they were not compared after a restore; of a worker.',
    registers,
  });
  const expiry = new Gauge({
    name: 'dostava_certificate_expiry_timestamp_seconds',
    help: `When certificates of tenants expire, of the ${MOST_CERTIFICATES} that expire first; of a worker.`,
    labelNames: ['tenant'],
    registers,
  });
  const expiring = new Gauge({
    name: 'dostava_certificates_expiring',
    help: 'Certificates of tenants that expire within so many days, those that have expired included; of a worker.',
    labelNames: ['days'],
    registers,
  });
  return {
    storedDamage: () => damage.inc(),
    deliveryHeld: (isHeld) => held.set(isHeld ? 1 : 0),
    tenantsHeld: (tenants) => tenantsHeld.set(tenants),
    keysUnopened: (tenants) => unopened.set(tenants),
    certificates(all) {
      expiry.reset();
      for (const { tenant, validTo } of all.slice(0, MOST_CERTIFICATES)) expiry.set({ tenant }, validTo / 1000);
      for (const days of EXPIRY_WARNING_DAYS) {
        expiring.set({ days }, all.filter(({ warning }) => warning !== null && warning <= days).length);
      }
    },
  };
}
