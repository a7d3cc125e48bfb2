import { UnusableAnswer } from '../../../application/errors/authority-answers.ts';
import { PageOfSeveral } from './answer-error.ts';
import type { JsonObject } from './json-object.ts';

/** The list that an answer must hold. An explicit null in an answer that calls itself a success is an empty list. */
export function listMember(answer: JsonObject, member: string, service: { readonly path: string }): readonly unknown[] {
  const list = answer[member];
  if (Array.isArray(list)) return list;
  if (list === null && answer['success'] === true) return [];
  throw unreadableMember(member, service);
}

/** The same where nothing may be missed: what is not on the first of several pages would seem not to be there. */
export function wholeList(answer: JsonObject, member: string, service: { readonly path: string }): readonly unknown[] {
  const list = listMember(answer, member, service);
  if (isPage(answer, list)) throw pageOfSeveral(member, service);
  return list;
}

/** Whether it is one of several. The names are those of the authority's lists that have pages. */
export function isPage({ last, totalPages, totalElements }: JsonObject, list: readonly unknown[]): boolean {
  return last === false || Number(totalPages) > 1 || Number(totalElements) > list.length;
}

export function pageOfSeveral(member: string, service: { readonly path: string }): PageOfSeveral {
  const { message } = unreadableMember(`whole list of ${member}`, service);
  return new PageOfSeveral(message, { kind: 'error', isUncertain: true });
}

export function unreadableMember(member: string, { path }: { readonly path: string }): UnusableAnswer {
  return new UnusableAnswer(`The authority answered ${path} with no readable ${member}`);
}
