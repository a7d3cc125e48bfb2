/** What was left out, shortened or assumed when a document was converted. */
export const WARNINGS = {
  'more-warnings': 'Warnings beyond those shown: {count}',
  'directive-unknown': '“{text}” is no directive that is known here, and was left out',
  'directive-unused': '“{text}” does not count beside another value, and was left out',
  'correction-reason-unused':
    '“{text}” was left out: only of a correction ({type}) a reason is registered, and the document is none, so that it does not replace an earlier one',
  'delivery-date-left-out':
    "The delivery on {date} is after the document's date ({documentDate}), which the authority refuses, and was left out",
  'delivery-terms-left-out': 'The terms of delivery were left out: their member holds the place of delivery',
  'period-left-out': 'The period ends on {end}, before it begins on {start}, and was left out',
  'due-dates-left-out': 'The document is due on several days; {sent} was sent, not {others}',
  'payment-means-left-out': 'The document states several means of payment; only the first was sent',
  'payment-periods-left-out': 'The document states several payment periods; only the first was sent',
  'discount-period-left-out':
    'The period within which a discount is offered has no member and was left out; state it in the note of the payment terms',
  'payment-period-left-out': 'The payment period is not a whole number of days (unit DAY) and was left out',
  'payment-type-assumed': 'The document states no means of payment; {code} ({name}) was assumed',
  'payment-type-taken':
    'The means of payment “{means}” has no type of its own at the authority; {code} ({name}) was taken',
  'exchange-rate-assumed':
    "The document states no exchange rate between {currency} and {denar}; that of the National Bank on the document's date was taken",
  'exchange-rate-date-assumed': "The exchange rate has no date; the document's date was taken",
  'allowance-total-differs':
    'As the sum of its allowances the document states {stated}, but they add up to {computed}; the latter was registered',
  'charge-total-differs':
    'As the sum of its charges the document states {stated}, but they add up to {computed}; the latter was registered',
  'prepaid-total-differs':
    'As its prepaid amount the document states {stated}, but its prepayments add up to {computed}; the former was registered',
  'prepaid-amounts-left-out': 'There are several prepayments; only one amount for all of them, {sent}, was sent',
  'prepaid-dates-left-out': 'The prepayments were received on several days; only the last, {sent}, was sent',
  'prepayments-left-out':
    'By its totals nothing of the document is prepaid: the numbers and dates of its prepayments were left out; if something is prepaid, state the amount',
  'list-price-differs':
    'As the price before its discount the line states {stated}, but by its price and discount it is {computed}; the latter was taken',
  'payable-rounded':
    'The document states {stated} to pay, and {registered} is registered, because the authority rounds the total of {total} to whole denars',

  'party-not-registered':
    "The {party} is not in the authority's registry: name and address are taken from the document",
  'person-assumed': 'The buyer has no tax number and was taken as a natural person',
  'buyer-number-missing':
    "The authority may reject a document of type {type} without the buyer's tax number: only type {personType} is known to need none",
  'endpoint-left-out':
    'The buyer states an electronic address and no tax number: the address was left out; if the buyer has a tax number, state it in {element}',
  'other-tax-number-left-out':
    'The number of the buyer, “{number}”, is of the tax “{scheme}”, not a VAT number, and was left out; if it is its tax number, state it in {element} with the scheme “VAT”',
  'trade-number-left-out':
    'The number of the buyer, “{number}”, is by its scheme “{scheme}” no tax number, and was left out; if the buyer has a tax number, state it in {element}',
  'personal-number-left-out': "The buyer's number is the personal number of a natural person and was left out",
  'vat-number-left-out':
    'The taxpayer {taxpayer} is not registered for VAT at the authority: its VAT number was left out',
  'address-lines-left-out': 'The further lines of the address of the {party} were left out',
  'house-number-assumed': 'The address of the {party} has no house number; “{sent}” (without number) was sent',
  'house-number-moved':
    'The house number in the address of the {party} is too long for its member and was sent behind the street',
  'postal-code-assumed': 'The address of the {party} has no postal code; “{sent}” was sent',
  'postal-code-moved':
    'The postal code in the address of the {party} is longer than the authority allows and was appended to the city',

  'reference-left-out': 'The reference was left out: {reason}',
  'references-refused': 'the authority refused references on documents of type {type}',
  'refused-for-references': 'the authority refused the document because of its references',
  'refused-for-same-day-reference':
    "the authority refused the document with a reference of the document's own day ({date})",
  'reference-not-taken': 'a document of type {type} takes no reference of this kind',
  'reference-without-number': 'it has no number',
  'reference-number-too-long': 'its number has {length|character|characters}, more than {limit}',
  'reference-without-date': 'it has no date',
  'reference-number-twice':
    'another reference of its kind has the same number with the date {date}, and the authority refuses a number that is named twice',
  'reference-later': 'it is dated {date}, after the document ({documentDate})',
  'reference-type-unserved': "the authority's list has no reference type for it",
  'reference-not-registered':
    'The earlier invoice “{number}” is not known to be registered and was named as another document',

  'line-left-out': 'The line has the quantity 0 and was left out',
  'quantity-negative': 'The quantity is negative, which the authority may reject',
  'unit-assumed': 'The line states no unit; “{sent}” (pieces) was sent',
  'item-code-left-out': "The standard code of the item was left out: its member holds the seller's code",
  'item-description-left-out': 'The description of the item was left out: its member holds the name',
  'unit-price-rounded':
    'The price does not give the amount of the line to the cent, so the unit price that does is sent; lines of this kind: {count}',
  'indicator-unlisted':
    "The tax indicator “{code}” is not in the authority's list for documents of type {type}, and was sent all the same",
  'seller-registered':
    'The tax indicator “{code}” is that of sellers who are not registered for VAT, but the taxpayer is; it was sent as stated',
  'exemption-assumed': 'The supply is exempt for no stated reason; {code} (exempt without credit) was assumed',
  'exemption-of-text-assumed':
    'The supply is exempt for the reason “{text}”, which is no code and not the note of exactly one tax indicator; {code} (exempt without credit) was assumed',
  'exemption-reason-unfit':
    'The exemption reason “{reason}” does not fit the tax category “{category}” {rate}, which is registered with the tax indicator {indicators}, and was left out',
  'reverse-charge-rate-assumed':
    'The reverse charge states no rate; {percent} % ({code}) was assumed, as set for the taxpayer',

  'no-member': "Left out, because the authority's form has no member for it: {what}",
  'no-member-in-places':
    "Left out in {count|place|places}, because the authority's form has no member for it: {what} (also {others})",
  'further-periods': 'periods beyond the first',
  'period-details': 'times and codes of the period',
  'line-periods': 'periods and dates of single lines',
  'further-deliveries': 'deliveries beyond the first',
  'delivery-details': 'details of the delivery',
  'line-deliveries': 'deliveries of single lines',
  payee: 'the payee',
  'tax-representative': "the seller's tax representative",
  'other-parties': 'further parties',
  'party-details': 'details of a party',
  'buyer-address-details': "details of the buyer's address",
  accounts: 'bank accounts, cards and mandates',
  'buyer-reference': "the buyer's reference",
  'accounting-cost': "the buyer's accounting reference",
  project: 'the project',
  'sales-order': "the seller's number of the order",
  'reference-details': 'details of a reference',
  'line-references': 'references of single lines',
  attachments: 'attachments',
  'line-notes': 'notes of single lines',
  discrepancy: 'the reason of the credit note',
  'item-details': 'properties, classifications and other details of items',
  'allowance-details': 'reasons and calculation of allowances and charges',
  'payment-details': 'details of the payment',
  'exchange-rate': 'the exchange rate “{found}”',
  'price-details': 'details of prices',
  'tax-details': 'details of taxes',
  'withholding-tax': 'tax withheld by the buyer',
  'sub-lines': 'lines within lines',
  extensions: 'extensions of UBL',
  'other-elements': 'an element that no other warning speaks of',

  'text-shortened': 'The {what} has {length|character|characters} and was shortened to {limit}',
  'text-left-out': 'The {what} has {length|character|characters}, more than {limit}, and was left out',
  'text-notes': 'text of the notes',
  'text-delivery': 'text of the delivery',
  'text-payment-terms': 'text of the payment terms',
  'text-payment-note': 'payment note',
  'text-interest': 'interest',
  'text-discount': 'discount',
  'text-correction-comment': 'comment on the correction',
  'text-party-name': 'name of the {party}',
  'text-email': 'e-mail address of the {party}',
  'text-contact': 'contact of the {party}',
  'text-street': 'street of the {party}',
  'text-city': 'city of the {party}',
  'text-location-code': 'identifier of the delivery location',
  'text-location-name': 'name of the delivery location',
  'text-location-address': 'address of the delivery location',
  'text-item-name': 'name of the item',
  'text-item-code': 'code of the item',
  'text-charge-reason': 'reason of the charge',
  'text-prepayments': 'list of the prepayments',
  'text-tariff-code': 'tariff code of the item',
  'text-unit': 'unit of the line',
} as const;
