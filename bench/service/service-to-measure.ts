import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { openReader } from '../../src/app/document-reader.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { createOperator } from '../../src/app/operator.ts';
import { openOps } from '../../src/app/ops.ts';
import { type AuthorityUrls, readConfig } from '../../src/config.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { listedTaxNumber } from '../../src/domain/accounts/tax-number.ts';

type Order = {
  readonly urls: AuthorityUrls;
  readonly threads: number;
  readonly variables?: Readonly<Record<string, string>>;
  readonly tenants: readonly { readonly edb: Edb; readonly eujpId: string }[];
  readonly certificate: { readonly certificatePem: string; readonly privateKeyPem: string };
};

const invoice = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');

/** The example of the documentation, as a document of that taxpayer. */
export function documentOf(tenant: Edb, number: string): Uint8Array<ArrayBuffer> {
  const text = invoice.replaceAll('4030026000018', tenant).replace('2026-7001', number);
  return new Uint8Array(Buffer.from(text));
}

/** A production database in a folder of its own, with tenants that can deliver; the service on it is not started yet. */
export async function openServiceToMeasure({ urls, threads, variables = {}, tenants, certificate }: Order) {
  const dataDir = await mkdtemp(join(tmpdir(), 'dostava-'));
  const config = readConfig({
    ENVIRONMENT: 'production',
    PORT: '0',
    OPS_PORT: '0',
    LOG_LEVEL: 'error',
    PUBLIC_URL: 'https://invoices.example',
    ALLOW_PLAIN_HTTP: 'i-know-that-others-can-read-and-change-it',
    DATA_DIR: dataDir,
    CREDENTIALS_KEY: randomBytes(32).toString('base64'),
    AUTHORITY_PRODUCTION_URL: urls.query,
    AUTHORITY_PRODUCTION_RECEIVER_URL: urls.receiver,
    AUTHORITY_PRODUCTION_PORTAL_URL: urls.portal,
    ...variables,
  });
  const foundation = await openFoundation(config);
  const reader = openReader(systemTimers, threads);
  const operator = createOperator(foundation, reader);
  const ops = await openOps(config, systemTimers);
  for (const { edb, eujpId } of tenants) {
    await operator.tenants.add({ edb, name: edb, environment: 'production', outboundEnabled: true, eujpId });
    await operator.credentials.set(edb, certificate.certificatePem, certificate.privateKeyPem);
  }
  return {
    foundation,
    reader,
    operator,
    ops,
    async queue(tenant: Edb, number: string): Promise<void> {
      const reading = await reader.read(tenant, documentOf(tenant, number));
      if (reading.outcome === 'refused') throw new Error(reading.detail);
      const { facts, file, pdf } = reading;
      const partnerEdb = listedTaxNumber(facts.recipient);
      const document = { facts, partnerEdb, ubl: file, pdf, software: 'b', holdMs: 0 };
      await foundation.storage.transaction((tx) => tx.outbound.add(tenant, document, Date.now()));
    },
    async close(): Promise<void> {
      await ops.close();
      await reader.close();
      await foundation.engine.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
