import { ALFA_EDB } from '../../test/support/ubl-samples.ts';
import type { Read } from '../baselines/raw-order.ts';
import type { Bench } from '../bench.ts';
import { TENANT } from '../growth/shape.ts';
import type { Call, Plan } from '../load/plan.ts';
import type { Baseline } from '../report/figures.ts';
import type { EngineName } from '../service/databases.ts';
import type { Headers, OpenedInterface } from '../service/opened-interface.ts';
import { bareServer, closed, LEAST_REQUESTS, measureLoad, measureRaw } from './measure-load.ts';
import type { Scenario } from './scenario.ts';

export const API = '/api/integration/v1';
const FEED = '/api/extensions/v1/changes';
/** So many different documents are read in turns. */
const DOCUMENTS = 50;
const PAGES_OF_FEED = 10;
const ENTRIES_OF_A_PAGE = 200;

/** What a scenario reads, and how the database alone would. */
type Reading = {
  readonly name: string;
  readonly headers: (opened: OpenedInterface) => Headers;
  readonly paths: (opened: OpenedInterface) => Promise<readonly string[]>;
  readonly rawly: (opened: OpenedInterface) => Promise<readonly Read[]>;
};

const OUTBOUND = 'select * from outbound where tenant = $1 and id = $2';
const HISTORY = 'select * from outbound_history where tenant = $1 and doc_uid = $2';
const OUTBOUND_FILE = `select content.bytes from outbound join content on content.tenant = outbound.tenant
  and content.sha256 = outbound.ubl_sha256 where outbound.tenant = $1 and outbound.id = $2`;
const INBOUND_FILE = `select content.bytes from inbound join content on content.tenant = inbound.tenant
  and content.sha256 = inbound.ubl_sha256 where inbound.tenant = $1 and inbound.id = $2`;
const INBOUND_PAGE = 'select * from inbound where tenant = $1 order by id desc limit 100';
const FEED_PAGE = `select * from document_change where tenant = $1 and number > 0 order by number limit ${ENTRIES_OF_A_PAGE}`;

const submitter = (opened: OpenedInterface) => opened.submitter;
const owner = (opened: OpenedInterface) => opened.owner;

const READINGS: readonly Reading[] = [
  { name: 'ping', headers: submitter, paths: async () => [`${API}/ping`], rawly: async () => [] },
  {
    name: 'detail',
    headers: submitter,
    paths: (opened) => ofSubmitted(opened, ''),
    rawly: (opened) => ofFirstSubmitted(opened, OUTBOUND),
  },
  {
    name: 'history',
    headers: submitter,
    paths: (opened) => ofSubmitted(opened, '/history'),
    rawly: (opened) => ofFirstSubmitted(opened, HISTORY),
  },
  {
    name: 'file of 9 kB',
    headers: submitter,
    paths: (opened) => ofSubmitted(opened, '/file'),
    rawly: (opened) => ofFirstSubmitted(opened, OUTBOUND_FILE),
  },
  {
    name: 'inbound list, first page',
    headers: owner,
    paths: async () => [`${API}/inbound?pageSize=100`],
    rawly: async () => [{ text: INBOUND_PAGE, values: [TENANT] }],
  },
  {
    name: 'inbound file of 9 kB',
    headers: owner,
    paths: async (opened) => (await inboundDocUids(opened)).map((docUid) => `${API}/inbound/${docUid}/file`),
    rawly: async (opened) => [{ text: INBOUND_FILE, values: [TENANT, (await inboundDocUids(opened))[0] ?? ''] }],
  },
  {
    name: 'change feed, pages from the beginning on',
    headers: owner,
    paths: feedPaths,
    rawly: async () => [{ text: FEED_PAGE, values: [TENANT] }],
  },
];

export function readScenarios(engine: EngineName): readonly Scenario<OpenedInterface>[] {
  return READINGS.map((reading) => scenarioOf(reading, engine));
}

