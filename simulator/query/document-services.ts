import { authorityError } from '../authority-error.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { PayloadFaults } from '../faults/payload-faults.ts';
import { invoicePdf } from '../files/invoice-pdf.ts';
import type { JsonObject } from '../json-object.ts';
import type { Caller } from '../request-checks/caller.ts';
import { skopjeDay, skopjeInstants } from '../skopje-time.ts';
import type { Privilege } from '../state/company.ts';
import type { RegisteredDocument } from '../state/registered-document.ts';
import type { State } from '../state/state.ts';
import { dayOf, rangeOf, textOf, textsOf } from './request-members.ts';
import { payloadRow, servedPayload } from './served-payload.ts';
import { type Service, type ServiceRequest, type Services, signedPost } from './service.ts';
import { changeRow, historyRow, statusRow } from './status-answers.ts';

export type DocumentNeeds = {
  readonly state: State;
  readonly catalogue: Catalogue;
  readonly payloads: PayloadFaults;
};

const SIDES = [
  ['seller', 'sales-invoice'],
  ['buyer', 'purchase-invoice'],
] as const;

/** The services that are the same for sellers and buyers. */
export function documentServices(needs: DocumentNeeds): Services {
  return SIDES.flatMap(([side, folder]) =>
    Object.entries(servicesOf(needs, side)).map(
      ([name, service]) => [`/api/v1/documents/${folder}/${name}`, service] as const,
    ),
  );
}

function servicesOf(
  { state, catalogue, payloads }: DocumentNeeds,
  side: 'seller' | 'buyer',
): Readonly<Record<string, Service>> {
  const { documents, registry } = state;
  const own = (code: string, { caller, body }: ServiceRequest) =>
    ownDocument(state, side, caller, textOf(body, 'euid'), code);
  const dated = ({ caller, body }: ServiceRequest) => {
    const { dateFrom, dateTo } = rangeOf(body);
    return documents.dated(side, caller.edb, dateFrom, dateTo);
  };
  const needPrivilege = ({ eujpId, edb }: Caller, privilege: Privilege) => {
    if (registry.hasPrivilege(eujpId, edb, privilege)) return;
    throw authorityError('E1011', `User ${eujpId} has no privilege ${privilege} for company ${edb}`);
  };
  const rows = (found: readonly RegisteredDocument[]) => found.map((one) => payloadRow(one, payloads));
  return {
    'current-status': signedPost((request) => ({ docStatus: statusRow(own('E1018', request), catalogue) })),
    status: signedPost((request) => ({ statusHistory: historySince(own('E1015', request), request.body, catalogue) })),
    'invoices-status': signedPost((request) => ({ invoices: dated(request).map((one) => statusRow(one, catalogue)) })),
    changes: signedPost(({ caller, body }) => {
      const { start, end } = skopjeDay(dayOf(body, 'date'));
      const changes = documents.changes(side, caller.edb).filter(({ at }) => at >= start && at < end);
      return { statusHistory: changes.map((change) => changeRow(change, catalogue)) };
    }),
    ids: signedPost((request) => ({ euids: dated(request).map(({ euid }) => euid) })),
    pdf: signedPost((request) => {
      needPrivilege(request.caller, 'DP');
      return { pdfBase64: invoicePdf(own('E4008', request)).toString('base64') };
    }),
    payload: signedPost((request) => {
      needPrivilege(request.caller, 'RD');
      return { payload: servedPayload(own('E4008', request), payloads) };
    }),
    'payload/list': signedPost(({ caller, body }) => {
      needPrivilege(caller, 'RD');
      const found = textsOf(body, 'euids').flatMap((euid) => documents.find(euid) ?? []);
      return { invoices: rows(found.filter((one) => one[side] === caller.edb)) };
    }),
    'payload/date-range': signedPost((request) => {
      needPrivilege(request.caller, 'RD');
      return { invoices: rows(dated(request)) };
    }),
  };
}

/** A document of the caller; for any other document the answer is that it is not found. */
export function ownDocument(
  { documents }: State,
  side: 'seller' | 'buyer' | 'either',
  { edb }: Caller,
  euid: string,
  notFoundCode: string,
): RegisteredDocument {
  const document = documents.find(euid);
  const owners = side === 'either' ? [document?.seller, document?.buyer] : [document?.[side]];
  if (document !== undefined && owners.includes(edb)) return document;
  throw authorityError(notFoundCode, `Document ${euid} not found`, 'euid');
}

function historySince({ history }: RegisteredDocument, body: JsonObject, catalogue: Catalogue): readonly JsonObject[] {
  const from = body['dateFrom'];
  const [since] = typeof from === 'string' ? skopjeInstants(from) : [];
  if (since === undefined && from !== undefined && from !== null) {
    throw authorityError('E4010', 'dateFrom must be a date and time YYYY-MM-DDTHH:mm:ss', 'dateFrom');
  }
  return history
    .filter(({ at }) => since === undefined || at >= since.getTime())
    .map((change) => historyRow(change, catalogue));
}
