import { type TObject, type TSchema, Type } from '../json-schema.ts';
import { validation } from './extensions/validation-schemas.ts';
import {
  ackedAt,
  amount,
  authorityAnswer,
  currency,
  dateTime,
  docUid,
  documentNumber,
  failureCode,
  flag,
  IN_WHICH_LANGUAGE,
  integer,
  nullable,
  outboundStatus,
  partnerEdb,
  problemCode,
  text,
} from './member-schemas.ts';

/** The schemas of the API, named as in the contract. Answers have the members they list; openapi.json shows them. */

const createdAt = dateTime('When the service received the document.');

const inboundMembers = {
  docUid,
  receivedAt: dateTime('When the document arrived.'),
  senderName: nullable(text('Name of the sender.')),
  senderEdb: nullable(text('Tax number of the sender.')),
  ackedAt,
};

export const submitResult = Type.Object(
  {
    docUid,
    status: integer('Always 10, received: as it was after the first submission, whatever has become of it since.'),
    receivedAt: dateTime('When the service received the document.'),
    alreadyExisted: flag(
      'False for a new document. True for a repeated submission, which does nothing: a document that was cancelled, rejected or has failed since stays so, and needs a new key to be submitted anew.',
    ),
  },
  { $id: 'SubmitResult', description: 'The document was stored; unless it already existed, its delivery follows.' },
);

export const outboundDocument = Type.Object(
  {
    docUid,
    status: outboundStatus,
    failureCode,
    failureMessage: nullable(text(`The same for accountants, ${IN_WHICH_LANGUAGE}.`)),
    createdAt,
    partnerEdb,
    documentNumber,
    amount,
    currency,
    ujp: authorityAnswer,
  },
  { $id: 'OutboundDocument', description: 'One outbound document.' },
);

const outboundListItem = Type.Object(
  { docUid, status: outboundStatus, createdAt, partnerEdb, documentNumber, amount, currency },
  { $id: 'OutboundListItem', description: 'An outbound document in a list.' },
);
export const outboundPage = pageOf(outboundListItem, 'OutboundPage');

const statusChange = Type.Object({
  status: outboundStatus,
  at: dateTime('When it happened.'),
  failureCode,
});

export const statusHistory = Type.Object(
  {
    docUid,
    transitions: Type.Unsafe({
      type: ['array', 'null'],
      description: 'What happened, in that order; failed attempts are included.',
      items: statusChange,
    }),
  },
  { $id: 'StatusHistory', description: 'The status history of an outbound document.' },
);

export const cancelResult = Type.Object(
  { docUid, status: integer('Always 60, cancelled.') },
  { $id: 'CancelResult', description: 'The document was cancelled.' },
);

const inboundListItem = Type.Object(inboundMembers, {
  $id: 'InboundListItem',
  description: 'An inbound document in a list.',
});
export const inboundPage = pageOf(inboundListItem, 'InboundPage');

export const inboundDocument = Type.Object(
  { ...inboundMembers, documentNumber, amount, currency },
  { $id: 'InboundDocument', description: 'One inbound document.' },
);

export const acknowledgement = Type.Object(
  { docUid, ackedAt },
  { $id: 'Acknowledgement', description: 'The document was acknowledged, now or before.' },
);

export const codeList = Type.Object(
  {
    type: nullable(text('The type that was asked for.')),
    items: Type.Unsafe({
      type: ['array', 'null'],
      description: 'The entries that are in force.',
      items: Type.Object({ code: text('The code of the entry.'), name: text('Its name.') }),
    }),
  },
  { $id: 'CodeList', description: 'The entries of one code list.' },
);

export const pingResult = Type.Object(
  {
    ok: flag('Always true.'),
    keyValid: flag('Always true: the key is accepted and carries the scope IntegrationApi.'),
    serverTime: dateTime('The time by the clock of the service.'),
  },
  { $id: 'PingResult', description: 'The service is reachable and the key valid.' },
);

export const problemDetails = Type.Object(
  {
    type: nullable(text('Address of the page that explains the code; about:blank without a code.')),
    title: nullable(text('Short, stable summary in English.')),
    status: integer('The HTTP status, repeated.'),
    detail: nullable(text('What went wrong in this call.')),
    code: problemCode,
    eventId: nullable(text('Only with ERR-9000: the reference to quote when reporting it.')),
  },
  { $id: 'Problem', description: 'An error (RFC 9457).' },
);

export const documentPath = Type.Object({
  docUid: text('Identifies the document, as returned when it was submitted or listed.', {
    examples: ['01920fb2-1c00-7000-8000-000000000001'],
  }),
});

function pageOf(item: TObject, name: string): TObject {
  return Type.Object(
    {
      items: Type.Unsafe({
        type: ['array', 'null'],
        description: 'The documents of the page, newest first.',
        items: reference(item),
      }),
      totalCount: integer('How many documents match the filters, on all pages.'),
      page: integer('Which page this is; the first is 1.'),
      pageSize: integer('How many documents a page has at most.'),
      totalPages: integer('How many pages there are.'),
    },
    { $id: name, description: 'A page of a list.' },
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
  validation,
  problemDetails,
];

export function reference(schema: TSchema): TSchema {
  const { $id } = schema as { readonly $id?: string };
  return $id === undefined ? schema : Type.Unsafe({ $ref: `${$id}#` });
}
