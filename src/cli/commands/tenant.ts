import { readEdb, type TenantChanges } from '../../application/accounts/manage-tenants.ts';
import { LANGUAGES } from '../../domain/messages/languages.ts';
import { type Arguments, type Command, onePositional, required, UsageError } from '../command.ts';
import type { Operator } from '../operator.ts';
import {
  readEnvironmentValue,
  readLanguageValue,
  readReverseChargeRate,
  readSwitchValue,
  readYesValue,
} from '../values.ts';
import { CREDENTIAL_OPTIONS, readCredential } from './credentials/tenant-credential.ts';
import { tenantJson, tenantTable } from './tenant-view.ts';

const SETTINGS = {
  name: { value: 'name', help: 'Name of the taxpayer.' },
  environment: { value: 'test|production', help: "The authority's installation the tenant works with." },
  outbound: { value: 'on|off', help: 'Whether documents may be submitted over the API.' },
  'eujp-id': { value: 'id', help: 'Identifier, at the authority, of the person in whose name calls are made.' },
  'reverse-charge-rate': {
    value: '18|10|5',
    help: 'Percent of a reverse charge (VAT category AE) whose document states the rate 0.',
  },
  'foreign-currency': {
    value: 'yes|no',
    help: 'Whether it is confirmed that the authority takes documents in another currency than MKD.',
  },
  language: { value: LANGUAGES.join('|'), help: 'Language of the messages that the taxpayer is shown.' },
};

/** What a new taxpayer has. A change leaves alone what it does not name, so its help must not speak of defaults. */
const DEFAULTS: Readonly<Record<string, string>> = {
  environment: 'test',
  outbound: 'on',
  'reverse-charge-rate': '18',
  'foreign-currency': 'no',
  language: 'mk, in the demo environment en',
};

function withDefaults(options: Command['options']): Command['options'] {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const taken = DEFAULTS[name];
      return [name, taken === undefined ? option : { ...option, help: `${option.help} Default: ${taken}.` }];
    }),
  );
}

export const tenantAdd: Command = {
  name: 'tenant add',
  summary: 'Adds a taxpayer.',
  positionals: '',
  options: {
    edb: { value: 'EDB', help: 'Tax number, 13 digits.', isRequired: true },
    ...withDefaults(SETTINGS),
    name: { ...SETTINGS.name, isRequired: true },
  },
  async run({ tenants }, given) {
    const tenant = await tenants.add({
      edb: readEdb(required(given, 'edb')),
      name: required(given, 'name'),
      environment: readEnvironmentValue(given.option('environment')) ?? 'test',
      outboundEnabled: readSwitchValue('outbound', given.option('outbound')) ?? true,
      eujpId: given.option('eujp-id'),
      ...settingsWithDefault(given),
    });
    const view = { tenant, certificate: null, failing: null, isUncompared: false };
    return { text: tenantTable([view]), json: tenantJson(view) };
  },
};

export const tenantList: Command = {
  name: 'tenant list',
  summary: 'Lists the taxpayers.',
  positionals: '',
  options: {},
  async run({ tenants, credentials, deliveryHold }) {
    const known = await credentials.list();
    const all = await tenants.list();
    const failing = await tenants.failing();
    const uncompared = await deliveryHold.uncompared();
    const views = all.map((tenant) => ({
      tenant,
      certificate: known.get(tenant.edb) ?? null,
      failing: failing.get(tenant.edb) ?? null,
      isUncompared: uncompared.includes(tenant.edb),
    }));
    return { text: tenantTable(views), json: views.map(tenantJson) };
  },
};

export const tenantSet: Command = {
  name: 'tenant set',
  summary: 'Changes a taxpayer or the certificate it signs with. What is not named stays as it is.',
  positionals: '<EDB>',
  options: { ...SETTINGS, ...CREDENTIAL_OPTIONS },
  async run(operator, given) {
    const edb = onePositional(given, 'EDB');
    await set(operator, edb, given);
    const tenant = await operator.tenants.find(edb);
    const certificate = await operator.credentials.describe(tenant.edb);
    const failing = (await operator.tenants.failing()).get(tenant.edb) ?? null;
    const isUncompared = (await operator.deliveryHold.uncompared()).includes(tenant.edb);
    const view = { tenant, certificate, failing, isUncompared };
    return { text: tenantTable([view]), json: tenantJson(view) };
  },
};

async function set(operator: Operator, edb: string, given: Arguments): Promise<void> {
  const changes = readChanges(given);
  const credential = await readCredential(given);
  if (Object.keys(changes).length === 0 && credential === null)
    throw new UsageError('Nothing to change: give at least one option.');
  if (credential === null) await operator.tenants.set(edb, changes);
  else await credential(operator, edb, changes);
}

function readChanges(given: Arguments): TenantChanges {
  const name = given.option('name');
  const environment = readEnvironmentValue(given.option('environment'));
  const outboundEnabled = readSwitchValue('outbound', given.option('outbound'));
  const eujpId = given.option('eujp-id');
  return {
    ...(name === null ? {} : { name }),
    ...(environment === null ? {} : { environment }),
    ...(outboundEnabled === null ? {} : { outboundEnabled }),
    ...(eujpId === null ? {} : { eujpId }),
    ...settingsWithDefault(given),
  };
}

function settingsWithDefault(
  given: Arguments,
): Pick<TenantChanges, 'reverseChargeRate' | 'foreignCurrency' | 'language'> {
  const reverseChargeRate = readReverseChargeRate('reverse-charge-rate', given.option('reverse-charge-rate'));
  const foreignCurrency = readYesValue('foreign-currency', given.option('foreign-currency'));
  const language = readLanguageValue('language', given.option('language'));
  return {
    ...(reverseChargeRate === null ? {} : { reverseChargeRate }),
    ...(foreignCurrency === null ? {} : { foreignCurrency }),
    ...(language === null ? {} : { language }),
  };
}
