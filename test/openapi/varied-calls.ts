import { API_ROOT } from '../../src/http/api.ts';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { projectFile } from '../consistency/source-files.ts';

/** A call as it is sent. */
export type VariedCall = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Documents of Alfa, by their docUid. */
export type KnownDocuments = {
  readonly accepted: string;
  readonly rejected: string;
  readonly failed: string;
  readonly inbound: readonly string[];
};

const INVOICE = projectFile('docs/examples/invoice.xml');
const SOFTWARE = { 'X-Software-Id': 'varied/1.0' };
const ALFA = { ...SOFTWARE, 'X-Api-Key': 'demo-alfa' };
const UNKNOWN = '01234567-89ab-7def-8123-456789abcdef';
/** More than a call without a body ignores. */
const MUCH = 'x'.repeat(70_000);

/** Whatever is wrong with a key, and a caller that names no software. */
const REFUSED_CALLERS: readonly VariedCall['headers'][] = [
  SOFTWARE,
  { 'X-Api-Key': 'demo-alfa' },
  ...['nobody', 'demo-expired', 'demo-revoked', 'demo-address', 'demo-scope'].map((key) => ({
    ...SOFTWARE,
    'X-Api-Key': key,
  })),
];

const ADDRESSES: readonly (readonly [string, string])[] = [
  ['GET', `${EXTENSIONS_ROOT}/ping`],
  ['GET', `${EXTENSIONS_ROOT}/changes`],
  ['GET', `${EXTENSIONS_ROOT}/outbound?documentNumber=2026-7001`],
  ['POST', `${EXTENSIONS_ROOT}/validate`],
  ['GET', `${EXTENSIONS_ROOT}/outbound/${UNKNOWN}/view`],
  ['GET', `${EXTENSIONS_ROOT}/inbound/${UNKNOWN}/view`],
  ['POST', `${EXTENSIONS_ROOT}/outbound/${UNKNOWN}/view-link`],
  ['POST', `${EXTENSIONS_ROOT}/inbound/${UNKNOWN}/view-link`],
  ['GET', `${EXTENSIONS_ROOT}/inbound/${UNKNOWN}/as-ubl`],
  ['GET', `${EXTENSIONS_ROOT}/schemas/ujp-document-v1.en.json`],
  ['GET', `${API_ROOT}/ping`],
  ['GET', `${API_ROOT}/codelists/currencies`],
  ['POST', `${API_ROOT}/outbound`],
  ['GET', `${API_ROOT}/outbound`],
  ['GET', `${API_ROOT}/outbound/${UNKNOWN}`],
  ['GET', `${API_ROOT}/outbound/${UNKNOWN}/history`],
  ['GET', `${API_ROOT}/outbound/${UNKNOWN}/file`],
  ['POST', `${API_ROOT}/outbound/${UNKNOWN}/cancel`],
  ['GET', `${API_ROOT}/inbound`],
  ['GET', `${API_ROOT}/inbound/${UNKNOWN}`],
  ['GET', `${API_ROOT}/inbound/${UNKNOWN}/file`],
  ['POST', `${API_ROOT}/inbound/${UNKNOWN}/ack`],
];

const TAKES_DOCUMENT = /\/(?:outbound|validate)$/u;

/** All of them, in the order in which they are sent. */
export function variedCalls(documents: KnownDocuments): readonly VariedCall[] {
  return [
    ...onEveryAddress(),
    ...submissions(),
    ...validations(),
    ...readings(documents),
    ...extensionReadings(documents),
    ...views(documents),
    ...decisions(documents),
    ...limited(),
  ];
}

function onEveryAddress(): readonly VariedCall[] {
  return ADDRESSES.flatMap(([method, path]) => [
    ...REFUSED_CALLERS.map((headers) => ({ method, path, headers })),
    { method, path, headers: ALFA },
    { method, path, headers: { ...ALFA, 'Accept-Language': 'mk' } },
    { method, path: `${path}${path.includes('?') ? '&' : '?'}colour=red`, headers: ALFA },
    { method: 'DELETE', path, headers: ALFA },
    { method: 'PUT', path, headers: SOFTWARE, body: '{}' },
    { method, path, headers: { ...ALFA, 'X-Much': 'x'.repeat(20_000) } },
    ...(method === 'POST' && !TAKES_DOCUMENT.test(path) ? [{ method, path, headers: ALFA, body: MUCH }] : []),
    ...(method === 'POST' ? [{ method, path, headers: ALFA, body: '{"tenantId": 7}' }] : []),
    ...(method === 'GET' ? [{ method: 'HEAD', path, headers: ALFA }] : []),
  ]);
}

