import type { CodeListEntry } from '../../../domain/values/code-list.ts';
import { authorityDate } from '../answers/authority-date.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import type { CodeListService } from './code-list-services.ts';

/** Members that an entry holds in fields of its own, and members without meaning for an entry. */
const NOT_DETAILS = ['isActive', 'active', 'validDateFrom', 'validDateTo', 'updated_on', 'updatedOn', '__proto__'];

/**
 * The entries of a code list; items without a code are dropped. Null when the answer holds no list, none of its items is
 * readable, or none has what every document needs of it: such a list must not take the place of the one from before, because with it
 * every document would end in 55.
 */
export function readCodeListAnswer(answer: JsonObject, service: CodeListService): readonly CodeListEntry[] | null {
  const items = answer[service.list];
  if (!Array.isArray(items)) return null;
  const entries = items.filter(isJsonObject).flatMap((item) => readEntry(item, service));
  const isReadable = entries.length > 0 || items.length === 0;
  return isReadable && isUsable(entries, service) ? entries : null;
}

function isUsable(entries: readonly CodeListEntry[], { needed }: CodeListService): boolean {
  if (needed === undefined) return true;
  return entries.some(({ details }) => needed.every((member) => (details[member] ?? null) !== null));
}

function readEntry(item: JsonObject, service: CodeListService): CodeListEntry[] {
  const code = label(item[service.code]);
  if (code === null) return [];
  return [
    {
      code,
      name: label(item[service.name]) ?? code,
      // Some lists have no such flag: all of their entries are active.
      active: (item['isActive'] ?? item['active']) !== false,
      validFrom: authorityDate(item['validDateFrom']),
      validTo: authorityDate(item['validDateTo']),
      details: detailsOf(item, service),
    },
  ];
}

function detailsOf(item: JsonObject, { code, name }: CodeListService): CodeListEntry['details'] {
  const details: [string, string | number | boolean | null][] = [];
  for (const [member, value] of Object.entries(item)) {
    if (member === code || member === name || NOT_DETAILS.includes(member)) continue;
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) {
      details.push([member, value as string | number | boolean | null]);
    }
  }
  return Object.fromEntries(details);
}

/** Neither trimmed nor case-folded: a document must repeat codes and names exactly. */
function label(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
