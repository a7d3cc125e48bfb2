import { AuthorityCallError } from '../../../application/ports/authority.ts';
import type { JsonObject } from './json-object.ts';

/** The list that an answer must hold. An explicit null in an answer that calls itself a success is an empty list. */
export function listMember(answer: JsonObject, member: string, service: { readonly path: string }): readonly unknown[] {
  const list = answer[member];
  if (Array.isArray(list)) return list;
  if (list === null && answer['success'] === true) return [];
  throw unreadableMember(member, service);
}

export function unreadableMember(member: string, { path }: { readonly path: string }): AuthorityCallError {
  const sentence = `The authority answered ${path} with no readable ${member}`;
  return new AuthorityCallError(sentence, { kind: 'error', isUncertain: true });
}
