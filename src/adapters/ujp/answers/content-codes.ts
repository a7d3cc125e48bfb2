/**
 * The receiver's codes that are about what a document says, and nothing else: sending it again as it is cannot succeed. Each row
 * says what of the document the code is about. What is not here is about the request, the account or the time, or nobody knows:
 * a code that every document gets, because a signature is not accepted or a new check was introduced, must not end them all.
 *
 * Left out on purpose, though the receiver knows them: E1002 and E1018, E1015, E1019 (reasons for rejecting, statuses: not part of a
 * document that is sent) · E4013 and E40131, E4018, E4024 (structure: ours, the same in every document) · E5005, E50051
 * (signature) · E4000 to E4005, E4010, E4011, E4014, E4015 (form of the request).
 */
const OF_A_SENT_DOCUMENT: Readonly<Record<string, readonly string[]>> = {
  'a party: in the register, its names, numbers and address': [
    ...['E1000', 'E10001', 'E10002', 'E10003', 'E10004', 'E10005', 'E10006', 'E10007', 'E10008', 'E5006'],
  ],
  'the country of a party': ['E1001', 'E10011', 'E10012'],
  'VAT: group, indicator, its note': ['E1004', 'E1009', 'E1032'],
  'its type, and what that type requires': ['E1017', 'E4019'],
  'its amounts': ['E1020', 'E10201', 'E10202', 'E10203'],
  'documents it refers to': ['E1021', 'E10211', 'E1022', 'E1026', 'E1028', 'E1029'],
  'what it voids or corrects, and why': ['E1006', 'E1016', 'E1024', 'E1025', 'E1027', 'E1030', 'E1031'],
  'its identifier, which the authority has already': ['E1023'],
  'dates, payment, currency, delivery, period and notes': [
    ...['E5007', 'E50071', 'E50072', 'E50073', 'E50074', 'E50075', 'E50076', 'E50077', 'E50078', 'E50079'],
    ...['E500710', 'E500711', 'E500712', 'E500713', 'E500714', 'E500715', 'E500716', 'E500717', 'E500718'],
  ],
};

/** The query API's codes that are about what was asked for: it is not there, or cannot be had in this way. */
const OF_A_QUERY: Readonly<Record<string, readonly string[]>> = {
  'no such company, country, reason, VAT group or indicator': ['E1000', 'E1001', 'E1002', 'E1004', 'E1006', 'E1009'],
  'no such status, history, type or file': ['E1015', 'E1017', 'E1018', 'E1019', 'E1021', 'E4008', 'E5017'],
  'not possible in its state': ['E1016', 'E1020', 'E1022', 'E1024', 'E5014', 'E5015', 'E5016'],
  'a value or a range that is not allowed': ['E1023', 'E4014', 'E5006', 'E5007', 'E5011'],
};

/** The same code does not mean the same in both programs. */
export const CONTENT_CODES: Readonly<Record<'query' | 'receiver', ReadonlySet<string>>> = {
  receiver: new Set(Object.values(OF_A_SENT_DOCUMENT).flat()),
  query: new Set(Object.values(OF_A_QUERY).flat()),
};
