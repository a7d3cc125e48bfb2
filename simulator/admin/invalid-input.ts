/** A call that is answered with HTTP 400; the message says what is wrong. */
export class InvalidInput extends Error {}
