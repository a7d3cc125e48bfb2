import { OUTAGE_KINDS, type OutageKind } from '../faults/outage.ts';
import { PAYLOAD_SHAPES, type PayloadShape } from '../faults/payload-faults.ts';
import type { FaultRates } from '../faults/random-faults.ts';
import { asObject, type JsonObject } from '../json-object.ts';
import { type CertificateInput, readCertificate } from '../state/certificate.ts';
import { type CompanyInput, completeCompany, PRIVILEGES, type Privilege, type UserInput } from '../state/company.ts';
import { RULE_VALUES, type Rules } from '../unpublished-rules.ts';
import { InvalidInput } from './invalid-input.ts';
import type { Replacement } from './replace-as-supplier.ts';

/** A smaller number has an exponent. */
const PLAIN_NUMBER = /^\d+(?:\.\d+)?$/u;

/** One input, or a list of them. */
export function inputsIn(body: unknown): readonly JsonObject[] {
  return (Array.isArray(body) ? body : [body]).map((one) => {
    const input = asObject(one);
    if (input === null) throw new InvalidInput('The body must be a JSON object or an array of them.');
    return input;
  });
}

export function readCompany(input: JsonObject): CompanyInput {
  const texts = ['taxNumber', 'registrationNumber', 'name', 'municipality'];
  for (const member of texts) if (input[member] !== undefined) textIn(input, member);
  if (input['vatNumber'] !== null && input['vatNumber'] !== undefined) textIn(input, 'vatNumber');
  if (input['address'] !== undefined) requireAddress(input['address']);
  const { users = [] } = input;
  if (!isTexts(users)) throw new InvalidInput("'users' must be an array of EUJP-IDs.");
  const known = new Set([...texts, 'vatNumber', 'address', 'users', 'subsidiaries']);
  const unknown = Object.keys(input).find((member) => !known.has(member));
  if (unknown !== undefined) throw new InvalidInput(`A company has no '${unknown}'.`);
  const company = input as CompanyInput;
  reportAsInvalid(() => completeCompany({ ...company, taxNumber: textIn(input, 'taxNumber') }));
  return company;
}

export function readUser(input: JsonObject): UserInput {
  const { privileges = PRIVILEGES } = input;
  if (!isTexts(privileges) || !privileges.every(isPrivilege)) {
    throw new InvalidInput(`'privileges' must be an array out of ${PRIVILEGES.join(', ')}.`);
  }
  return { eujpId: textIn(input, 'eujpId'), edb: textIn(input, 'edb'), privileges };
}

export function readCertificateInput(input: JsonObject): CertificateInput {
  const certificate = {
    eujpId: textIn(input, 'eujpId'),
    edb: textIn(input, 'edb'),
    certificatePem: textIn(input, 'certificatePem'),
    revoked: input['revoked'] === true,
  };
  reportAsInvalid(() => readCertificate(certificate));
  return certificate;
}

export type IssueInput = { readonly eujpId: string; readonly edb: string; readonly commonName: string | null };

export function readIssueInput(input: JsonObject): IssueInput {
  const commonName = input['commonName'] === undefined ? null : textIn(input, 'commonName');
  return { eujpId: textIn(input, 'eujpId'), edb: textIn(input, 'edb'), commonName };
}

export function readFaults(input: JsonObject): Partial<FaultRates> {
  for (const [member, value] of Object.entries(input)) {
    const isRate = ['loseAnswers', 'loseRequests', 'loseQueries'].includes(member);
    if (!isRate && member !== 'seed') throw new InvalidInput(`There is no fault '${member}'.`);
    const isRight = isRate ? Number(value) >= 0 && Number(value) <= 1 : Number.isInteger(value);
    if (typeof value !== 'number' || !isRight) {
      throw new InvalidInput(`'${member}' must be ${isRate ? 'a share from 0 to 1' : 'a whole number'}.`);
    }
  }
  return input as Partial<FaultRates>;
}

export function readPayloadShape({ euid = null, serve, ...others }: JsonObject): {
  readonly euid: string | null;
  readonly shape: PayloadShape;
} {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new InvalidInput(`There is no '${unknown}' here.`);
  const shape = PAYLOAD_SHAPES.find((one) => one === serve);
  if (shape === undefined) throw new InvalidInput(`'serve' must be one of ${PAYLOAD_SHAPES.join(', ')}.`);
  return { euid: euid === null ? null : textIn({ euid }, 'euid'), shape };
}

export function readReplacement(kind: Replacement['kind'], input: JsonObject): Replacement {
  const unknown = Object.keys(input).find((member) => !['euid', 'reasonCode', 'comment'].includes(member));
  if (unknown !== undefined) throw new InvalidInput(`There is no '${unknown}' here.`);
  const optional = (member: string) => (input[member] === undefined ? null : textIn(input, member));
  return { kind, euid: textIn(input, 'euid'), reasonCode: optional('reasonCode'), comment: optional('comment') };
}

export function readRules(input: JsonObject): Partial<Rules> {
  for (const [rule, value] of Object.entries(input)) {
    if (!Object.hasOwn(RULE_VALUES, rule)) throw new InvalidInput(`There is no rule '${rule}'.`);
    const allowed = RULE_VALUES[rule as keyof Rules];
    if (typeof allowed !== 'number') {
      if (allowed.some((one) => one === value)) continue;
      throw new InvalidInput(`'${rule}' must be one of ${allowed.join(', ')}.`);
    }
    const isRight = typeof value === 'number' && value >= 0 && value <= allowed && PLAIN_NUMBER.test(String(value));
    if (!isRight) throw new InvalidInput(`'${rule}' must be a number from 0 to ${allowed}.`);
  }
  return input as Partial<Rules>;
}

export function readOutage({ on, kind = '502-html' }: JsonObject): OutageKind | null {
  if (typeof on !== 'boolean') throw new InvalidInput("'on' must be true or false.");
  const known = OUTAGE_KINDS.find((one) => one === kind);
  if (known === undefined) throw new InvalidInput(`'kind' must be one of ${OUTAGE_KINDS.join(', ')}.`);
  return on ? known : null;
}

function requireAddress(value: unknown): void {
  const address = asObject(value);
  if (address === null) throw new InvalidInput("'address' must be an object.");
  for (const member of ['street', 'number', 'city', 'zip']) textIn(address, member);
}

function textIn(input: JsonObject, member: string): string {
  const value = input[member];
  if (typeof value !== 'string' || value.trim() === '') throw new InvalidInput(`'${member}' must be a text.`);
  return value;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isPrivilege(value: string): value is Privilege {
  return (PRIVILEGES as readonly string[]).includes(value);
}

/** What these functions throw is about the input, not a bug. */
function reportAsInvalid(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw new InvalidInput(error instanceof Error ? error.message : String(error));
  }
}
