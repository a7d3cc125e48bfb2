import type { ReadCachedCodeList } from '../../../application/code-lists/cached-code-list.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';
import type { CodeListEntry, CodeListType } from '../../../domain/values/code-list.ts';
import type { ServedLists } from '../conversion/conversion-context.ts';

/** The code lists that a conversion needs. */
const LISTS = {
  documentTypes: 'document-types',
  referenceTypes: 'reference-document-types',
  taxGroups: 'tax-groups',
  taxIndicators: 'tax-indicators',
  paymentTypes: 'payment-types',
  correctionReasons: 'correction-reasons',
  currencies: 'currencies',
  countries: 'countries',
} as const satisfies Readonly<Record<Exclude<keyof ServedLists, 'allowedIndicators'>, CodeListType>>;

/** The code lists with the details that a conversion needs beside code and name. The allowed indicators are queried apart. */
export async function conversionLists(
  lists: ReadCachedCodeList,
  tenant: Tenant,
): Promise<Omit<ServedLists, 'allowedIndicators'>> {
  const entries = async (name: keyof typeof LISTS) => (await lists(tenant, LISTS[name])).entries;
  return {
    documentTypes: (await entries('documentTypes')).map((entry) => ({
      ...entry,
      hasReference: flag(entry, 'hasReference'),
      isReferenceMandatory: flag(entry, 'isReferenceMandatory'),
    })),
    taxGroups: (await entries('taxGroups')).map((entry) => ({ ...entry, percent: Number(entry.details['percent']) })),
    taxIndicators: (await entries('taxIndicators')).map((entry) => ({
      ...entry,
      note: text(entry, 'note') ?? '',
      vatImpact: text(entry, 'vatImpact'),
      taxGroupCode: text(entry, 'taxGroupCode') ?? '',
    })),
    referenceTypes: await entries('referenceTypes'),
    paymentTypes: await entries('paymentTypes'),
    correctionReasons: await entries('correctionReasons'),
    currencies: await entries('currencies'),
    countries: await entries('countries'),
  };
}

function flag({ details }: CodeListEntry, name: string): boolean | null {
  const value = details[name];
  return typeof value === 'boolean' ? value : null;
}

function text({ details }: CodeListEntry, name: string): string | null {
  const value = details[name];
  return typeof value === 'string' ? value : null;
}
