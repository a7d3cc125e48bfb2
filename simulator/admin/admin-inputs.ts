import type { FaultRates } from '../failures/faults.ts';
import { OUTAGE_KINDS, type OutageKind } from '../failures/outage.ts';
import { asObject, type JsonObject } from '../json-object.ts';
import { type CertificateInput, readCertificate } from '../state/certificate.ts';
import { type CompanyInput, completeCompany, PRIVILEGES, type Privilege, type UserInput } from '../state/company.ts';

/** An order that cannot be carried out; its message says why. */
export class WrongOrder extends Error {}

/** One order, or a list of them. */
export function ordersIn(body: unknown): readonly JsonObject[] {
  return (Array.isArray(body) ? body : [body]).map((one) => {
    const order = asObject(one);
    if (order === null) throw new WrongOrder('The body must be a JSON object or an array of them.');
    return order;
  });
}

export function readCompany(order: JsonObject): CompanyInput {
  const texts = ['taxNumber', 'registrationNumber', 'name', 'municipality'];
  for (const member of texts) if (order[member] !== undefined) textIn(order, member);
  if (order['vatNumber'] !== null && order['vatNumber'] !== undefined) textIn(order, 'vatNumber');
  if (order['address'] !== undefined) requireAddress(order['address']);
  const { users = [] } = order;
  if (!isTexts(users)) throw new WrongOrder("'users' must be an array of EUJP-IDs.");
  const known = new Set([...texts, 'vatNumber', 'address', 'users', 'subsidiaries']);
  const unknown = Object.keys(order).find((member) => !known.has(member));
  if (unknown !== undefined) throw new WrongOrder(`A company has no '${unknown}'.`);
  const input = order as CompanyInput;
  understand(() => completeCompany({ ...input, taxNumber: textIn(order, 'taxNumber') }));
  return input;
}

export function readUser(order: JsonObject): UserInput {
  const { privileges = PRIVILEGES } = order;
  if (!isTexts(privileges) || !privileges.every(isPrivilege)) {
    throw new WrongOrder(`'privileges' must be an array out of ${PRIVILEGES.join(', ')}.`);
  }
  return { eujpId: textIn(order, 'eujpId'), edb: textIn(order, 'edb'), privileges };
}

export function readCertificateOrder(order: JsonObject): CertificateInput {
  const input = {
    eujpId: textIn(order, 'eujpId'),
    edb: textIn(order, 'edb'),
    certificatePem: textIn(order, 'certificatePem'),
    revoked: order['revoked'] === true,
  };
  understand(() => readCertificate(input));
  return input;
}

export type IssueOrder = { readonly eujpId: string; readonly edb: string; readonly commonName: string | null };

export function readIssueOrder(order: JsonObject): IssueOrder {
  const commonName = order['commonName'] === undefined ? null : textIn(order, 'commonName');
  return { eujpId: textIn(order, 'eujpId'), edb: textIn(order, 'edb'), commonName };
}

export function readFaults(order: JsonObject): Partial<FaultRates> {
  for (const [member, value] of Object.entries(order)) {
    const isRate = ['loseAnswers', 'loseRequests', 'loseQueries'].includes(member);
    if (!isRate && member !== 'seed') throw new WrongOrder(`There is no fault '${member}'.`);
    const isRight = isRate ? Number(value) >= 0 && Number(value) <= 1 : Number.isInteger(value);
    if (typeof value !== 'number' || !isRight) {
      throw new WrongOrder(`'${member}' must be ${isRate ? 'a share from 0 to 1' : 'a whole number'}.`);
    }
  }
  return order as Partial<FaultRates>;
}

export function readOutage({ on, kind = '502-html' }: JsonObject): OutageKind | null {
  if (typeof on !== 'boolean') throw new WrongOrder("'on' must be true or false.");
  const known = OUTAGE_KINDS.find((one) => one === kind);
  if (known === undefined) throw new WrongOrder(`'kind' must be one of ${OUTAGE_KINDS.join(', ')}.`);
  return on ? known : null;
}

function requireAddress(value: unknown): void {
  const address = asObject(value);
  if (address === null) throw new WrongOrder("'address' must be an object.");
  for (const member of ['street', 'number', 'city', 'zip']) textIn(address, member);
}

function textIn(order: JsonObject, member: string): string {
  const value = order[member];
  if (typeof value !== 'string' || value.trim() === '') throw new WrongOrder(`'${member}' must be a text.`);
  return value;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isPrivilege(value: string): value is Privilege {
  return (PRIVILEGES as readonly string[]).includes(value);
}

/** What the reader finds wrong is the order's fault. */
function understand(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw new WrongOrder(error instanceof Error ? error.message : String(error));
  }
}
