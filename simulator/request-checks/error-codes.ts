/**
 * The receiver and the query API make the same checks, but answer some of them with different codes: a code has its meaning only
 * within its API (the authority's published reference, §7.1 to §7.3).
 */
export type ErrorCodes = {
  readonly unreadableBody: string;
  readonly unreadablePayload: string;
  readonly noTimestamp: string;
  readonly unreadableTimestamp: string;
  readonly timestampTooFar: string;
  readonly unknownUser: string;
  readonly malformedEdb: string;
  readonly malformedSerial: string;
  readonly wrongSignature: string;
  readonly otherCertificate: string;
};

export const RECEIVER_CODES: ErrorCodes = {
  unreadableBody: 'E4024',
  unreadablePayload: 'E40131',
  noTimestamp: 'E4012',
  unreadableTimestamp: 'E40121',
  timestampTooFar: 'E40122',
  unknownUser: 'E4022',
  malformedEdb: 'E4023',
  malformedSerial: 'E4021',
  wrongSignature: 'E50051',
  otherCertificate: 'E5012',
};

export const QUERY_CODES: ErrorCodes = {
  unreadableBody: 'E4000',
  unreadablePayload: 'E4013',
  noTimestamp: 'E4012',
  unreadableTimestamp: 'E4012',
  timestampTooFar: 'E4012',
  unknownUser: 'E1010',
  malformedEdb: 'E1014',
  malformedSerial: 'E1012',
  wrongSignature: 'E4015',
  otherCertificate: 'E5004',
};
