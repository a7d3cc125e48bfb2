/** What is signed for the authority: a request's text with the time at which it is made as its first member. */
export function signedText(text: string, requestTimestamp: string): string {
  return `{"requestTimestamp":${JSON.stringify(requestTimestamp)},${text.slice(1)}`;
}
