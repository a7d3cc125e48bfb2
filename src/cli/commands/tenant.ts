import { type ManageTenants, readEdb, type TenantChanges } from '../../application/manage-tenants.ts';
import type { Tenant } from '../../domain/tenant.ts';
import { type Arguments, type Command, type Output, onePositional, required, UsageError } from '../command.ts';
import { table } from '../table.ts';
import { readEnvironmentValue, readSwitchValue } from '../values.ts';

const SETTINGS = {
  name: { value: 'name', help: 'Name of the taxpayer.' },
  environment: { value: 'test|production', help: "The authority's installation the tenant works with. Default: test." },
  outbound: { value: 'on|off', help: 'Whether documents may be submitted over the API. Default: on.' },
  'eujp-id': { value: 'id', help: 'Identifier, at the authority, of the person in whose name calls are made.' },
};

export const tenantAdd: Command = {
  name: 'tenant add',
  summary: 'Adds a taxpayer.',
  positionals: '',
  options: { edb: { value: 'EDB', help: 'Tax number, 13 digits.' }, ...SETTINGS },
  async run({ tenants }, given) {
    const tenant = await tenants.add({
      edb: readEdb(required(given, 'edb')),
      name: required(given, 'name'),
      environment: readEnvironmentValue(given.option('environment')) ?? 'test',
      outboundEnabled: readSwitchValue('outbound', given.option('outbound')) ?? true,
      eujpId: given.option('eujp-id'),
    });
    return show([tenant], tenant);
  },
};

export const tenantList: Command = {
  name: 'tenant list',
  summary: 'Lists the taxpayers.',
  positionals: '',
  options: {},
  async run({ tenants }) {
    const all = await tenants.list();
    return show(all, all);
  },
};

export const tenantSet: Command = {
  name: 'tenant set',
  summary: 'Changes a taxpayer.',
  positionals: '<EDB>',
  options: SETTINGS,
  async run({ tenants }, given) {
    const tenant = await set(tenants, onePositional(given, 'EDB'), given);
    return show([tenant], tenant);
  },
};

function set(tenants: ManageTenants, edb: string, given: Arguments): Promise<Tenant> {
  const name = given.option('name') === null ? null : required(given, 'name');
  const environment = readEnvironmentValue(given.option('environment'));
  const outboundEnabled = readSwitchValue('outbound', given.option('outbound'));
  const eujpId = given.option('eujp-id');
  const changes: TenantChanges = {
    ...(name === null ? {} : { name }),
    ...(environment === null ? {} : { environment }),
    ...(outboundEnabled === null ? {} : { outboundEnabled }),
    ...(eujpId === null ? {} : { eujpId }),
  };
  if (Object.keys(changes).length === 0) throw new UsageError('Nothing to change: give at least one option.');
  return tenants.set(edb, changes);
}

function show(tenants: readonly Tenant[], json: unknown): Output {
  const rows = tenants.map(({ edb, name, environment, outboundEnabled, eujpId }) => [
    edb,
    name,
    environment,
    outboundEnabled ? 'on' : 'off',
    eujpId,
  ]);
  return { text: table(['EDB', 'NAME', 'ENVIRONMENT', 'OUTBOUND', 'EUJP-ID'], rows), json };
}
