import type { JsonObject } from '../json-object.ts';
import type { Caller } from '../request-checks/caller.ts';

/**
 * What a request must have: nothing; the headers that name the caller; these and an unsigned body with a timestamp; a
 * signed body; or, where the authority has not published which, a signed or an unsigned body, or an unsigned one only. The last
 * three also need the serial number of a registered certificate (the authority's published reference, §1.2, §2).
 */
export type Access = 'public' | 'caller' | 'plain body' | 'signed' | 'signed or plain' | 'unsigned';

export type ServiceRequest = {
  readonly caller: Caller;
  /** The signed payload, or the plain body. */
  readonly body: JsonObject;
  /** The last part of the path, for services that take it as a parameter. */
  readonly variable: string;
  readonly now: Date;
};

export type ServiceAnswer =
  /** In addition to the members that every answer has. */
  | { readonly kind: 'members'; readonly members: JsonObject }
  | { readonly kind: 'bare'; readonly members: JsonObject }
  | { readonly kind: 'file'; readonly contentType: string; readonly content: Uint8Array };

export type Service = {
  readonly method: 'GET' | 'POST';
  /** A function where the access can be changed while the program runs. */
  readonly access: Access | (() => Access);
  readonly answer: (request: ServiceRequest) => ServiceAnswer;
};

export type Services = Iterable<readonly [path: string, service: Service]>;

export function getService(members: (request: ServiceRequest) => JsonObject): Service {
  return { method: 'GET', access: 'caller', answer: (request) => ({ kind: 'members', members: members(request) }) };
}

export function plainPost(members: (request: ServiceRequest) => JsonObject): Service {
  return {
    method: 'POST',
    access: 'plain body',
    answer: (request) => ({ kind: 'members', members: members(request) }),
  };
}

export function signedPost(members: (request: ServiceRequest) => JsonObject): Service {
  return { method: 'POST', access: 'signed', answer: (request) => ({ kind: 'members', members: members(request) }) };
}
