import { FAILURE_CATALOGUE } from '../../application/errors/failure-catalogue.ts';
import { ERROR_CODES } from '../../application/errors/problem-catalogue.ts';
import { WARNING_CATALOGUE } from '../../domain/documents/conversion-warning.ts';
import { OUTBOUND_STATUSES } from '../../domain/documents/outbound-status.ts';
import { type TSchema, Type } from '../json-schema.ts';

/** The members of answers, each with what it means. */

export const text = (description: string, keywords: TSchema = {}) => Type.String({ description, ...keywords });
export const integer = (description: string, keywords: TSchema = {}) =>
  Type.Integer({ format: 'int32', description, ...keywords });
export const dateTime = (description: string) => Type.String({ format: 'date-time', description });
export const flag = (description: string) => Type.Boolean({ description });

/** The same with null for nothing. Nullable members are always present. */
export function nullable(schema: TSchema): TSchema {
  const { type, ...rest } = schema as { readonly type: string };
  return Type.Unsafe({ type: [type, 'null'], ...rest });
}

/**
 * The values of today. A generated client must not refuse others, as it would with `enum` (record 30).
 */
export function open(values: readonly (string | number)[]): TSchema {
  return { 'x-extensible-enum': values };
}

/** Of messages about a document (record 34). */
export const IN_WHICH_LANGUAGE = 'in the language that Accept-Language asks for, else in that of the taxpayer';

const STATUS =
  '10 received, 20 processing, 30 sent, 40 accepted, 50 rejected, 55 failed, 60 cancelled. 40 and 60 are final; 50 and 55 as well unless the operator acts. Further values may be added.';

export const docUid = nullable(text('Identifies the document; opaque.'));
export const outboundStatus = integer(STATUS, open(OUTBOUND_STATUSES));

export const failureCode = nullable(
  text(
    'Why the document was not delivered; null where nothing failed. UJP- and a code of the authority where that has rejected it. Further values may be added.',
    open(Object.keys(FAILURE_CATALOGUE).filter((code) => !code.includes('<'))),
  ),
);

export const problemCode = nullable(
  text(
    'The code in the catalogue of errors, to match on; null where only the HTTP status says what happened. Further values may be added.',
    open(ERROR_CODES),
  ),
);

const warningCode = text('What was done. Further values may be added.', open(Object.keys(WARNING_CATALOGUE)));

export const warning = Type.Object({
  code: warningCode,
  text: text(`The same in words, ${IN_WHICH_LANGUAGE}.`),
  path: nullable(text('The element of the document.')),
});

export const partnerEdb = nullable(text('Tax number of the recipient; null for a natural person.'));
export const documentNumber = nullable(text('The number that the sender gave the document.'));
export const amount = nullable(Type.Number({ format: 'double', description: 'The payable amount.' }));
export const currency = nullable(text('The currency of the amount, as in ISO 4217.'));
export const ackedAt = nullable(dateTime('Time of the first acknowledgement; null before it.'));

export const authorityAnswer = Type.Unsafe({
  type: ['object', 'null'],
  description: "The tax authority's answer; null while there is none.",
  required: ['accepted', 'euid', 'qrLink', 'registeredAt', 'statusCode', 'statusName', 'message', 'errors', 'warnings'],
  properties: {
    accepted: flag('Whether the authority registered the document.'),
    euid: nullable(text('The identifier under which the authority registered the document.')),
    qrLink: nullable(text('The address that the QR code of the document leads to.')),
    registeredAt: nullable(dateTime('When the authority registered the document.')),
    statusCode: nullable(
      text("The authority's own status of the document, a code of the list document-statuses; it may change later."),
    ),
    statusName: nullable(text('The name of that status.')),
    message: nullable(text('What the authority said, in its words or in those of the service.')),
    errors: Type.Array(
      Type.Object({
        code: nullable(text("The authority's code.")),
        message: nullable(text('What the authority says of it.')),
      }),
      { description: 'Why the authority rejected the document; empty if it did not.' },
    ),
    warnings: Type.Array(warning, {
      description:
        'What was left out, shortened or assumed when the document was converted into the form of the authority.',
    }),
  },
});
