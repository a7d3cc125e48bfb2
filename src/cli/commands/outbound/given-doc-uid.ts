import { noSuchOutbound } from '../../../application/outbound/find-outbound-tenant.ts';
import { type DocUid, parseDocUid } from '../../../domain/documents/doc-uid.ts';
import { type Arguments, onePositional } from '../../command.ts';

export function givenDocUid(given: Arguments): DocUid {
  const text = onePositional(given, 'docUid');
  const docUid = parseDocUid(text);
  if (docUid === null) throw noSuchOutbound(text);
  return docUid;
}
