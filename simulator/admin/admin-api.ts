import type { Outage } from '../faults/outage.ts';
import type { PayloadFaults } from '../faults/payload-faults.ts';
import type { RandomFaults } from '../faults/random-faults.ts';
import { type HttpAnswer, jsonAnswer } from '../http-answer.ts';
import { type HttpRequest, isJson } from '../http-request.ts';
import { type JsonObject, parseJson } from '../json-object.ts';
import { addCompanies } from '../state/add-companies.ts';
import { type IssuedCertificate, issueCertificate } from '../state/issue-certificate.ts';
import type { RegisteredDocument } from '../state/registered-document.ts';
import type { State } from '../state/state.ts';
import type { CurrentRules } from '../unpublished-rules.ts';
import {
  type IssueInput,
  inputsIn,
  readCertificateInput,
  readCompany,
  readFaults,
  readIssueInput,
  readOutage,
  readPayloadShape,
  readReplacement,
  readRules,
  readUser,
} from './admin-inputs.ts';
import { InvalidInput } from './invalid-input.ts';
import type { ReplaceAsSupplier, Replacement } from './replace-as-supplier.ts';

export const ADMIN_ROOT = '/admin/';

export type AdminNeeds = {
  readonly state: State;
  readonly faults: RandomFaults;
  readonly outage: Outage;
  readonly rules: CurrentRules;
  readonly payloads: PayloadFaults;
  readonly replace: ReplaceAsSupplier;
  readonly now: () => Date;
};

type Action = (inputs: readonly JsonObject[], query: URLSearchParams) => unknown;

/** Controls the simulator. The authority has nothing like it; only programs of this machine may call it. */
export function createAdminApi(needs: AdminNeeds): (request: HttpRequest) => HttpAnswer {
  const actions = actionsOf(needs);
  return (request) => {
    const action = actions.get(`${request.method} ${request.path}`);
    if (action === undefined) return jsonAnswer({ error: `There is no ${request.method} ${request.path}.` }, 404);
    try {
      const inputs = request.method === 'POST' ? inputsOf(request) : [];
      return jsonAnswer(action(inputs, request.query));
    } catch (error) {
      if (error instanceof InvalidInput) return jsonAnswer({ error: error.message }, 400);
      throw error;
    }
  };
}

/** A form on a web page cannot send the content type of JSON, so it cannot reach this API through a browser. */
function inputsOf(request: HttpRequest): readonly JsonObject[] {
  if (!isJson(request)) throw new InvalidInput('The content type must be application/json.');
  return inputsIn(parseJson(request.body));
}

function actionsOf(needs: AdminNeeds): ReadonlyMap<string, Action> {
  return new Map([...registryActions(needs), ...faultActions(needs), ...documentActions(needs)]);
}

function registryActions({ state, now }: AdminNeeds): Iterable<readonly [string, Action]> {
  const requireCompany = (edb: string) => {
    if (state.registry.company(edb) === undefined) throw new InvalidInput(`There is no company ${edb}.`);
  };
  return new Map<string, Action>([
    [
      'POST /admin/companies',
      (inputs) => {
        addCompanies(state, inputs.map(readCompany));
        return { companies: inputs.length };
      },
    ],
    [
      'POST /admin/users',
      (inputs) => {
        const users = inputs.map(readUser);
        for (const { edb } of users) requireCompany(edb);
        for (const user of users) state.record({ kind: 'user', user });
        return { users: users.length };
      },
    ],
    [
      'POST /admin/certificates',
      (inputs) => {
        const certificates = inputs.map(readCertificateInput);
        for (const { edb } of certificates) requireCompany(edb);
        for (const certificate of certificates) state.record({ kind: 'certificate', certificate });
        return { certificates: certificates.length };
      },
    ],
    [
      'POST /admin/certificates/issue',
      (inputs) => {
        const issue = inputs.map(readIssueInput);
        for (const { edb } of issue) requireCompany(edb);
        return issueFor(state, issue, now());
      },
    ],
  ]);
}

function faultActions({ faults, outage, rules, payloads }: AdminNeeds): Iterable<readonly [string, Action]> {
  const outageState = () => ({ on: outage.kind() !== null, kind: outage.kind() });
  return new Map<string, Action>([
    ['GET /admin/faults', () => faults.rates()],
    ['POST /admin/faults', ([input = {}]) => faults.set(readFaults(input))],
    ['GET /admin/rules', rules.current],
    ['POST /admin/rules', ([input = {}]) => rules.set(readRules(input))],
    ['GET /admin/outage', outageState],
    [
      'POST /admin/outage',
      ([input = {}]) => {
        outage.set(readOutage(input));
        return outageState();
      },
    ],
    ['GET /admin/payloads', payloads.current],
    [
      'POST /admin/payloads',
      (inputs) => {
        for (const { euid, shape } of inputs.map(readPayloadShape)) payloads.set(euid, shape);
        return payloads.current();
      },
    ],
  ]);
}

function documentActions({ state, replace, now }: AdminNeeds): Iterable<readonly [string, Action]> {
  const replaceOne = (kind: Replacement['kind']): Action => {
    return ([input = {}]) => replace(readReplacement(kind, input), now());
  };
  return new Map<string, Action>([
    ['POST /admin/documents/void', replaceOne('void')],
    ['POST /admin/documents/correct', replaceOne('correct')],
    ['GET /admin/documents', (_inputs, query) => ({ documents: documentsOf(state, query) })],
  ]);
}

/** Issues one certificate and registers it for every user and company given. */
function issueFor(state: State, inputs: readonly IssueInput[], now: Date): IssuedCertificate {
  const [first] = inputs;
  if (first === undefined) throw new InvalidInput('At least one user must be given.');
  const commonName = first.commonName ?? state.registry.company(first.edb)?.name ?? first.eujpId;
  const issued = issueCertificate({ commonName, validFrom: now });
  for (const { eujpId, edb } of inputs) {
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
