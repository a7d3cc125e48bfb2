import type { JsonObject } from '../answers/json-object.ts';
import {
  anything,
  base64,
  date,
  dateTime,
  euid,
  filledListOf,
  flag,
  jsonText,
  listOf,
  number,
  object,
  optional,
  orNull,
  type Shape,
  text,
} from './shape.ts';

/** A container is a ZIP file, not JSON. */
export type ServiceShape = Shape | 'zip';

/** Every answer of the query services has these; the server time alone has not. */
const COMMON = { success: flag, createdDate: optional(dateTime), errorStatus: optional(anything) };

const VALIDITY = {
  isActive: flag,
  validDateFrom: orNull(date),
  validDateTo: orNull(date),
  // Spelt in two ways, depending on the list.
  updated_on: optional(dateTime),
  updatedOn: optional(dateTime),
};

const STATUS = object({ code: text, name: optional(text) });

const TAX_INDICATOR = object({
  code: text,
  categoryCode: optional(text),
  categoryName: orNull(text),
  categoryDesc: optional(text),
  note: orNull(text),
  vatImpact: orNull(text),
  ...VALIDITY,
  taxGroupCode: text,
});

const ADDRESS = object({ street: orNull(text), number: orNull(text), city: orNull(text), zip: orNull(text) });

const STATUS_ROW = object({
  euid,
  statusCode: text,
  statusName: orNull(text),
  docNumber: text,
  docDate: date,
  docDeliveryDate: optional(date),
  docNetAmount: optional(number),
  docVatAmount: optional(number),
  docGrossAmountR: optional(number),
  docAvansAmount: optional(number),
  docFinalAmount: number,
  sellerTin: optional(text),
  buyerTin: optional(text),
  senderTin: optional(text),
  receiverTin: optional(text),
});

const CHANGE_ROW = object({
  euid,
  oldStatus: optional(STATUS),
  newStatus: STATUS,
  timestamp: dateTime,
  comment: optional(text),
  cancelComment: optional(text),
  voidComment: optional(text),
  voidReasonCode: optional(text),
  voidReason: optional(text),
  rejectReasonCode: optional(text),
  rejectReason: optional(text),
});

/** The answer with one member beside the common ones. */
function answer(member: string, shape: Shape): Shape {
  return object({ ...COMMON, [member]: shape });
}

function list(member: string, item: Parameters<typeof object>[0]): Shape {
  return answer(member, listOf(object(item)));
}

/** A list that every document needs. */
function filledList(member: string, item: Parameters<typeof object>[0]): Shape {
  return answer(member, filledListOf(object(item)));
}

/**
 * What each service of the authority that we use answers with, as far as public material says it (its wiki, August 2026). Names are
 * paths below `/api/v1/`, with braces for what varies. Members without `optional` are those that our readers look at.
 */
