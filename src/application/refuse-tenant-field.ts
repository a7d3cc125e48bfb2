import { findTenantField, isTenantField } from '../domain/tenant-field.ts';
import { problem } from './problem.ts';

/** Element, attribute and form names: `<ns:name`, `name=`. */
const NAMES = /<(?:[\w.-]+:)?([\w.-]+)|(?:^|[&\s])(?:[\w.-]+:)?([\w.-]+)\s*=/gu;

/** Refuses a body that names a tenant, on calls that take none: JSON, XML or a form. */
export function refuseTenantField(body: Uint8Array): void {
  if (looksLikeJson(body)) refuse(findTenantField(parsedJson(body)));
  const names = new TextDecoder().decode(body).matchAll(NAMES);
  for (const [, element, field] of names) {
    const name = element ?? field ?? '';
    if (isTenantField(name)) refuse(name);
  }
}

function refuse(field: string | null): void {
  if (field === null) return;
  throw problem('ERR-1007', `The body has the field "${field.slice(0, 40)}". The tenant follows from the API key.`);
}

/** By the first sign that is neither blank nor part of a byte order mark. */
function looksLikeJson(body: Uint8Array): boolean {
  const first = body.find((byte) => byte > 0x20 && ![0xef, 0xbb, 0xbf].includes(byte));
  return first === 0x7b || first === 0x5b;
}

function parsedJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
