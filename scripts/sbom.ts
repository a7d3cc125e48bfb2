import { readFileSync } from 'node:fs';

/** One package of the lock file; of the program itself, whose place is the empty one, only the first two. */
export type LockedPackage = {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  /** Only for development. What production needs as well does not have it. */
  readonly dev?: boolean;
  readonly link?: boolean;
};

export type LockFile = { readonly packages: Readonly<Record<string, LockedPackage>> };

/**
 * What is installed in production, as a software bill of materials (CycloneDX 1.5): `npm run -s sbom`. npm has such a command, but it
 * leaves out packages that production and development both need, the driver of the database among them.
 */
export function billOfMaterials({ packages }: LockFile) {
  const { name = '', version = '' } = packages[''] ?? {};
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': `${name}@${version}`, name, version } },
    components: Object.entries(packages)
      .filter(([place, { dev, link }]) => place.startsWith('node_modules/') && !dev && !link)
      .map(([place, locked]) => componentOf(place, locked)),
  };
}

function componentOf(place: string, { version = '', license, integrity }: LockedPackage) {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const url = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': `${place}@${version}`,
    name,
    version,
    purl: url,
    ...(license === undefined ? {} : { licenses: [{ license: { name: license } }] }),
    ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
  };
}

/** In the lock file `sha512-` and base64. */
function hashOf(integrity: string) {
  const [algorithm = '', content = ''] = integrity.split('-', 2);
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(content, 'base64').toString('hex') };
}

if (import.meta.main) {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as LockFile;
  console.log(JSON.stringify(billOfMaterials(lock), null, 2));
}
