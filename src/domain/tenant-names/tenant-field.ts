/** Names that are no words of any language. */
export const UNMISTAKABLE_TENANT_FIELDS: readonly string[] = [
  'tenantid',
  'tenantuid',
  'tenantcode',
  'tenantkey',
  'taxpayerid',
  'taxpayeruid',
];

const UNMISTAKABLE: ReadonlySet<string> = new Set(UNMISTAKABLE_TENANT_FIELDS);
const TENANT = 'tenant';

/** Whether a field of that name would identify the tenant, which only the API key may do. */
export function isTenantField(name: string): boolean {
  const letters = lettersOf(name);
  return letters === TENANT || UNMISTAKABLE.has(letters);
}

/** Whether the name identifies the tenant wherever it stands: not the word `tenant`, which a sentence may have. */
export function isUnmistakableTenantField(name: string): boolean {
  return UNMISTAKABLE.has(lettersOf(name));
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[-_]/gu, '');
}