function submissions(): readonly VariedCall[] {
  const submit = (body: string, idempotencyKey: string, key = 'demo-alfa'): VariedCall => ({
    method: 'POST',
    path: `${API_ROOT}/outbound`,
    headers: { ...SOFTWARE, 'X-Api-Key': key, 'X-Idempotency-Key': idempotencyKey, 'Content-Type': 'application/xml' },
    body,
  });
  return [
    submit(INVOICE, 'varied'),
    submit(INVOICE, 'varied'),
    submit(`${INVOICE}\n`, 'varied'),
    submit(INVOICE, 'varied', 'demo-gama'),
    submit(JSON.stringify(INVOICE), 'quoted'),
    submit('', 'empty'),
    submit('<Order/>', 'order'),
    submit(`${INVOICE}${INVOICE}`, 'two'),
    submit(INVOICE.replaceAll('4080026000023', '12345'), 'recipient'),
    submit(INVOICE.replace(/<cbc:InvoiceTypeCode>.*\n/u, ''), 'type'),
    submit(INVOICE.replace(/<cbc:PayableAmount .*\n/u, ''), 'amount'),
    submit('x'.repeat(11_000_000), 'large'),
  ];
}

function validations(): readonly VariedCall[] {
  const validate = (body: string, key = 'demo-alfa'): VariedCall => ({
    method: 'POST',
    path: `${EXTENSIONS_ROOT}/validate`,
    headers: { ...SOFTWARE, 'X-Api-Key': key, 'Content-Type': 'application/xml' },
    body,
  });
  return [
    validate(INVOICE),
    inMacedonian(validate(INVOICE)),
    validate(INVOICE.replace('2026-7001', '2026-7009')),
    validate(INVOICE, 'demo-beta'),
    validate(INVOICE, 'demo-gama'),
    validate(INVOICE.replaceAll('4030026000018', '5012026000048'), 'demo-delta'),
    validate('<Order/>'),
    validate('x'.repeat(11_000_000)),
  ];
}

function inMacedonian(call: VariedCall): VariedCall {
  return { ...call, headers: { ...call.headers, 'Accept-Language': 'mk' } };
}

const LIST_QUERIES = [
  'page=1&pageSize=2',
  'page=999',
  'pageSize=501',
  'pageSize=0',
  'page=one',
  'dateFrom=2026-01-01&dateTo=2026-12-31T23:59:59Z',
  'dateFrom=yesterday',
];

function readings({ accepted, rejected, failed, inbound }: KnownDocuments): readonly VariedCall[] {
  const get = (path: string, headers: VariedCall['headers'] = {}): VariedCall => ({
    method: 'GET',
    path: `${API_ROOT}${path}`,
    headers: { ...ALFA, ...headers },
  });
  return [
    ...['application/json', 'text/json', 'text/plain', 'text/html', '*/*'].map((Accept) => get('/ping', { Accept })),
    ...['document-types', 'countries', 'colours', ''].map((type) => get(`/codelists/${type}`)),
    { ...get('/codelists/currencies'), headers: { ...SOFTWARE, 'X-Api-Key': 'demo-delta' } },
    ...LIST_QUERIES.flatMap((query) => [get(`/outbound?${query}`), get(`/inbound?${query}`)]),
    ...['status=40&status=55', 'status=10,20', 'status=99', 'status=x', 'partnerEdb=4080026000023'].map((query) =>
      get(`/outbound?${query}`),
    ),
    ...['onlyNotImported=true', 'onlyNotImported=perhaps', 'senderEdb=MK4080026000023'].map((query) =>
      get(`/inbound?${query}`),
    ),
    ...[accepted, rejected, failed, 'no-identifier'].flatMap((docUid) => [
      get(`/outbound/${docUid}`, { Accept: 'text/plain' }),
      get(`/outbound/${docUid}`, { 'Accept-Language': 'mk' }),
      get(`/outbound/${docUid}/history`),
      ...['', '?format=pdf', '?format=ujp', '?format=docx'].map((query) => get(`/outbound/${docUid}/file${query}`)),
      get(`/outbound/${docUid}/file`, { 'If-None-Match': '*' }),
    ]),
    ...[...inbound, 'no-identifier'].flatMap((docUid) => [
      get(`/inbound/${docUid}`),
      ...['', '?format=ubl', '?format=pdf', '?format=docx'].map((query) => get(`/inbound/${docUid}/file${query}`)),
      get(`/inbound/${docUid}/file`, { 'If-None-Match': '*' }),
    ]),
  ];
}

