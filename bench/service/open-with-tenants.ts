import { readFile } from 'node:fs/promises';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { openReader } from '../../src/app/document-reader.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { createOperator } from '../../src/app/operator.ts';
import { readConfig } from '../../src/config.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { listedTaxNumber } from '../../src/domain/accounts/tax-number.ts';

type Order = {
  readonly variables: Readonly<Record<string, string>>;
  readonly threads: number;
  readonly tenants: readonly { readonly edb: Edb; readonly eujpId: string }[];
  readonly certificate: { readonly certificatePem: string; readonly privateKeyPem: string };
};

const invoice = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');

/** The example of the documentation, as a document of that taxpayer. */
export function exampleOf(tenant: Edb, number: string): Uint8Array<ArrayBuffer> {
  const text = invoice.replaceAll('4030026000018', tenant).replace('2026-7001', number);
  return new Uint8Array(Buffer.from(text));
}

/** A database with tenants that can deliver; no service runs on it yet. */
export async function openWithTenants({ variables, threads, tenants, certificate }: Order) {
  const foundation = await openFoundation(readConfig(variables));
  const reader = openReader(systemTimers, threads);
  const operator = createOperator(foundation, reader);
  for (const { edb, eujpId } of tenants) {
    await operator.tenants.add({ edb, name: edb, environment: 'production', outboundEnabled: true, eujpId });
    await operator.credentials.set(edb, certificate.certificatePem, certificate.privateKeyPem);
  }
  return {
    foundation,
    reader,
    operator,
    async queue(tenant: Edb, number: string): Promise<void> {
      const reading = await reader.read(tenant, exampleOf(tenant, number));
      if (reading.outcome === 'refused') throw new Error(reading.detail);
      const { facts, file, pdf } = reading;
      const partnerEdb = listedTaxNumber(facts.recipient);
      const document = { facts, partnerEdb, ubl: file, pdf, software: 'b', holdMs: 0 };
      await foundation.storage.transaction((tx) => tx.outbound.add(tenant, document, Date.now()));
    },
    async close(): Promise<void> {
      await reader.close();
      await foundation.engine.close();
    },
  };
}