export const pingPlan = (opened: OpenedInterface) => planOf(opened, opened.submitter, [`${API}/ping`]);

export async function detailPlan(opened: OpenedInterface): Promise<Plan> {
  return planOf(opened, opened.submitter, await ofSubmitted(opened, ''));
}

export function planOf(opened: OpenedInterface, headers: Headers, paths: readonly string[]): Plan {
  const calls = paths.map((path): Call => ({ method: 'GET', path, headers, body: null, numberAt: null }));
  return { url: opened.service().facts.url, calls, expected: [200] };
}

function scenarioOf({ name, headers, paths, rawly }: Reading, engine: EngineName): Scenario<OpenedInterface> {
  const plan = async (opened: OpenedInterface) => planOf(opened, headers(opened), await paths(opened));
  return {
    name: `${name}, ${engine}`,
    compared: 'perSecond',
    measure: async (bench, opened) => measureLoad(bench, opened.service().pid, await plan(opened), closed(bench)),
    async baselines(bench, opened) {
      const reads = await rawly(opened);
      return [
        await bareAnswers(bench, opened, await plan(opened)),
        ...(reads.length === 0 ? [] : [await sameReads(bench, opened, reads)]),
      ];
    },
  };
}

/** A server that answers as many bytes. */
export async function bareAnswers(bench: Bench, opened: OpenedInterface, plan: Plan): Promise<Baseline> {
  const [{ path, headers } = { path: '', headers: {} }] = plan.calls;
  const answer = await fetch(`${opened.service().facts.url}${path}`, { headers });
  const { byteLength } = await answer.arrayBuffer();
  return bareServer(bench, { ...plan, calls: plan.calls.slice(0, 1) }, closed(bench), byteLength);
}

export async function sameReads(bench: Bench, opened: OpenedInterface, reads: readonly Read[]): Promise<Baseline> {
  const order = { kind: 'read', reads, ms: bench.settings.measureMs, atLeast: LEAST_REQUESTS } as const;
  const figures = await measureRaw(bench, await opened.raw(), order);
  return { name: `${opened.database.engine} alone, the same rows`, figures };
}

const submitted = new WeakMap<OpenedInterface, Promise<readonly string[]>>();

/** One by one: connections that stay open count against what one address may have. */
async function submitAll(opened: OpenedInterface): Promise<readonly string[]> {
  const docUids: string[] = [];
  for (let index = 0; index < DOCUMENTS; index += 1) docUids.push(await opened.submit('9 kB', 1_000 + index));
  return docUids;
}

async function submittedDocUids(opened: OpenedInterface): Promise<readonly string[]> {
  const docUids = submitted.get(opened) ?? submitAll(opened);
  submitted.set(opened, docUids);
  return docUids;
}

async function ofSubmitted(opened: OpenedInterface, what: string): Promise<readonly string[]> {
  return (await submittedDocUids(opened)).map((docUid) => `${API}/outbound/${docUid}${what}`);
}

async function ofFirstSubmitted(opened: OpenedInterface, text: string): Promise<readonly Read[]> {
  return [{ text, values: [ALFA_EDB, (await submittedDocUids(opened))[0] ?? ''] }];
}

async function inboundDocUids(opened: OpenedInterface): Promise<readonly string[]> {
  const page = (await opened.call(opened.owner, `${API}/inbound?pageSize=${DOCUMENTS}`)) as {
    readonly items: readonly { readonly docUid: string }[];
  };
  return page.items.map(({ docUid }) => docUid);
}

async function feedPaths(opened: OpenedInterface): Promise<readonly string[]> {
  const paths = [FEED];
  for (let page = 1; page < PAGES_OF_FEED; page += 1) {
    const { next } = (await opened.call(opened.owner, paths.at(-1) ?? FEED)) as { readonly next: string };
    paths.push(`${FEED}?after=${encodeURIComponent(next)}`);
  }
  return paths;
}
