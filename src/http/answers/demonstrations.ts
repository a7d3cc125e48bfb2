import type { ErrorCode } from '../../application/errors/problem-catalogue.ts';

const KEY = (name: string) => `-H 'X-Api-Key: ${name}'`;
const SOFTWARE = "-H 'X-Software-Id: tour/1.0'";
const ALFA = `${KEY('demo-alfa')} ${SOFTWARE}`;
const NEW_IDEMPOTENCY_KEY = '-H "X-Idempotency-Key: $RANDOM-$RANDOM"';
const POST = `curl -s {base}/outbound ${ALFA} ${NEW_IDEMPOTENCY_KEY}`;
const INVOICE = 'docs/examples/invoice.xml';
const PIPED = '--data-binary @-';
const SUBMITTED = `docUid=$(${POST} --data-binary @${INVOICE} | grep -o '[0-9a-f-]\\{36\\}')`;

/** Where the demo environment listens by default. */
export const DEMO_URL = 'http://127.0.0.1:8080';

/**
 * For each code a command that provokes it in the demo environment, to be run in the project's folder.
 * `{base}` stands for the root of the API. The last output of each command is the problem.
 */
export const DEMONSTRATIONS: Record<ErrorCode, string> = {
  'ERR-1001': `curl -s {base}/ping ${SOFTWARE}`,
  'ERR-1002': `curl -s {base}/ping ${KEY('demo-expired')} ${SOFTWARE}`,
  'ERR-1003': `curl -s {base}/ping ${KEY('demo-revoked')} ${SOFTWARE}`,
  'ERR-1004': `curl -s {base}/ping ${KEY('demo-address')} ${SOFTWARE}`,
  'ERR-1005': `curl -s {base}/ping ${KEY('demo-scope')} ${SOFTWARE}`,
  'ERR-1006': `for call in 1 2 3 4 5 6; do curl -s {base}/ping ${KEY('demo-limited')} ${SOFTWARE}; echo; done`,
  'ERR-1007': `${POST} --data-binary '{"tenantId": 7}'`,
  'ERR-1008': `curl -s {base}/ping ${KEY('demo-alfa')}`,
  'ERR-2001': `${POST} --data-binary 'not XML at all'`,
  'ERR-2002': `${POST} --data-binary '<Order/>'`,
  'ERR-2003': `sed '/<cac:AccountingCustomerParty>/,/<\\/cac:AccountingCustomerParty>/d' ${INVOICE} | ${POST} ${PIPED}`,
  'ERR-2004': `sed 's/4080026000023/12345/' ${INVOICE} | ${POST} ${PIPED}`,
  'ERR-2005': `sed '/<cbc:InvoiceTypeCode>/d' ${INVOICE} | ${POST} ${PIPED}`,
  'ERR-2006': `sed '/<cbc:PayableAmount /d' ${INVOICE} | ${POST} ${PIPED}`,
  'ERR-2010': [
    `curl -s {base}/outbound ${ALFA} -H 'X-Idempotency-Key: twice' --data-binary @${INVOICE}; echo`,
    `sed 's/7001/7002/' ${INVOICE} | curl -s {base}/outbound ${ALFA} -H 'X-Idempotency-Key: twice' ${PIPED}`,
  ].join('\n'),
  'ERR-2011': `cat ${INVOICE} ${INVOICE} | ${POST} ${PIPED}`,
  'ERR-2012': `head -c 11000000 /dev/zero | ${POST} ${PIPED}`,
  'ERR-2013': `curl -s {base}/outbound ${ALFA} --data-binary @${INVOICE}`,
  'ERR-2021': `curl -s {base}/codelists/colours ${ALFA}`,
  'ERR-3001': `curl -s {base}/outbound/01234567-89ab-7def-8123-456789abcdef ${ALFA}`,
  'ERR-3002': `${SUBMITTED}\ncurl -s "{base}/outbound/$docUid/file?format=pdf" ${ALFA}`,
  'ERR-3003': [
    `until docUid=$(curl -s '{base}/outbound?status=40&pageSize=1' ${ALFA} | grep -o '[0-9a-f-]\\{36\\}'); do sleep 1; done`,
    `curl -s -X POST {base}/outbound/$docUid/cancel ${ALFA}`,
  ].join('\n'),
  'ERR-3004': [
    SUBMITTED,
    `curl -s -X POST {base}/outbound/$docUid/cancel ${ALFA}; echo`,
    `curl -s -X POST {base}/outbound/$docUid/cancel ${ALFA}`,
  ].join('\n'),
  'ERR-3005': `curl -s '{base}/outbound?pageSize=501' ${ALFA}`,
  'ERR-9000': `curl -s {base}/codelists/currencies ${KEY('demo-delta')} ${SOFTWARE}`,
  'ERR-9001': `curl -s {base}/outbound ${KEY('demo-gama')} ${SOFTWARE} ${NEW_IDEMPOTENCY_KEY} --data-binary @${INVOICE}`,
};

export function demonstration(code: ErrorCode, base: string): string {
  return DEMONSTRATIONS[code].replaceAll('{base}', base);
}
