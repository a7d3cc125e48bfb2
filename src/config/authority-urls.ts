import type { VariableReader } from './variable-reader.ts';

/** URLs of one installation of the authority. None is derived from another: the authority may move each of them. */
export type AuthorityUrls = {
  /** Root of its query services. */
  readonly query: string;
  /** Root of the service that receives documents. */
  readonly receiver: string;
  /** The portal that QR codes lead to. */
  readonly portal: string;
};

/** Null where an installation is not configured. */
export type Installations = { readonly test: AuthorityUrls | null; readonly production: AuthorityUrls | null };

const PARTS = { query: 'URL', receiver: 'RECEIVER_URL', portal: 'PORTAL_URL' } as const satisfies Readonly<
  Record<keyof AuthorityUrls, string>
>;

export const AUTHORITY_URL_NAMES = ['TEST', 'PRODUCTION'].flatMap((installation) =>
  Object.values(PARTS).map((part) => `AUTHORITY_${installation}_${part}`),
);

export function configuredAuthority(read: VariableReader): Installations {
  const isTestUsed = Object.values(PARTS).some((part) => read.text(`AUTHORITY_TEST_${part}`, '') !== '');
  const test = isTestUsed ? authorityUrls(read, 'AUTHORITY_TEST') : null;
  const production = authorityUrls(read, 'AUTHORITY_PRODUCTION');
  if (test !== null) refuseSameUrls(read, test, production);
  return { test, production };
}

/** What is sent to the test installation must not be registered by that of production. */
function refuseSameUrls(read: VariableReader, test: AuthorityUrls, production: AuthorityUrls): void {
  for (const [key, part] of Object.entries(PARTS) as [keyof AuthorityUrls, string][]) {
    if (!isSameUrl(test[key], production[key])) continue;
    read.error(
      `AUTHORITY_TEST_${part}: must not be that of production (AUTHORITY_PRODUCTION_${part}): test documents would become real ones`,
    );
  }
}

/** However they are written: letters of the host, the port that goes without saying. */
function isSameUrl(one: string, other: string): boolean {
  const url = URL.parse(one);
  return url !== null && url.href === URL.parse(other)?.href;
}

function authorityUrls(read: VariableReader, name: string): AuthorityUrls {
  return {
    query: read.requiredUrl(`${name}_URL`, "the root of the authority's query services"),
    receiver: read.requiredUrl(`${name}_RECEIVER_URL`, "the root of the authority's receiver of documents"),
    portal: read.requiredUrl(`${name}_PORTAL_URL`, 'where the QR codes of registered documents lead'),
  };
}

export function simulatedAuthority(read: VariableReader, port: number): Installations {
  for (const name of AUTHORITY_URL_NAMES) {
    if (read.url(name) !== null)
      read.error(`${name}: the demo environment has its own simulated authority; leave it unset`);
  }
  return { test: simulatedUrls(port), production: simulatedUrls(port + 1) };
}

function simulatedUrls(port: number): AuthorityUrls {
  const portal = `http://127.0.0.1:${port}`;
  return { query: `${portal}/einvoice_api`, receiver: `${portal}/JSONReceiver`, portal };
}
