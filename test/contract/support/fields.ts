import assert from 'node:assert/strict';

/** The field tables of the contract, by hand: what an answer must hold, no more and no less. */

type Types = {
  readonly string: string;
  readonly 'string or null': string | null;
  readonly integer: number;
  readonly number: number;
  readonly 'number or null': number | null;
  readonly boolean: boolean;
  readonly 'date-time': string;
  readonly 'date-time or null': string | null;
  readonly array: readonly unknown[];
  readonly object: object;
  readonly 'object or null': object | null;
};

type Kind = keyof Types;
type Fields = Readonly<Record<string, Kind>>;
export type Values<F extends Fields> = { readonly [Name in keyof F]: Types[F[Name]] };

export const SUBMIT_RESULT = {
  docUid: 'string',
  status: 'integer',
  receivedAt: 'date-time',
  alreadyExisted: 'boolean',
} as const satisfies Fields;

export const OUTBOUND_ITEM = {
  docUid: 'string',
  status: 'integer',
  createdAt: 'date-time',
  partnerEdb: 'string or null',
  documentNumber: 'string or null',
  amount: 'number or null',
  currency: 'string or null',
} as const satisfies Fields;

export const OUTBOUND_DOCUMENT = {
  ...OUTBOUND_ITEM,
  failureCode: 'string or null',
  failureMessage: 'string or null',
  ujp: 'object or null',
} as const satisfies Fields;

export const AUTHORITY_ANSWER = {
  accepted: 'boolean',
  euid: 'string or null',
  qrLink: 'string or null',
  registeredAt: 'date-time or null',
  statusCode: 'string or null',
  statusName: 'string or null',
  message: 'string or null',
  errors: 'array',
  warnings: 'array',
} as const satisfies Fields;

export const HISTORY = { docUid: 'string', transitions: 'array' } as const satisfies Fields;

export const TRANSITION = {
  status: 'integer',
  at: 'date-time',
  failureCode: 'string or null',
} as const satisfies Fields;

export const CANCEL_RESULT = { docUid: 'string', status: 'integer' } as const satisfies Fields;

export const INBOUND_ITEM = {
  docUid: 'string',
  receivedAt: 'date-time',
  senderName: 'string or null',
  senderEdb: 'string or null',
  ackedAt: 'date-time or null',
} as const satisfies Fields;

export const INBOUND_DOCUMENT = {
  ...INBOUND_ITEM,
  documentNumber: 'string or null',
  amount: 'number or null',
  currency: 'string or null',
} as const satisfies Fields;

export const ACKNOWLEDGEMENT = { docUid: 'string', ackedAt: 'date-time' } as const satisfies Fields;

export const CODE_LIST = { type: 'string', items: 'array' } as const satisfies Fields;

export const CODE_LIST_ENTRY = { code: 'string', name: 'string' } as const satisfies Fields;

export const PING = { ok: 'boolean', keyValid: 'boolean', serverTime: 'date-time' } as const satisfies Fields;

export const PROBLEM = {
  type: 'string',
  title: 'string',
  status: 'integer',
  detail: 'string',
  code: 'string or null',
  eventId: 'string or null',
} as const satisfies Fields;

const PAGE = {
  items: 'array',
  totalCount: 'integer',
  page: 'integer',
  pageSize: 'integer',
  totalPages: 'integer',
} as const satisfies Fields;

export type Page<F extends Fields> = Omit<Values<typeof PAGE>, 'items'> & { readonly items: readonly Values<F>[] };

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/u;
const INT32 = 2_147_483_647;

const IS: Readonly<Record<Exclude<Kind, `${string} or null`>, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value) && Math.abs(value as number) <= INT32,
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  'date-time': (value) =>
    typeof value === 'string' && DATE_TIME.test(value) && Number.isFinite(new Date(value).getTime()),
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Gives the value back, typed, once it has exactly these fields with these types. */
export function readFields<F extends Fields>(fields: F, value: unknown): Values<F> {
  assert.ok(IS.object(value), `An object was expected, not ${JSON.stringify(value)}`);
  const given = value as Record<string, unknown>;
  assert.deepEqual(Object.keys(given).sort(), Object.keys(fields).sort());
  for (const [name, kind] of Object.entries(fields)) {
    const nullable = kind.endsWith(' or null');
    const plain = kind.replace(' or null', '') as keyof typeof IS;
    const fits = (nullable && given[name] === null) || IS[plain](given[name]);
    assert.ok(fits, `${name} must be ${kind}, not ${JSON.stringify(given[name])}`);
  }
  return given as Values<F>;
}

export function readPage<F extends Fields>(item: F, value: unknown): Page<F> {
  const page = readFields(PAGE, value);
  return { ...page, items: page.items.map((entry) => readFields(item, entry)) };
}
