import type { CodeLists } from './code-lists.ts';

type Validity = {
  readonly isActive?: boolean;
  readonly validDateFrom?: string | null;
  readonly validDateTo?: string | null;
};
type Coded = Validity & { readonly code: string };

export type TaxIndicator = Coded & {
  readonly note: string;
  readonly vatImpact: 'STANDARD' | 'NULA' | 'OSLOBODEN' | 'PRENESEN';
  readonly taxGroupCode: string;
};

export type DocumentType = Coded & {
  readonly name: string;
  readonly hasReference: boolean;
  readonly isReferenceMandatory: boolean;
};

/** The lists by service name, with the members of their entries that the checks use. */
type Entries = {
  readonly 'document-types': DocumentType;
  readonly 'document-statuses': Coded & { readonly name: string };
  readonly 'ref-document-types': Coded & { readonly name: string };
  readonly 'tax-groups': Coded & { readonly percent: number };
  readonly 'tax-indicators': TaxIndicator;
  readonly 'purchase-tax-indicators': Coded;
  readonly 'payment-types': Coded & { readonly description: string };
  readonly 'void-reasons': Coded & { readonly voidReason: string };
  readonly 'correction-reason': Coded & { readonly correctionReason: string };
  readonly 'reject-reason': Coded & { readonly rejectReason: string };
  readonly currency: Coded & { readonly name: string };
  readonly countries: Coded & { readonly name: string };
};

/** The entries of the code lists that are in force at one moment. */
export type ListsInForce = {
  /** A code may have several entries: one per tax group, or by a mistake in the authority's list. */
  readonly all: <Name extends keyof Entries>(list: Name, code: string) => readonly Entries[Name][];
  readonly find: <Name extends keyof Entries>(list: Name, code: string) => Entries[Name] | undefined;
};

/** The entries in force now; `on` gives those of another day. */
export type Catalogue = ListsInForce & { readonly on: (day: string) => ListsInForce };

export function createCatalogue(lists: CodeLists, now: () => Date): Catalogue {
  const byCode = new Map(
    [...lists.keys()].map((list) => [list, Map.groupBy(entriesOf(lists, list), ({ code }) => code)]),
  );
  const inForceAt = (moment: () => string): ListsInForce => {
    const all = <Name extends keyof Entries>(list: Name, code: string) => {
      const entries = byCode.get(list)?.get(code) ?? [];
      return entries.filter((entry) => isInForce(entry, moment())) as unknown as readonly Entries[Name][];
    };
    return { all, find: (list, code) => all(list, code)[0] };
  };
  return { ...inForceAt(() => now().toISOString()), on: (day) => inForceAt(() => day) };
}

/** All entries of a list, those not in force included. */
export function entriesOf(lists: CodeLists, list: string): readonly Coded[] {
  return (Object.values(lists.get(list) ?? {}).find(Array.isArray) ?? []) as readonly Coded[];
}

/** On a day, or at a date and time, both in ISO 8601. */
export function isInForce({ isActive = true, validDateFrom, validDateTo }: Validity, moment: string): boolean {
  const at = moment.length === 10 ? `${moment}T23:59:59` : moment;
  return isActive && isoOf(validDateFrom, '') <= at && at <= isoOf(validDateTo, '9999');
}

function isoOf(text: string | null | undefined, otherwise: string): string {
  return text?.replace(' ', 'T') ?? otherwise;
}
