import { type TObject, type TSchema, Type } from 'typebox';

/** The shapes of the interface, as the contract names them. They serialise the answers and describe them. */

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
  required: ['accepted', 'euid', 'qrLink', 'registeredAt', 'statusCode', 'statusName', 'message', 'errors'],
  properties: {
    accepted: flag,
    euid: nullable(text, 'The identifier under which the authority registered the document.'),
    qrLink: nullable(text),
    registeredAt: nullable(dateTime),
    statusCode: nullable(text, "The authority's own status of the document; it may change later."),
    statusName: nullable(text),
    message: nullable(text),
    errors: Type.Array(Type.Object({ code: nullable(text), message: nullable(text) })),
  },
});

export const submitResult = Type.Object(
  { docUid, status: integer, receivedAt: dateTime, alreadyExisted: flag },
  { title: 'SubmitResult' },
);

export const outboundDocument = Type.Object(
  {
    docUid,
    status: integer,
    failureCode: nullable(text),
    failureMessage: nullable(text),
    createdAt: dateTime,
    partnerEdb: outboundFields.partnerEdb,
    documentNumber: outboundFields.documentNumber,
    amount: outboundFields.amount,
    currency: outboundFields.currency,
    ujp: authorityAnswer,
  },
  { title: 'OutboundDocument' },
);

export const outboundPage = pageOf(Type.Object(outboundFields, { title: 'OutboundListItem' }), 'OutboundPage');

export const statusHistory = Type.Object(
  {
    docUid,
    transitions: Type.Unsafe({
      type: ['array', 'null'],
      items: Type.Object({ status: integer, at: dateTime, failureCode: nullable(text) }),
    }),
  },
  { title: 'StatusHistory' },
);

export const cancelResult = Type.Object({ docUid, status: integer }, { title: 'CancelResult' });

export const inboundPage = pageOf(Type.Object(inboundFields, { title: 'InboundListItem' }), 'InboundPage');

export const inboundDocument = Type.Object(
  { ...inboundFields, documentNumber: nullable(text), amount: nullable(number), currency: nullable(text) },
  { title: 'InboundDocument' },
);

export const acknowledgement = Type.Object({ docUid, ackedAt: nullable(dateTime) }, { title: 'Acknowledgement' });

export const codeList = Type.Object(
  {
    type: nullable(text),
    items: Type.Unsafe({ type: ['array', 'null'], items: Type.Object({ code: text, name: text }) }),
  },
  { title: 'CodeList' },
);

export const pingResult = Type.Object({ ok: flag, keyValid: flag, serverTime: dateTime }, { title: 'PingResult' });

export const problemDetails = Type.Object(
  {
    type: nullable(text),
    title: nullable(text),
    status: integer,
    detail: nullable(text),
    code: nullable(text),
    eventId: nullable(text),
  },
  { title: 'Problem' },
);

export const documentPath = Type.Object({ docUid: text });

function pageOf(item: TObject, title: string): TObject {
  return Type.Object(
    {
      items: Type.Unsafe({ type: ['array', 'null'], items: item }),
      totalCount: integer,
      page: integer,
      pageSize: integer,
      totalPages: integer,
    },
    { title },
  );
}
