import { type DocUid, parseDocUid } from '../../src/domain/documents/doc-uid.ts';

/** A docUid that came over HTTP, from a command or out of a constant. */
export function docUidOf(text: string): DocUid {
  const docUid = parseDocUid(text);
  if (docUid === null) throw new Error(`${text} is no docUid.`);
  return docUid;
}
