/** The text that is signed for the authority: the JSON of a request with the time of the request as its first member. */
export function signedText(text: string, requestTimestamp: string): string {
  return `{"requestTimestamp":${JSON.stringify(requestTimestamp)},${text.slice(1)}`;
}
