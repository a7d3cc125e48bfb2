import { type TSchema, Type } from '../../json-schema.ts';
import {
  amount,
  authorityAnswer,
  currency,
  dateTime,
  documentNumber,
  failureCode,
  flag,
  integer,
  nullable,
  open,
  outboundStatus,
  text,
  warning,
} from '../member-schemas.ts';
import { outboundDocument } from '../schemas.ts';
import { viewLink } from './view-link-schema.ts';

/** The schemas of the extensions; openapi-extensions.json shows them. */

const docUid = text('Identifies the document; opaque.');
const cursor = 'Opaque, and of use to the same taxpayer alone.';

/** The same with null for nothing, and with a meaning of its own. */
function nullableObject(properties: Readonly<Record<string, TSchema>>, description: string): TSchema {
  return Type.Unsafe({ ...Type.Object(properties), type: ['object', 'null'], description });
}

/** The warnings have entries of their own. */
const { warnings: _warnings, ...answerMembers } = authorityAnswer['properties'] as Readonly<Record<string, TSchema>>;

const change = Type.Object({
  cursor: text(`The place of this entry. ${cursor}`),
  at: dateTime('When it happened, or was recorded by the service.'),
  kind: text(
    'What changed: the status of an outbound document, the status that the authority gives a document, the container that can be downloaded now, the warnings, an arrival, an acknowledgement. Further values may be added: leave out those you do not know.',
    open(['status', 'authority-status', 'container', 'warnings', 'arrived', 'acknowledged']),
  ),
  direction: text('Which way the document goes.', open(['outbound', 'inbound'])),
  docUid,
  status: nullable(integer('Of an outbound document, after the change.')),
  failureCode,
  ujp: nullableObject(
    answerMembers,
    "With status and authority-status of an outbound document: the authority's answer after the change, null where there is none.",
  ),
  authorityStatus: nullableObject(
    {
      code: text('A code of the list document-statuses.'),
      name: nullable(text('Its name.')),
      at: nullable(dateTime("When it changed by the authority's clock, where that is known.")),
    },
    "With authority-status and arrived: the authority's own status.",
  ),
  warnings: Type.Unsafe({
    type: ['array', 'null'],
    items: warning,
    description: 'With warnings: all that the document has from now on.',
  }),
  createdAt: dateTime('When the document was submitted, or received.'),
  partnerEdb: nullable(text('Tax number of the recipient, or of the sender of an inbound document.')),
  senderName: nullable(text('Of an inbound document.')),
  documentNumber,
  amount,
  currency,
});

export const changesPage = Type.Object(
  {
    items: Type.Array(change, { description: 'In the order of the log; at most 200.' }),
    next: nullable(
      text(`Give it as after to read on; keep it with what was taken over. ${cursor} Null while the log is empty.`),
    ),
    hasMore: flag('More can be read at once.'),
    completeUpTo: nullable(
      dateTime(
        'Whatever any call could show before this moment is in the log up to next. Null where there is more to read.',
      ),
    ),
  },
  { $id: 'ChangesPage', description: 'A part of the log of changes.' },
);

const foundDocument = Type.Object({
  ...outboundDocument.properties,
  euid: nullable(text('The identifier under which the authority registered the document.')),
  sha256: nullable(text('Of the submitted bytes, in hexadecimal digits.')),
  archivedAt: nullable(dateTime('When its files went to the archive of the service, from which they are served.')),
  nextAttemptAt: nullable(
    dateTime('When the authority is tried next; null while an attempt is under way, and when nothing is left to try.'),
  ),
  warnings: Type.Array(warning, {
    description: 'Those of the last conversion, whether or not the authority has answered.',
  }),
  transitions: Type.Array(
    Type.Object({ status: outboundStatus, at: dateTime('When the document came to this status.'), failureCode }),
    { description: 'Every status that the document has had, the oldest first.' },
  ),
  attempts: Type.Array(
    Type.Object({
      act: text('What was tried, such as sending the document or looking it up.'),
      startedAt: dateTime('When the attempt began.'),
      endedAt: nullable(dateTime('When its outcome was known; null before.')),
      outcome: nullable(text('How it ended; null while it is under way.')),
      failureCode,
    }),
    { description: 'The last 50 tries at the authority, the oldest first; none once the document is archived.' },
  ),
  sameBytes: Type.Array(
    Type.Object({ docUid, status: outboundStatus, createdAt: dateTime('When it was submitted.') }),
    { description: 'Other documents that were submitted with the same bytes, the newest first; at most 20.' },
  ),
});

export const foundDocuments = Type.Object(
  {
    items: Type.Array(foundDocument, { description: 'The newest first; at most 20.' }),
    hasMore: flag('There are older ones.'),
  },
  {
    $id: 'FoundDocuments',
    description: 'The documents that were asked for, with all that is known of their delivery.',
  },
);

export const extensionSchemas: readonly TSchema[] = [changesPage, foundDocuments, viewLink];
