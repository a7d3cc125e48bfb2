import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import {
  compare,
  type Decimal,
  formatShortest,
  isZero,
  parseDecimal,
  ZERO,
} from '../../../../domain/values/decimal.ts';
import type { TaxIndicator } from '../conversion-context.ts';
import { notExpressible, quoted } from '../conversion-failure.ts';
import { inForce } from '../served-code.ts';
import { decimalAt } from '../totals/money.ts';
import { taxIndicator, type VatRules } from './vat-indicator.ts';

const IMPACTS = ['STANDARD', 'NULA', 'OSLOBODEN', 'PRENESEN'] as const;
/** Taxed; zero with zero shown; exempt; charged to the buyer, shown in the VAT row alone. */
export type VatImpact = (typeof IMPACTS)[number];

export type VatTreatment = {
  readonly indicator: string;
  readonly note: string;
  readonly group: string;
  /** The percentage that the document shows. */
  readonly rate: Decimal;
  readonly impact: VatImpact;
};

/** Resolves tax categories, each distinct one once. */
export function createVatResolver(rules: VatRules): (category: TaxCategory) => VatTreatment {
  const known = new Map<string, VatTreatment>();
  return (category) => {
    const key = JSON.stringify([category.id, category.percent, category.exemptionReasonCode]);
    const treatment = known.get(key) ?? resolve(category, rules);
    known.set(key, treatment);
    return treatment;
  };
}

function resolve(category: TaxCategory, rules: VatRules): VatTreatment {
  const code = taxIndicator(category, rules);
  const place = `${category.path}/cbc:TaxExemptionReasonCode`;
  const current = inForce(
    rules.indicators,
    rules.docDate,
    'code and group',
    (entry) => `${entry.code} ${entry.taxGroupCode}`,
  );
  const candidates = current.filter((entry) => entry.code === code);
  if (candidates.length === 0) {
    notExpressible(`The tax indicator ${quoted(code)} is not in force on ${rules.docDate}`, place);
  }
  if (rules.allowed !== null && !rules.allowed.has(code)) {
    notExpressible(`The tax indicator ${quoted(code)} is not allowed on documents of type ${rules.docType}`, place);
  }
  return fitting(
    category,
    candidates.map((entry) => treatment(entry, rules, place)),
  );
}

function treatment(indicator: TaxIndicator, { groups, docDate }: VatRules, place: string): VatTreatment {
  const impact = IMPACTS.find((known) => known === indicator.vatImpact);
  const group = inForce(groups, docDate).find(({ code }) => code === indicator.taxGroupCode);
  const percent = group === undefined ? null : parseDecimal(String(group.percent));
  if (impact === undefined || group === undefined || percent === null) {
    const sentence = `The authority's lists do not say how the tax indicator ${quoted(indicator.code)} is taxed on ${docDate}`;
    notExpressible(sentence, place);
  }
  const isRated = impact === 'STANDARD' || impact === 'PRENESEN';
  const rate = isRated ? percent : ZERO;
  return { indicator: indicator.code, note: indicator.note, group: group.code, rate, impact };
}

/** The treatment whose rate the document states. Under reverse charge UBL states no rate or zero: the group's rate holds. */
function fitting(category: TaxCategory, treatments: readonly VatTreatment[]): VatTreatment {
  const stated = category.percent === null ? null : decimalAt(category.percent, `${category.path}/cbc:Percent`);
  const fits = treatments.filter(
    ({ rate, impact }) => stated === null || compare(stated, rate) === 0 || (impact === 'PRENESEN' && isZero(stated)),
  );
  const [treatment, another] = fits;
  const rates = treatments.map(({ rate }) => `${formatShortest(rate)} %`).join(' or ');
  const place = `${category.path}/cbc:Percent`;
  const code = quoted(treatments[0]?.indicator ?? '');
  if (treatment === undefined)
    notExpressible(`The rate ${category.percent} % does not fit the tax indicator ${code} (${rates})`, place);
  if (another !== undefined) notExpressible(`The tax indicator ${code} goes with ${rates}; state the rate`, place);
  return treatment;
}