const EXTENSION_QUERIES = [
  ...['changes?after=', 'changes?after=nothing', 'changes?wait=0', 'changes?wait=51', 'changes?wait=x'],
  ...[
    'outbound',
    'outbound?documentNumber=none',
    'outbound?sha256=12',
    'outbound?euid=none',
    'outbound?euid=0198a000-0000-7000-8000-00000000ffff',
    `outbound?sha256=${'a'.repeat(64)}`,
  ],
];

function extensionReadings({ inbound }: KnownDocuments): readonly VariedCall[] {
  const get = (path: string, more: VariedCall['headers'] = {}): VariedCall => ({
    method: 'GET',
    path: `${EXTENSIONS_ROOT}/${path}`,
    headers: { ...ALFA, ...more },
  });
  return [
    ...EXTENSION_QUERIES.map((query) => get(query)),
    ...[...inbound, 'no-identifier'].flatMap((docUid) => [
      get(`inbound/${docUid}/as-ubl`),
      get(`inbound/${docUid}/as-ubl`, { 'If-None-Match': '*' }),
    ]),
    ...['en', 'mk', 'xx'].map((language) => get(`schemas/ujp-document-v1.${language}.json`)),
    get('schemas/ujp-document-v1.mk.json', { 'If-None-Match': '*' }),
  ];
}

function views({ accepted, rejected, failed, inbound }: KnownDocuments): readonly VariedCall[] {
  const known = [
    ...[accepted, rejected, failed, 'no-identifier'].map((docUid) => `outbound/${docUid}`),
    ...[...inbound, 'no-identifier'].map((docUid) => `inbound/${docUid}`),
  ];
  const view = (path: string, headers: VariedCall['headers'] = {}): VariedCall => ({
    method: 'GET',
    path: `${EXTENSIONS_ROOT}/${path}`,
    headers: { ...ALFA, ...headers },
  });
  return known.flatMap((path) => [
    ...['', '?lang=mk', '?lang=xx'].map((query) => view(`${path}/view${query}`)),
    view(`${path}/view`, { 'If-None-Match': '*' }),
    ...['', '?lifetimeHours=1', '?lifetimeHours=721'].map((query) => ({
      ...view(`${path}/view-link${query}`),
      method: 'POST',
    })),
  ]);
}

function decisions({ accepted, failed, inbound }: KnownDocuments): readonly VariedCall[] {
  const post = (path: string): VariedCall => ({ method: 'POST', path: `${API_ROOT}${path}`, headers: ALFA });
  return [
    post(`/outbound/${accepted}/cancel`),
    post(`/outbound/${failed}/cancel`),
    post(`/outbound/${failed}/cancel`),
    ...inbound.flatMap((docUid) => [post(`/inbound/${docUid}/ack`), post(`/inbound/${docUid}/ack`)]),
  ];
}

function limited(): readonly VariedCall[] {
  const headers = { ...SOFTWARE, 'X-Api-Key': 'demo-limited' };
  return Array.from({ length: 7 }, (_, call) => ({
    method: 'GET',
    path: call % 2 === 0 ? `${API_ROOT}/inbound` : `${EXTENSIONS_ROOT}/ping`,
    headers,
  }));
}
