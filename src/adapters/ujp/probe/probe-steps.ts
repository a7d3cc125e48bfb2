import { isEuid } from '../../../domain/documents/euid.ts';
import { daysAfter, skopjeDay } from '../../../domain/values/skopje-day.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { CODE_LIST_SERVICES } from '../code-lists/code-list-services.ts';
import type { ServiceName } from '../shapes/service-shapes.ts';

/** What earlier answers brought that later services are asked about. */
export type Known = { readonly sold: string | null; readonly bought: string | null };

export type ProbeRequest = {
  readonly service: ServiceName;
  readonly path: string;
  readonly how: 'get' | 'post' | 'signed';
  readonly body: JsonObject;
  /** Learns from the answer what later services need. */
  readonly learn?: (answer: JsonObject) => Partial<Known>;
};

type Facts = { readonly edb: string; readonly now: number };

/** A step that has to know a document is null as long as none is known. */
export type PlannedStep = {
  readonly service: ServiceName;
  readonly request: (known: Known) => ProbeRequest | null;
};

/** Less than the month that the authority allows (E4014). */
const WINDOW_DAYS = 27;
/** The ordinary invoice, which every installation has. */
const DOCUMENT_TYPE = '100';

/** Every service but the one that registers documents, in an order in which each knows what it needs. */
export function plannedSteps({ edb, now }: Facts): readonly PlannedStep[] {
  const today = skopjeDay(now);
  const window = { dateFrom: daysAfter(today, -WINDOW_DAYS), dateTo: today };
  const lists = Object.values(CODE_LIST_SERVICES).map(({ path }) => path as ServiceName);
  return [
    ...(['server-time', ...lists] as const).map((service) => get(service, service)),
    get('doc-type-x-tax-indicator/{code}', `doc-type-x-tax-indicator/${DOCUMENT_TYPE}`),
    get('companies/{edb}', `companies/${edb}`),
    always({ ...named('currency-exchange/rate'), how: 'post', body: { currencyName: 'EUR', date: today } }),
    always({
      ...named('documents/sales-invoice/invoices-status'),
      body: window,
      learn: ({ invoices }) => ({ sold: firstEuid(invoices) }),
    }),
    always({ ...named('documents/sales-invoice/changes'), body: { date: `${today}T00:00:00` } }),
    always({ ...named('documents/sales-invoice/ids'), body: window }),
    about('documents/sales-invoice/payload', ({ sold }) => sold),
    payloads('documents/sales-invoice/payload/list', ({ sold }) => sold),
    always({
      ...named('documents/purchase-invoice/invoices-status'),
      body: window,
      learn: ({ invoices }) => ({ bought: firstEuid(invoices) }),
    }),
    payloads('documents/purchase-invoice/payload/list', ({ bought }) => bought),
    about('documents/purchase-invoice/pdf', ({ bought }) => bought),
    about('documents/invoice', ({ sold, bought }) => sold ?? bought),
  ];
}

function named(service: ServiceName) {
  return { service, path: service, how: 'signed' } as const;
}

function always(request: ProbeRequest): PlannedStep {
  return { service: request.service, request: () => request };
}

function get(service: ServiceName, path: string): PlannedStep {
  return always({ service, path, how: 'get', body: {} });
}

type Choice = (known: Known) => string | null;

function about(service: ServiceName, document: Choice): PlannedStep {
  return withDocument(service, document, (euid) => ({ euid }));
}

function payloads(service: ServiceName, document: Choice): PlannedStep {
  return withDocument(service, document, (euid) => ({ euids: [euid] }));
}

function withDocument(service: ServiceName, document: Choice, bodyFor: (euid: string) => JsonObject): PlannedStep {
  return {
    service,
    request(known) {
      const euid = document(known);
      return euid === null ? null : { ...named(service), body: bodyFor(euid) };
    },
  };
}

function firstEuid(rows: unknown): string | null {
  const euids = Array.isArray(rows) ? rows.map((row) => (isJsonObject(row) ? row['euid'] : null)) : [];
  return euids.find(isEuid) ?? null;
}
