import type { Clients } from '../clients/clients.ts';
import type { Model } from '../clients/model.ts';
import type { Committed } from '../world/history-database.ts';
import { TAXPAYERS, type Taxpayer } from '../world/taxpayers.ts';

type Page = {
  readonly items: readonly { readonly docUid: string; readonly status?: number }[];
  readonly totalCount: number;
};

const PAGE_SIZE = 3;
const MOST_PAGES = 100;

/** Walks through every list as a client does, and compares what it shows with what is stored. */
export async function checkPages(clients: Clients, committed: Committed, model: Model): Promise<void> {
  for (const taxpayer of TAXPAYERS) {
    const stored = async (table: string, where: string) => {
      const rows = await committed.read<{ readonly doc_uid: string }>(
        `select doc_uid from ${table} where tenant = $1 and doc_uid is not null ${where} order by doc_uid desc`,
        [taxpayer.edb],
      );
      return rows.map((row) => row.doc_uid);
    };
    const expected = [
      ['/outbound?', await stored('outbound', '')],
      ['/outbound?status=40&', await stored('outbound', 'and status = 40')],
      ['/outbound?status=50,55,60&', await stored('outbound', 'and status in (50, 55, 60)')],
      ['/inbound?', await stored('inbound', '')],
    ] as const;
    for (const [path, docUids] of expected) {
      const shown = await walk(clients, taxpayer, path);
      if (shown === null) continue;
      if (shown.docUids.join() !== docUids.join())
        model.violate('pages show what is stored', `${taxpayer.name} ${path}: ${shown.docUids} instead of ${docUids}`);
      if (shown.counts.some((count) => count !== docUids.length))
        model.violate('counts are true', `${taxpayer.name} ${path}: ${shown.counts} instead of ${docUids.length}`);
    }
  }
}

/** Null when a call has no answer, which a fault that ends late may cause. */
async function walk(clients: Clients, taxpayer: Taxpayer, path: string) {
  const docUids: string[] = [];
  const counts: number[] = [];
  for (let page = 1; page < MOST_PAGES; page += 1) {
    const asked = { method: 'GET', path: `${path}pageSize=${PAGE_SIZE}&page=${page}`, body: null } as const;
    const reply = await clients.send(taxpayer, asked);
    if (reply?.status !== 200) return null;
    const { items, totalCount } = JSON.parse(reply.body.toString()) as Page;
    docUids.push(...items.map(({ docUid }) => docUid));
    counts.push(totalCount);
    if (items.length < PAGE_SIZE) break;
  }
  return { docUids, counts };
}
