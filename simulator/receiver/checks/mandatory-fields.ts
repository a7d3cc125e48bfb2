import type { Finding } from '../../authority-error.ts';
import { type SignedPayload, signedPayload } from './document-schema.ts';
import { validate } from './schema.ts';

/** The type of invoices to natural persons. */
export const NATURAL_PERSON_TYPE = '170';
export const HOME_COUNTRY = 'MK';
const POSTAL_CODE_LENGTH = 5;

/** Checks the schema, then the members that only some documents must have. */
export function checkStructure(payload: unknown): readonly Finding[] {
  const findings = validate(signedPayload, payload);
  return findings.length > 0 ? findings : checkMandatoryForType(payload as SignedPayload);
}

function checkMandatoryForType({ document, voidReason, correctionReason }: SignedPayload): readonly Finding[] {
  const { header, docItems, vatTotals } = document;
  const missing = [
    docItems.length === 0 ? 'document.docItems' : null,
    vatTotals.length === 0 ? 'document.vatTotals' : null,
    header.docStorno === 1 && !voidReason ? 'voidReason' : null,
    header.docStorno === 2 && !correctionReason ? 'correctionReason' : null,
    ...missingInBuyerAddress(document),
  ].filter((path) => path !== null);
  return [
    ...missing.map((path) => ({ code: 'E4019', message: `${path} is required`, parameter: path })),
    ...checkPostalCode(document),
  ];
}

function missingInBuyerAddress({ header, buyer }: SignedPayload['document']): readonly string[] {
  if (header.docType === NATURAL_PERSON_TYPE) return [];
  const members = ['streetAddress', 'streetNumber', 'postalCode', 'city'] as const;
  return members
    .filter((member) => !buyer.buyerAddress?.[member])
    .map((member) => `document.buyer.buyerAddress.${member}`);
}

/** The published maximum length is for domestic addresses; foreign postal codes may be longer. */
function checkPostalCode({ buyer }: SignedPayload['document']): readonly Finding[] {
  const code = buyer.buyerAddress?.postalCode ?? '';
  if (buyer.buyerCCode !== HOME_COUNTRY || code.length <= POSTAL_CODE_LENGTH) return [];
  const parameter = 'document.buyer.buyerAddress.postalCode';
  return [{ code: 'E4013', message: `${parameter} must be a text of at most 5 characters`, parameter }];
}
