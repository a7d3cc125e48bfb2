import type { CodeListEntry } from '../../../domain/values/code-list.ts';
import { authorityDate } from '../answers/authority-date.ts';
import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import type { CodeListService } from './code-list-services.ts';

/** Members of an item that an entry tells in its own way, or that tell nothing about it. */
const TOLD = ['isActive', 'active', 'validDateFrom', 'validDateTo', 'updated_on', 'updatedOn', '__proto__'];

/** The entries of a list as served; null when the answer does not hold the list. Items without a code are dropped. */
export function readCodeListAnswer(answer: JsonObject, service: CodeListService): readonly CodeListEntry[] | null {
  const items = answer[service.list];
  if (!Array.isArray(items)) return null;
  const entries = items.filter(isJsonObject).flatMap((item) => readEntry(item, service));
  const understood = entries.length > 0 || items.length === 0;
  return understood ? entries : null;
}

function readEntry(item: JsonObject, service: CodeListService): CodeListEntry[] {
  const code = label(item[service.code]);
  if (code === null) return [];
  return [
    {
      code,
      name: label(item[service.name]) ?? code,
      // Lists that cannot be switched off entry by entry carry no flag.
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
    if (member === code || member === name || TOLD.includes(member)) continue;
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) {
      details.push([member, value as string | number | boolean | null]);
    }
  }
  return Object.fromEntries(details);
}

/** Never trimmed or case-folded: what is served is what a document must repeat. */
function label(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
