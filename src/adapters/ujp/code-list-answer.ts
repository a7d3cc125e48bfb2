import type { CodeListEntry } from '../../domain/code-list.ts';
import { authorityDate } from './authority-date.ts';
import type { CodeListService } from './code-list-services.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';

/** The entries of a list as served; null when the answer does not hold the list. Items without a code are dropped. */
export function readCodeListAnswer(answer: unknown, service: CodeListService): readonly CodeListEntry[] | null {
  if (!isJsonObject(answer) || answer['success'] === false) return null;
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
    },
  ];
}

/** Never trimmed or folded: what is served is what a document must repeat. */
function label(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
