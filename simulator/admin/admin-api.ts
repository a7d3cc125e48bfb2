import type { Faults } from '../failures/faults.ts';
import type { Outage } from '../failures/outage.ts';
import { type HttpAnswer, jsonAnswer } from '../http-answer.ts';
import { type JsonObject, parseJson } from '../json-object.ts';
import { isJson, type ReceivedRequest } from '../received-request.ts';
import { enrolCompanies } from '../state/enrol.ts';
import { type IssuedCertificate, issueCertificate } from '../state/issue-certificate.ts';
import type { RegisteredDocument } from '../state/registered-document.ts';
import type { State } from '../state/state.ts';
import {
  type IssueOrder,
  ordersIn,
  readCertificateOrder,
  readCompany,
  readFaults,
  readIssueOrder,
  readOutage,
  readUser,
  WrongOrder,
} from './admin-inputs.ts';

export const ADMIN_ROOT = '/admin/';

export type AdminNeeds = {
  readonly state: State;
  readonly faults: Faults;
  readonly outage: Outage;
  readonly now: () => Date;
};

type Action = (orders: readonly JsonObject[], query: URLSearchParams) => unknown;

/** The simulator's own levers. Nothing of this exists at the authority; only this machine may pull them. */
export function createAdminApi(needs: AdminNeeds): (request: ReceivedRequest) => HttpAnswer {
  const actions = actionsOf(needs);
  return (request) => {
    const action = actions.get(`${request.method} ${request.path}`);
    if (action === undefined) return jsonAnswer({ error: `There is no ${request.method} ${request.path}.` }, 404);
    try {
      const orders = request.method === 'POST' ? ordersOf(request) : [];
      return jsonAnswer(action(orders, request.query));
    } catch (error) {
      if (error instanceof WrongOrder) return jsonAnswer({ error: error.message }, 400);
      throw error;
    }
  };
}

/** Asking for JSON keeps the forms of foreign web pages out. */
function ordersOf(request: ReceivedRequest): readonly JsonObject[] {
  if (!isJson(request)) throw new WrongOrder('The content type must be application/json.');
  return ordersIn(parseJson(request.body));
}

function actionsOf({ state, faults, outage, now }: AdminNeeds): ReadonlyMap<string, Action> {
  const requireCompany = (edb: string) => {
    if (state.registry.company(edb) === undefined) throw new WrongOrder(`There is no company ${edb}.`);
  };
  const outageState = () => ({ on: outage.kind() !== null, kind: outage.kind() });
  return new Map<string, Action>([
    [
      'POST /admin/companies',
      (orders) => {
        enrolCompanies(state, orders.map(readCompany));
        return { companies: orders.length };
      },
    ],
    [
      'POST /admin/users',
      (orders) => {
        const users = orders.map(readUser);
        for (const { edb } of users) requireCompany(edb);
        for (const user of users) state.record({ kind: 'user', user });
        return { users: users.length };
      },
    ],
    [
      'POST /admin/certificates',
      (orders) => {
        const certificates = orders.map(readCertificateOrder);
        for (const { edb } of certificates) requireCompany(edb);
        for (const certificate of certificates) state.record({ kind: 'certificate', certificate });
        return { certificates: certificates.length };
      },
    ],
    [
      'POST /admin/certificates/issue',
      (orders) => {
        const issue = orders.map(readIssueOrder);
        for (const { edb } of issue) requireCompany(edb);
        return issueFor(state, issue, now());
      },
    ],
    ['GET /admin/faults', () => faults.rates()],
    ['POST /admin/faults', ([order = {}]) => faults.set(readFaults(order))],
    ['GET /admin/outage', outageState],
    [
      'POST /admin/outage',
      ([order = {}]) => {
        outage.set(readOutage(order));
        return outageState();
      },
    ],
    ['GET /admin/documents', (_orders, query) => ({ documents: documentsOf(state, query) })],
  ]);
}

/** One certificate for everybody who is named, registered at once. */
function issueFor(state: State, orders: readonly IssueOrder[], now: Date): IssuedCertificate {
  const [first] = orders;
  if (first === undefined) throw new WrongOrder('Somebody must be named for whom the certificate is issued.');
  const commonName = first.commonName ?? state.registry.company(first.edb)?.name ?? first.eujpId;
  const issued = issueCertificate({ commonName, validFrom: now });
  for (const { eujpId, edb } of orders) {
    state.record({ kind: 'certificate', certificate: { eujpId, edb, certificatePem: issued.certificatePem } });
  }
  return issued;
}

function documentsOf({ documents }: State, query: URLSearchParams): readonly JsonObject[] {
  return [...documents.all()].map(documentRow).filter((row) => {
    return [...query].every(([member, value]) => String(row[member]) === value);
  });
}

function documentRow(document: RegisteredDocument): JsonObject {
  const { euid, seller, buyer, docType, docStorno, docNumber, docId, docDate, docFinalAmount, status } = document;
  const registeredAt = new Date(document.registeredAt).toISOString();
  return { euid, seller, buyer, docType, docStorno, docNumber, docId, docDate, docFinalAmount, status, registeredAt };
}
