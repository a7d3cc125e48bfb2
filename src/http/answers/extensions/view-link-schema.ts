import { Type } from '../../json-schema.ts';
import { dateTime, text } from '../member-schemas.ts';

export const viewLink = Type.Object(
  {
    url: text('To be opened in a browser. Whoever has it sees the document: give it to its reader alone.', {
      format: 'uri',
    }),
    expiresAt: dateTime('Until when it can be opened, unless the key that made it is revoked before.'),
  },
  { $id: 'ViewLink', description: 'A link by which one document is viewed without a key.' },
);
