import type { Tenant } from '../../../domain/accounts/tenant.ts';
import type { ConversionWarning } from '../../../domain/documents/conversion-warning.ts';
import type { Sentence } from '../../../domain/messages/message.ts';
import type { FailureCode } from '../../errors/failure-catalogue.ts';
import type { FindEarlier } from '../authority.ts';
import type { SerialisedContent } from '../document-reader.ts';

/** What the authority would register, by names that need no knowledge of its form. Dates are `YYYY-MM-DD`. */
export type DocumentPreview = {
  readonly type: { readonly code: string; readonly name: string };
  readonly isCorrection: boolean;
  readonly number: string;
  readonly date: string;
  readonly supplyDate: string;
  readonly deliveryDate: string | null;
  readonly seller: PreviewedParty;
  readonly buyer: PreviewedParty;
  readonly payment: PreviewedPayment;
  readonly references: readonly { readonly type: string; readonly number: string; readonly date: string }[];
  /** How many lines there are; of very many the first are shown. */
  readonly lineCount: number;
  readonly lines: readonly PreviewedLine[];
  readonly vat: readonly PreviewedVat[];
  readonly totals: PreviewedTotals;
};

export type PreviewedParty = {
  readonly name: string;
  readonly taxNumber: string | null;
  readonly vatNumber: string | null;
  readonly country: string;
  readonly address: string;
};

export type PreviewedPayment = {
  readonly type: { readonly code: string; readonly name: string };
  readonly dueDate: string | null;
  readonly currency: string;
  /** Denars for one unit of the currency. */
  readonly exchangeRate: number;
};

export type PreviewedLine = {
  readonly number: number;
  readonly description: string;
  readonly quantity: number;
  readonly unit: string;
  readonly unitPrice: number;
  readonly net: number;
  readonly vatIndicator: string;
  readonly vatRate: number;
  readonly vat: number;
  readonly gross: number;
};

export type PreviewedVat = {
  readonly indicator: string;
  readonly note: string;
  readonly rate: number;
  readonly taxable: number;
  readonly vat: number;
  readonly gross: number;
};

export type PreviewedTotals = {
  readonly net: number;
  readonly discount: number;
  readonly netAfterDiscount: number;
  readonly vat: number;
  readonly gross: number;
  readonly grossRounded: number;
  readonly prepaid: number;
  readonly payable: number;
};

/** What would become of a document that is accepted. */
export type DryRunResult = {
  /** The first is the one that the document would fail with. */
  readonly failures: readonly { readonly failureCode: FailureCode; readonly sentence: Sentence }[];
  readonly warnings: readonly ConversionWarning[];
  /** Null where it would fail. */
  readonly preview: DocumentPreview | null;
};

/**
 * Converts a document as delivery does and keeps nothing of it. What has to be looked up at the authority is asked for after everything
 * else of the user, and not for long: an AuthorityCallError says that it could not be.
 */
export type DryRun = (
  tenant: Tenant,
  content: SerialisedContent,
  findEarlier: FindEarlier,
  refusedOn: ReadonlySet<string>,
) => Promise<DryRunResult>;
