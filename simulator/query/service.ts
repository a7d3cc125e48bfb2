import type { Caller } from '../gate/caller.ts';
import type { JsonObject } from '../json-object.ts';

/**
 * What a request must bring: nothing, the headers of the caller, a plain body with its timestamp, a signed one, or, where
 * the authority does not say, either of the two with the serial number of a registered certificate.
 */
export type Access = 'open' | 'caller' | 'plain body' | 'signed' | 'signed or plain';

export type Asked = {
  readonly caller: Caller;
  /** The signed payload, or the plain body. */
  readonly body: JsonObject;
  /** The last part of the path where the service takes one. */
  readonly variable: string;
  readonly now: Date;
};

export type ServiceAnswer =
  /** Members beside those that every answer has. */
  | { readonly kind: 'members'; readonly members: JsonObject }
  | { readonly kind: 'bare'; readonly members: JsonObject }
  | { readonly kind: 'file'; readonly contentType: string; readonly content: Uint8Array };

export type Service = {
  readonly method: 'GET' | 'POST';
  readonly access: Access;
  readonly answer: (asked: Asked) => ServiceAnswer;
};

export type Services = Iterable<readonly [path: string, service: Service]>;

export function getService(members: (asked: Asked) => JsonObject): Service {
  return { method: 'GET', access: 'caller', answer: (asked) => ({ kind: 'members', members: members(asked) }) };
}

export function plainPost(members: (asked: Asked) => JsonObject): Service {
  return { method: 'POST', access: 'plain body', answer: (asked) => ({ kind: 'members', members: members(asked) }) };
}

export function signedPost(members: (asked: Asked) => JsonObject): Service {
  return { method: 'POST', access: 'signed', answer: (asked) => ({ kind: 'members', members: members(asked) }) };
}