export const SERVICE_SHAPES = {
  'server-time': object({ timestamp: dateTime }),
  currency: filledList('currencyList', { code: text, name: optional(text), description: text }),
  countries: filledList('countryList', { code: text, name: text, tin: optional(text) }),
  'void-reasons': list('voidReasonList', { code: text, voidReason: text, ...VALIDITY }),
  'correction-reason': list('correctionReasonList', { code: text, correctionReason: text, ...VALIDITY }),
  'reject-reason': list('rejectReasonList', { code: text, rejectReason: text, ...VALIDITY }),
  'payment-types': filledList('paymentTypeList', { code: text, description: text, ...VALIDITY }),
  'document-statuses': list('statusList', {
    code: text,
    name: text,
    description: optional(text),
    updated_on: optional(dateTime),
  }),
  'document-types': filledList('documentTypesList', {
    code: text,
    name: text,
    type: optional(number),
    needSignature: optional(flag),
    hasItems: optional(flag),
    hasReference: flag,
    isReferenceMandatory: flag,
    ...VALIDITY,
    description: optional(text),
  }),
  'ref-document-types': list('refDocumentTypes', {
    code: text,
    name: text,
    type: optional(number),
    ...VALIDITY,
    refDocNumberDescription: optional(text),
    dateDescription: optional(text),
    description: optional(text),
  }),
  'tax-groups': filledList('taxGroupList', {
    code: text,
    name: text,
    percent: number,
    description: optional(text),
    ...VALIDITY,
  }),
  'tax-indicators': answer('taxIndicators', filledListOf(TAX_INDICATOR)),
  'doc-type-x-tax-indicator/{code}': list('docTypeXTaxIndicatorList', {
    docTypeId: optional(number),
    taxIndicator: optional(TAX_INDICATOR),
    validDateFrom: optional(date),
    validDateTo: optional(date),
    active: flag,
    docTypeCode: text,
    docTypeName: optional(text),
    taxIndicatorCode: text,
  }),
  'companies/{edb}': answer(
    'company',
    object({
      taxNumber: text,
      vatNumber: orNull(text),
      registrationNumber: optional(text),
      name: text,
      address: ADDRESS,
      countryId: optional(number),
      changeDate: optional(dateTime),
      municipality: optional(text),
      golemina: optional(text),
      countryCode: optional(text),
    }),
  ),
  'currency-exchange/rate': answer(
    'currencyExcange',
    object({
      id: optional(number),
      currencyId: optional(number),
      country: optional(text),
      code: optional(text),
      name: text,
      date,
      middleRate: number,
    }),
  ),
  'documents/sales-invoice/invoices-status': answer('invoices', listOf(STATUS_ROW)),
  'documents/sales-invoice/changes': answer('statusHistory', listOf(CHANGE_ROW)),
  'documents/sales-invoice/ids': answer('euids', listOf(euid)),
  'documents/sales-invoice/payload': answer('payload', jsonText),
  'documents/sales-invoice/payload/list': answer('invoices', listOf(object({ euid, payload: jsonText }))),
  'documents/purchase-invoice/invoices-status': answer('invoices', listOf(STATUS_ROW)),
  'documents/purchase-invoice/payload/list': answer('invoices', listOf(object({ euid, payload: jsonText }))),
  'documents/purchase-invoice/pdf': answer('pdfBase64', base64),
  'documents/invoice': 'zip',
  'sales-invoices/send': object({
    euid,
    message: orNull(text),
    qr_link: text,
    status: optional(number),
    e_invoice_user: optional(flag),
    timestamp: dateTime,
  }),
} as const satisfies Readonly<Record<string, ServiceShape>>;

export type ServiceName = keyof typeof SERVICE_SHAPES;

/** The service of a path; null for one whose shape is not kept. */
export function serviceNameOf(path: string): ServiceName | null {
  if (Object.hasOwn(SERVICE_SHAPES, path)) return path as ServiceName;
  if (path.startsWith('companies/')) return 'companies/{edb}';
  return path.startsWith('doc-type-x-tax-indicator/') ? 'doc-type-x-tax-indicator/{code}' : null;
}

export function shapeOf(name: ServiceName): ServiceShape {
  return SERVICE_SHAPES[name];
}

/** The members that all answers have. */
const OF_ALL: ReadonlySet<string> = new Set(Object.keys(COMMON));
/** Their members are as good as any other service's: a time, a text, an EUID. */
const TELL_NOTHING: ReadonlySet<string> = new Set(['server-time', 'sales-invoices/send']);

/** The services whose answer has a member, by the member. */
const SERVICES_BY_MEMBER = servicesByMember();

/** Whether the answer is known to be that of another service, also one that calls itself a success: something on the way may have mixed answers up. */
export function isAnswerOfAnother({ path }: { readonly path: string }, answer: JsonObject): boolean {
  const services = Object.keys(answer).flatMap((member) => SERVICES_BY_MEMBER.get(member) ?? []);
  return services.length > 0 && !services.includes(path);
}

function servicesByMember(): ReadonlyMap<string, readonly string[]> {
  const entries = Object.entries<Shape | 'zip'>(SERVICE_SHAPES)
    .filter(([service]) => !TELL_NOTHING.has(service))
    .flatMap(([service, shape]) => membersOf(shape).map((member) => ({ member, service })));
  const grouped = Map.groupBy(entries, ({ member }) => member);
  return new Map(Array.from(grouped, ([member, rows]) => [member, rows.map(({ service }) => service)]));
}

function membersOf(shape: Shape | 'zip'): readonly string[] {
  return shape === 'zip' || shape.kind !== 'object'
    ? []
    : Object.keys(shape.members).filter((name) => !OF_ALL.has(name));
}
