const TENANT_FIELDS: ReadonlySet<string> = new Set([
  'tenant',
  'tenantid',
  'tenantuid',
  'tenantcode',
  'tenantkey',
  'taxpayerid',
  'taxpayeruid',
]);

/** Whether a field of that name would identify the tenant, which only the API key may do. */
export function isTenantField(name: string): boolean {
  return TENANT_FIELDS.has(name.toLowerCase().replace(/[-_]/gu, ''));
}

/** The first tenant-identifying property of a JSON value, at any depth. */
export function findTenantField(value: unknown): string | null {
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, member] of Object.entries(next)) {
      if (!Array.isArray(next) && isTenantField(name)) return name;
      waiting.push(member);
    }
  }
  return null;
}
