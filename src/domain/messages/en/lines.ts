/** Why a document cannot be sent: its lines, VAT and totals. */
export const LINES = {
  'line-numbered': 'Line “{number}”',
  'line-named': 'Line “{number}” (“{item}”)',
  'not-a-number': '“{value}” is not a number; correct it',
  'too-many-digits': 'The number {number} has more than 15 digits and cannot be sent exactly; round it',
  'lines-missing': 'The document has no line with a quantity; state one',
  'quantity-missing': 'The quantity of the line is missing; state it',
  'quantity-zero-with-amount': 'The line has the amount {amount} but the quantity 0; correct the one that is wrong',
  'quantity-negative-on-note':
    'The quantity is negative ({quantity}), but a credit or debit note takes positive quantities only; if those of all lines are negative, state quantities and amounts without the sign, else leave this line out and issue a document of its own for it',
  'price-missing': 'The price of the line is missing; state it',
  'price-negative':
    'The price is negative ({price}), which the authority does not accept; state it without the sign, and the quantity with the opposite one; if the total of the document is negative, issue a credit note instead',
  'price-negative-on-note':
    'The price is negative ({price}), but a credit or debit note takes positive prices and quantities only; if those of all lines are negative, state prices and amounts without the sign, else leave this line out and issue a document of its own for it',
  'price-base-unit':
    'The price is for the unit “{priceUnit}”, the quantity is in “{quantityUnit}”; state both in the same unit',
  'price-base-not-positive': 'The base quantity of the price is not above 0 ({quantity}); correct it',
  'discounts-exceed-price':
    'The discounts of the line exceed its price, so that {amount} is left for the quantity {quantity}; correct them',
  'item-name-missing': 'The name of the item is missing; state it',
  'unit-amounts-too-long':
    'The unit amounts that times the quantity {quantity} give {amount} have more than 15 digits and cannot be sent exactly; round quantity or amount',
  'line-figure-too-long':
    'The amount {amount} and its VAT lead to {number}, which has more than 15 digits; divide it into several lines',
  'amount-missing': 'The amount is missing; state it',
  'allowance-without-lines':
    'There is no line of the tax category of this allowance to reduce; correct the category, or state what was paid in advance as cbc:PrepaidAmount',
  'allowance-of-returns':
    'All lines of the tax category of this allowance have negative quantities, so that there is none to reduce; state it as allowance of these lines',
  'allowance-without-indicator':
    'There is no line of the tax indicator “{indicator}” for this allowance to reduce; correct the indicator of the allowance or of the lines',
  'allowance-exceeds-lines':
    'The allowance of {allowance} exceeds what is left of the lines that it would reduce: {lines}; correct the one that is wrong',
  'allowance-category-missing':
    'The tax category is missing, and the lines have different ones; state it for this allowance or charge',

  'vat-category-missing': 'The line has no VAT category; state it',
  'vat-category-of-other-tax':
    'The tax category of the line is one of the tax “{tax}”, not of VAT; if VAT is meant, state “VAT” as its tax scheme, else state the VAT category as well',
  'vat-category-several': 'There is more than one VAT category where the authority takes one; state only one',
  'tax-category-missing': 'The tax category is missing; state it',
  'tax-not-vat':
    "The document charges the tax “{tax}”, but the authority's document takes VAT only; if it is VAT, state “VAT” as its tax scheme, else include it in the price",
  'reasons-several': 'The subtotals state several exemption reasons ({reasons}); state the one of this line',
  'reason-without-counterpart':
    'The exemption reason “{reason}” has no certain counterpart at the authority; state one of its tax indicators instead ({indicators})',
  'indicators-listed': 'see the code list {list}',
  'indicators-and-more': '{codes} and {count} more in the code list {list}',
  'indicators-several':
    'The subtotals of category “{category}” state several tax indicators ({codes}); state the one of this line',
  'note-of-several':
    'The exemption reason of category “{category}” is the note of several tax indicators ({codes}); state the one that is meant in cbc:TaxExemptionReasonCode',
  'indicator-look-alike':
    "“{written}” only looks like the authority's tax indicator “{served}”, which {difference}; copy the code from the code list {list}",
  'ends-after': 'ends after {count|character|characters}',
  'differs-at': 'has {served} as character {position}, not {written}',
  'letter-cyrillic': 'Cyrillic {letter}',
  'letter-latin': 'Latin {letter}',
  'letter-none': 'nothing',
  'indicator-unknown': 'The authority has no tax indicator “{code}”; state one of the code list {list}',
  'indicator-not-in-force':
    'The tax indicator “{code}” is not in force on {date}; state one of the code list {list} that is',
  'indicator-not-allowed':
    'The tax indicator “{code}” is not allowed on documents of type {type}; state one that is allowed, or another type',
  'indicator-unexplained':
    "The authority's lists do not say how the tax indicator “{code}” is taxed on {date}; the operator must ask the authority",
  'category-at-rate-without-counterpart':
    "Tax category “{category}” {rate} has no counterpart at the authority; state “S” if the supply is an ordinary taxed one, else one of the authority's tax indicators in cbc:TaxExemptionReasonCode",
  'category-without-counterpart':
    'Tax category “{category}” {rate} has no counterpart at the authority; state one of its tax indicators in cbc:TaxExemptionReasonCode',
  'untaxed-category-without-counterpart':
    'Tax category “{category}” {rate} has no counterpart at the authority; state why the supply is not taxed, as one of its tax indicators in cbc:TaxExemptionReasonCode ({indicators})',
  'category-and-rate-without-counterpart':
    "Neither tax category “{category}” nor a VAT rate of {percent} % has a counterpart at the authority; correct the rate ({rates}), and the category or state one of the authority's tax indicators in cbc:TaxExemptionReasonCode",
  'category-of-unregistered':
    "Tax category “{category}” has a counterpart at the authority only for sellers who are not registered for VAT, but the taxpayer is; state why the supply is not taxable here, as one of the authority's tax indicators in cbc:TaxExemptionReasonCode ({indicators})",
  'rate-unserved': 'The authority has no VAT rate of {percent} %, but {rates}; correct the rate',
  'rate-of-category-missing': 'Tax category “{category}” has no rate; state one of {rates}',
  'at-rate': 'at {percent} %',
  'without-rate': 'without a rate',
  'rate-unfit': 'The rate {percent} % does not fit the tax indicator “{code}” ({rates}); correct the one that is wrong',
  'rate-ambiguous': 'The tax indicator “{code}” is used with {rates}; state the rate',
  'one-or-other': '{one} or {other}',

  'currency-missing': 'The currency of the document is missing; state it',
  'currency-unlisted': "The currency “{code}” is not in the authority's list; state one of the code list {list}",
  'amount-in-other-currency': 'The amount is in “{currency}”, while the document is in {documentCurrency}; correct it',
  'rate-of-other-day':
    "The authority serves the exchange rate of {currency} on {date}, not on the document's date {documentDate}; state the rate",
  'rate-unknown': 'The exchange rate of {currency} is neither stated nor known at the authority; state it',
  'rate-unreadable':
    'The exchange rate “{found}” cannot be read; state how many denars one {currency} is, from {currency} into {denar}, to be multiplied',
  'rates-several':
    'The document states several exchange rates, “{one}” and “{other}”, while the authority takes one; state only that one',
  'rate-unconfirmed':
    'The exchange rate “{found}” is stated in units for one denar, and the authority serves no rate that would confirm this; state how many denars one {currency} is, from {currency} into {denar}, to be multiplied',
  'rate-reversed':
    'The exchange rate “{found}” makes one {currency} {rate} denars, and the National Bank has {official}; correct number, direction or operator: the rate is best stated for one {currency}, from {currency} into {denar}, to be multiplied',
  'vat-in-denars-differs':
    'As its VAT in denars the document states {stated}, but {vat} {currency} at the rate {rate} are {computed}; correct the figure that is wrong',
  'taxable-in-denars-differs':
    'As taxable amount in denars of the tax category “{category}” {percent} the document states {stated}, but {amount} {currency} at the exchange rate {rate} are {computed}; correct the figure that is wrong',
  'payable-in-denars-differs':
    'As its amount to pay in denars the document states {stated}, but {amount} {currency} at the exchange rate {rate} are {computed}; correct the figure that is wrong',
  'prepaid-negative': 'The prepaid amount is negative ({amount}); correct it',
  'prepaid-exceeds-total':
    'The prepaid amount exceeds the document total: {prepaid} of {total}; correct the one that is wrong, or state only as much of it as this document uses up',
  'total-negative': 'The document total is negative ({total}); issue a credit note instead',

  'line-amount-differs':
    'The line states {stated}, but its quantity, price, allowances and charges give {computed}; correct the figure that is wrong',
  'lines-total-differs':
    'As the sum of its lines the document states {stated}, but the lines add up to {computed}; correct the figure that is wrong',
  'net-total-differs':
    'As its total without VAT the document states {stated}, but its lines, allowances and charges add up to {computed}; correct the figure that is wrong',
  'gross-total-differs':
    'As its total with VAT the document states {stated}, but its lines, allowances and charges with their VAT add up to {computed}; correct the figure that is wrong',
  'gross-total-rounded':
    'As its total with VAT the document states {stated}, which is {computed} rounded to whole denars; state it as {computed}, and the rounding of {rounding} as cbc:PayableRoundingAmount',
  'vat-total-differs':
    'As its VAT the document states {stated}, but the VAT of its tax categories adds up to {computed}; correct the figure that is wrong',
  'rounding-differs':
    'As rounding the document states {stated}, but rounding the total, before the prepaid amount, to whole denars gives {computed}; correct the rounding',
  'rounding-differs-in-currency':
    'As rounding the document states {stated}, but amounts in {currency} are rounded by {computed}; correct the rounding',
  'payable-differs':
    'As the amount to pay the document states {stated}, but by total, prepaid amount and rounding it is {computed}; correct the figure that is wrong',
  'payable-rounding-missing':
    'As the amount to pay the document states {stated}, which follows from the total rounded to whole denars, but not the rounding; state {rounding} as cbc:PayableRoundingAmount',
  'taxable-of-category-differs':
    'As taxable amount of the tax category “{category}” {rate} the document states {stated}, but the lines, allowances and charges of this tax category add up to {computed}; correct the figure that is wrong',
  'vat-of-category-differs':
    'As VAT of the tax category “{category}” {rate} the document states {stated}, but the VAT of the lines, allowances and charges of this tax category is {computed}; correct the figure that is wrong',
  'vat-of-reverse-charge-differs':
    'As VAT of the tax category “{category}” {rate} the document states {stated}, but it is {computed}: lines with the tax indicator {indicators} are a reverse charge, whose VAT the buyer owes and the document does not charge; correct the figure, or the tax category or indicator of the lines',
  'total-of-reverse-charge-differs':
    '{total} the document states {stated}, but it is {computed}: lines with the tax indicator {indicators} are a reverse charge, whose VAT the buyer owes and the document does not charge; correct the figure, or the tax category or indicator of the lines',
  'as-vat': 'As its VAT',
  'as-gross-total': 'As its total with VAT',
  'as-payable': 'As the amount to pay',
  'taxable-of-indicator-differs':
    'As taxable amount of the tax indicator “{indicator}” (tax category “{category}” {rate}) the document states {stated}, but the lines, allowances and charges with this indicator add up to {computed}; correct the figure that is wrong, or the indicators of the lines',
  'vat-of-indicator-differs':
    'As VAT of the tax indicator “{indicator}” (tax category “{category}” {rate}) the document states {stated}, but the VAT of the lines, allowances and charges with this indicator is {computed}; correct the figure that is wrong, or the indicators of the lines',
  'category-without-lines':
    'The document states VAT of {vat} for the tax category “{category}” {rate}, but no line has it; correct the category of the lines or of the subtotal',
  'category-with-base-without-lines':
    'The document states {taxable} and VAT of {vat} for the tax category “{category}” {rate}, but no line has it; correct the category of the lines or of the subtotal',
  'vat-of-no-line':
    'The lines of the tax category “{category}” {rate} have VAT of {vat} together, but none by themselves; join them in fewer lines',
} as const;
