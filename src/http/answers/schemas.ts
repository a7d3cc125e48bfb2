import { type TObject, type TSchema, Type } from '../json-schema.ts';

/** The schemas of the API, named as in the contract. Answers have the members they list; openapi.json shows them. */

function nullable(schema: TSchema, description?: string): TSchema {
  const { type, ...rest } = schema as { readonly type: string };
  return Type.Unsafe({ ...rest, type: [type, 'null'], ...(description === undefined ? {} : { description }) });
}

const text = Type.String();
const integer = Type.Integer({ format: 'int32' });
const dateTime = Type.String({ format: 'date-time' });
const number = Type.Number({ format: 'double' });
const flag = Type.Boolean();

const docUid = nullable(text, 'Identifies the document; opaque.');

const outboundFields = {
  docUid,
  status: integer,
  createdAt: dateTime,
  partnerEdb: nullable(text, 'Tax number of the recipient.'),
  documentNumber: nullable(text),
  amount: nullable(number),
  currency: nullable(text),
};

const inboundFields = {
  docUid,
  receivedAt: dateTime,
  senderName: nullable(text),
  senderEdb: nullable(text, 'Tax number of the sender.'),
  ackedAt: nullable(dateTime, 'Time of the first acknowledgement.'),
};

const authorityAnswer = Type.Unsafe({
  type: ['object', 'null'],
  description: "The tax authority's answer; null while there is none.",
  required: ['accepted', 'euid', 'qrLink', 'registeredAt', 'statusCode', 'statusName', 'message', 'errors', 'warnings'],
  properties: {
    accepted: flag,
    euid: nullable(text, 'The identifier under which the authority registered the document.'),
    qrLink: nullable(text),
    registeredAt: nullable(dateTime),
    statusCode: nullable(text, "The authority's own status of the document; it may change later."),
    statusName: nullable(text),
    message: nullable(text),
    errors: Type.Array(Type.Object({ code: nullable(text), message: nullable(text) })),
    warnings: Type.Array(Type.Object({ code: text, text, path: nullable(text) }), {
      description:
        'What was left out, shortened or assumed when the document was converted into the form of the authority; the text is in the language that is set for the taxpayer.',
    }),
  },
});

export const submitResult = Type.Object(
  { docUid, status: integer, receivedAt: dateTime, alreadyExisted: flag },
  { $id: 'SubmitResult' },
);

export const outboundDocument = Type.Object(
  {
    docUid,
    status: integer,
    failureCode: nullable(text),
    failureMessage: nullable(text, 'For accountants, in the language that is set for the taxpayer.'),
    createdAt: dateTime,
    partnerEdb: outboundFields.partnerEdb,
    documentNumber: outboundFields.documentNumber,
    amount: outboundFields.amount,
    currency: outboundFields.currency,
    ujp: authorityAnswer,
  },
  { $id: 'OutboundDocument' },
);

const outboundListItem = Type.Object(outboundFields, { $id: 'OutboundListItem' });
export const outboundPage = pageOf(outboundListItem, 'OutboundPage');

export const statusHistory = Type.Object(
  {
    docUid,
    transitions: Type.Unsafe({
      type: ['array', 'null'],
      items: Type.Object({ status: integer, at: dateTime, failureCode: nullable(text) }),
    }),
  },
  { $id: 'StatusHistory' },
);

export const cancelResult = Type.Object({ docUid, status: integer }, { $id: 'CancelResult' });

const inboundListItem = Type.Object(inboundFields, { $id: 'InboundListItem' });
export const inboundPage = pageOf(inboundListItem, 'InboundPage');

export const inboundDocument = Type.Object(
  { ...inboundFields, documentNumber: nullable(text), amount: nullable(number), currency: nullable(text) },
  { $id: 'InboundDocument' },
);

export const acknowledgement = Type.Object({ docUid, ackedAt: nullable(dateTime) }, { $id: 'Acknowledgement' });

export const codeList = Type.Object(
  {
    type: nullable(text),
    items: Type.Unsafe({ type: ['array', 'null'], items: Type.Object({ code: text, name: text }) }),
  },
  { $id: 'CodeList' },
);

export const pingResult = Type.Object({ ok: flag, keyValid: flag, serverTime: dateTime }, { $id: 'PingResult' });

export const problemDetails = Type.Object(
  {
    type: nullable(text),
    title: nullable(text),
    status: integer,
    detail: nullable(text),
    code: nullable(text),
    eventId: nullable(text),
  },
  { $id: 'Problem' },
);

export const documentPath = Type.Object({ docUid: text });

function pageOf(item: TObject, name: string): TObject {
  return Type.Object(
    {
      items: Type.Unsafe({ type: ['array', 'null'], items: reference(item) }),
      totalCount: integer,
      page: integer,
      pageSize: integer,
      totalPages: integer,
    },
    { $id: name },
  );
}

/** The schemas that openapi.json lists by name. */
export const namedSchemas: readonly TSchema[] = [
  pingResult,
  codeList,
  submitResult,
  outboundDocument,
  outboundListItem,
  outboundPage,
  statusHistory,
  cancelResult,
  inboundDocument,
  inboundListItem,
  inboundPage,
  acknowledgement,
  problemDetails,
];

export function reference(schema: TSchema): TSchema {
  const { $id } = schema as { readonly $id?: string };
  return $id === undefined ? schema : Type.Unsafe({ $ref: `${$id}#` });
}
