/** One page of a list, newest first. */
type Page<Item> = { readonly items: readonly Item[] | null; readonly totalPages: number };

type Place = { readonly at: number; readonly docUid: string };

type List<Item> = {
  /** A page of what was created at the time or before. */
  readonly readPage: (place: { readonly dateTo: string | undefined; readonly page: number }) => Promise<Page<Item>>;
  readonly timeOf: (item: Item) => string;
};

/**
 * Every document of a list once, newest first. Pages are asked for by the time of the last document, not by their number: documents
 * that arrive or leave the list meanwhile (acknowledged, or in another status) move all pages, and by number some would be skipped.
 */
export async function* eachDocument<Item extends { readonly docUid: string | null }>(
  { readPage, timeOf }: List<Item>,
  dateTo: string | undefined,
): AsyncGenerator<Item & { readonly docUid: string }, void> {
  let last: Place | null = null;
  let from = dateTo;
  for (let page = 1; ; ) {
    const { items, totalPages } = await readPage({ dateTo: from, page });
    let hasNew = false;
    for (const item of items ?? []) {
      const place: Place = { at: Date.parse(timeOf(item)), docUid: item.docUid ?? '' };
      if (last !== null && !isAfter(place, last)) continue;
      last = place;
      hasNew = true;
      yield { ...item, docUid: place.docUid };
    }
    const oldest = items?.at(-1);
    if (oldest === undefined || page >= totalPages) return;
    // More documents of one moment than a page holds: only the number of the page leads beyond them. What was given may have left the
    // list since, and the others have moved up: so the first page again before the next.
    page = timeOf(oldest) === from && !hasNew ? page + 1 : 1;
    from = timeOf(oldest);
  }
}

/** In the order of lists: by time, then by docUid, both descending. */
function isAfter(place: Place, last: Place): boolean {
  return place.at < last.at || (place.at === last.at && place.docUid < last.docUid);
}
