import {
  exemptionTable,
  indicatorTable,
  lengthTable,
  paymentTable,
  referenceTable,
  table,
  typeTable,
  unitTable,
} from './code-tables.ts';
import { defaultTable, directiveTables } from './directives-and-defaults.ts';
import { elementTables } from './element-tables.ts';
import { OTHER_MEMBERS } from './members.ts';

/** `docs/guides/conversion.md`: the tables are those that the program converts by. */
export function conversionPage(): string {
  return `# From UBL to the authority's form

What becomes of an invoice or credit note on its way to the authority: how to state what UBL has no element for, what is taken for what is not stated, which
codes stand for which, and at the end [every element](#every-element). The [dry run](first-invoice.md#2-dry-run) shows the result for a document of yours. This
page is made from the code by \`npm run docs\`.

Commercial facts come from the document. Names, VAT numbers and addresses of domestic parties come from the taxpayers' register, because the authority
compares them letter for letter. What cannot be sent, or contradicts itself, ends the document in 55 with a sentence that names the place; what is left out, shortened or assumed
is a [warning](../delivery.md#warnings).

## Directives

Values for the authority that UBL has no element for. A reference or note that begins with \`UJP:\` and is none of these is left out with \`DIRECTIVE-UNKNOWN\`.

${directiveTables()}
A VAT indicator is stated as \`TaxExemptionReasonCode\`, on the line or in the subtotal of its category: see [VAT](#vat). A code of the customs tariff is an
\`ItemClassificationCode\` with \`listID="HS"\`.

## Defaults

${defaultTable()}

## Document types

${typeTable()}

Types must be in force at the authority on the date of the document. Self-billed and pro-forma documents (389, 261, 325) are 55.

## Parties

The supplier must be the taxpayer of the key (\`SUPPLIER-MISMATCH\`). A tax number is looked for in \`PartyTaxScheme/CompanyID\`, \`PartyLegalEntity/CompanyID\`,
\`PartyIdentification/ID\` and \`EndpointID\`, in this order: in North Macedonia the first that is an EDB and not by its scheme a location number (GLN), abroad the first that is a VAT number, by its tax scheme or by its own (such as 9930), else the first that is there, but for \`EndpointID\` and for what is no tax number by its scheme (GLN, DUNS). A domestic buyer without one is a natural person (a warning says so).
So is one whose 13 digits are formed like a personal number (ЕМБГ), unless it states an EDB beside it or the authority has a company of that number; the personal number is not sent. Type 170 alone is
known to do without the buyer's tax number: credit and debit notes to natural persons are sent with a warning.

## VAT

${indicatorTable()}

${exemptionTable()}

The code of the line counts first, then the European reason of an exempt line, then the code of the subtotals of its category, if all of them have the same one. Lines without a code beside a subtotal
without one have the default of the first table. The note of an indicator counts as its code.

## Payment

${paymentTable()}

The first means of payment counts. Where several days are stated on which payment is due, the first is sent: \`PaymentMeans\`, then \`DueDate\`, then \`PaymentTerms\`.

## Units

${unitTable()}

## References

${referenceTable()}

Where the authority does not serve a type, the one for other documents is taken. Order, contract and public procurement references are sent on every type; others only on types for which
the authority's list has \`hasReference\`. A reference without a date, dated after the document, with too long a number or with that of another of its kind is left out with a warning. An earlier document is looked for among those delivered before, then in the
authority's register. A refusal that is about references alone ends no document that has optional ones: it is sent again without them, with a warning: after E50073 (a date) without those of the document's own
day, after any other, or once more, without all of them. When a document passes so after E1021, and none of its references named a registered document, references are left out of its type for seven days; the operator sees that
and can end it (\`dostava references\`).

## Lines and amounts

Amounts are those of the document, to the cent: a line is registered with its \`LineExtensionAmount\`, a VAT category with its \`TaxAmount\`, and net, VAT and gross are the stated ones. Where they do not follow from
each other as in EN 16931 the document ends in 55 (\`TOTALS-MISMATCH\`), and the message names the line and both figures. VAT that was rounded line by line (that of discounts included), or is what totals with VAT leave over their rounded net, is accepted, and so is a line that is at
most two cents off its quantity, price and discounts, and no more than it is worth, with \`UNIT-PRICE-ROUNDED\`. The authority rounds the total
to whole denars: state that as \`PayableRoundingAmount\`; without it the amount to pay is registered rounded, with \`PAYABLE-ROUNDED\` ([details](../decisions/0020-amounts.md)).

Discounts of the whole document are divided over the lines with the same VAT treatment, in whole cents (\`docItemUnitDiscountAmount\`, \`docDiscountAmount\`); where a category has several tax indicators, as a code in the
discount or the subtotals say; charges become an item of their own, which is reduced where the lines are worth less than the discounts. A line with the quantity 0 is left out
with a warning. A delivery date after the document is left out; a supply after it is 55: a tax point, or a delivery where no tax point is stated.

A document in another currency than MKD is sent only if the operator has confirmed for the taxpayer that the authority takes it ([operating.md](../operating.md)). An exchange rate that is not stated is the National Bank's on the document's date; if
the authority serves that of another day, the document ends in 55. A stated one (\`PaymentExchangeRate\`, \`TaxExchangeRate\`, \`PricingExchangeRate\`, \`PaymentAlternativeExchangeRate\` between the document's currency and MKD) is read as UBL defines it, in either
direction and with either operator; 55 where it cannot be read, where several differ, where it is stated in units for one denar and the National Bank's rate does not confirm that, or where it is far from that rate and at most 1 denar, above 1,000, or of a currency that banks list for a hundred units (JPY, HUF, ISK, RSD, …). The VAT in denars (the \`TaxTotal\` in MKD of a document in another
currency, BT-111) must follow from VAT, as stated or of the lines at their rates, and exchange rate. So must taxable amounts and \`PayableAlternativeAmount\` in MKD from a stated rate.

## Lengths

Texts that are too long are shortened with a warning. What would say something else when it is cut is left out with a warning (e-mail, contact, item code, tariff code, code of the delivery location)
or 55 (number of the document, tax number, domestic postal code that is not in the register).

${lengthTable()}

## Members that no element gives

${table(
  ['Member', 'Value'],
  Object.entries(OTHER_MEMBERS).map(([members, value]) => [`\`${members}\``, value]),
)}

## Every element

By the element it stands in. Elements that are not here are left out with \`ELEMENT-LEFT-OUT\`, and so is what a \`Delivery\` beyond the first has (\`DELIVERY-LEFT-OUT\`).

${elementTables()}`;
}
