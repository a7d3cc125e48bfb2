import type { ConversionWarning } from '../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent, PaymentMeans } from '../../../domain/documents/invoice-content.ts';
import { message } from '../../../domain/messages/message.ts';
import type { CodeListEntry } from '../../../domain/values/code-list.ts';
import { findEntry } from './code-matching.ts';
import { excerpt, notExpressible, warning } from './conversion-failure.ts';
import { paymentTypeDirective } from './directives.ts';

/**
 * Payment means codes (UNTDID 4461) and the authority's payment types. Instalments (P13), a mobile application (P15), a supply free of
 * charge (P16) and a voucher (P18) have no such code: they are stated by the authority's own. Cheques, bills of exchange and
 * promissory notes, agreements between the parties and codes that are not listed here are other instruments (P19).
 */
export const PAYMENT_TYPES: ReadonlyMap<string, string> = new Map([
  ...codes('P10', '10'),
  ...codes('P11', '48', '54', '55'),
  // Credit transfers and direct debits, by account, giro or clearing house.
  ...codes('P12', '30', '31', '42', '46', '49', '50', '52', '53', '56', '57', '58', '59', '69', '93', '94', '95'),
  ...codes('P12', '2', '3', '4', '5', '6', '7', '9', '11', '12', '13', '14', '15', '16', '17', '18', '19'),
  ...codes('P12', '27', '28', '29', '32', '33', '34', '35', '36', '37', '38', '39', '40', '41', '43'),
  ...codes('P14', '45', '47', '68'),
  ...codes('P17', '97'),
]);
export const OTHER_PAYMENT_TYPE = 'P19';

type Needs = { readonly paymentTypes: readonly CodeListEntry[]; readonly defaultPaymentType: string };

/**
 * The payment type that a directive states, else the payment means: by the authority's own code, as the code or its name, else by its
 * counterpart. Without any of these it is the default.
 */
export function paymentType(content: InvoiceContent, needs: Needs, warnings: ConversionWarning[]): CodeListEntry {
  const directive = paymentTypeDirective(content);
  if (directive !== null) return listed(directive.value, directive.path, needs);
  const [means, ...others] = content.paymentMeans;
  const path = `${means?.path ?? `${content.path}/cac:PaymentMeans`}/cbc:PaymentMeansCode`;
  const stated = means?.code ?? null;
  warnOfOthers(stated, others, warnings);
  const own = means === undefined ? null : ownType(means, needs);
  if (own !== null) return own;
  if (stated === null) {
    const type = listed(needs.defaultPaymentType, path, needs);
    const assumed = message('payment-type-assumed', { code: type.code, name: type.name });
    warnings.push(warning('PAYMENT-TYPE-ASSUMED', assumed, path));
    return type;
  }
  const counterpart = PAYMENT_TYPES.get(stated);
  const type = listed(counterpart ?? OTHER_PAYMENT_TYPE, path, needs);
  if (counterpart === undefined) {
    const taken = message('payment-type-taken', { means: excerpt(stated), code: type.code, name: type.name });
    warnings.push(warning('PAYMENT-TYPE-ASSUMED', taken, path));
  }
  return type;
}

function ownType({ code, name }: PaymentMeans, { paymentTypes }: Needs): CodeListEntry | null {
  return [name, code].flatMap((text) => (text === null ? [] : (findEntry(paymentTypes, text) ?? [])))[0] ?? null;
}

/** The authority takes one payment type; notes and references of all means are sent. */
function warnOfOthers(first: string | null, others: readonly PaymentMeans[], warnings: ConversionWarning[]): void {
  const typeOf = (code: string | null) => PAYMENT_TYPES.get(code ?? '') ?? code;
  const other = others.find(({ code }) => code !== null && typeOf(code) !== typeOf(first));
  if (other === undefined) return;
  warnings.push(warning('PAYMENT-MEANS-LEFT-OUT', message('payment-means-left-out'), other.path));
}

function listed(code: string, path: string, { paymentTypes }: Needs): CodeListEntry {
  const missing = message('payment-type-unlisted', { code: excerpt(code), list: 'payment-types' });
  return findEntry(paymentTypes, code) ?? notExpressible(missing, path);
}

function codes(type: string, ...means: readonly string[]): readonly (readonly [string, string])[] {
  return means.map((code) => [code, type]);
}
