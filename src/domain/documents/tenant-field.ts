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
