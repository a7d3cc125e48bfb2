import { findTenantField, isTenantField } from '../../domain/documents/tenant-field.ts';
import { problem } from '../errors/problem.ts';

/** Element and attribute names: `<ns:name`, `name=`. */
const XML_NAMES = /<(?:[\w.-]+:)?([\w.-]+)|\s(?:[\w.-]+:)?([\w.-]+)\s*=/gu;

/** Refuses a body (JSON, XML or a form) that names a tenant, on calls that ignore their body. */
export function refuseTenantField(body: Uint8Array): void {
  const text = new TextDecoder().decode(body).trim();
  const field = /^[[{]/u.test(text) ? findTenantField(parsedJson(text)) : namesIn(text).find(isTenantField);
  if (field === undefined || field === null) return;
  throw problem('ERR-1007', `The body has the field "${field.slice(0, 40)}". The tenant follows from the API key.`);
}

function namesIn(text: string): readonly string[] {
  if (!text.startsWith('<')) return [...new URLSearchParams(text).keys()];
  return Array.from(text.matchAll(XML_NAMES), ([, element, attribute]) => element ?? attribute ?? '');
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
