/** Answers outside the catalogue of errors that every call can get: `code` is null. */
const EVERY_CALL: Readonly<Record<number, string>> = {
  400: 'Without a code: the request or a query parameter cannot be read, or the call has no such parameter.',
  405: 'The address does not know this method; Allow names those that it knows.',
  408: 'The request was not complete in time.',
  413: 'This call takes no body, and the one that was sent is too large to be ignored.',
  417: 'The Expect header asks for something else than 100-continue.',
  431: 'The request line and the headers together are too large.',
  503: 'The service cannot do this at the moment, and has done nothing. Repeat the call after the seconds in Retry-After.',
};

export function plainAnswers({ takesBody }: { readonly takesBody: boolean }): ReadonlyMap<number, string> {
  const answers = new Map(Object.entries(EVERY_CALL).map(([status, text]) => [Number(status), text]));
  if (takesBody) answers.delete(413);
  return answers;
}
