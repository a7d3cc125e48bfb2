import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSimulator } from '../simulator/simulator.ts';
import { issueCertificate } from '../simulator/state/issue-certificate.ts';
import { systemTimers } from '../src/adapters/platform/timers.ts';
import { openOps } from '../src/app/ops.ts';
import { type Service, startService } from '../src/app/service.ts';
import { readEdb } from '../src/application/accounts/manage-tenants.ts';
import type { Edb } from '../src/domain/accounts/edb.ts';
import { openWithTenants } from './service/open-with-tenants.ts';
import { productionVariables } from './service/production-variables.ts';

/**
 * Many tenants on one user of the authority, at the authority's pace of one request a second: how long a document waits while
 * everything that is done at intervals is due as well. The figures are those of the pace, not of the machine.
 */
const TENANTS = Number(process.env['BENCH_TENANTS'] ?? 30);
const SINGLE_DOCUMENTS = 5;
const BACKLOG = 40;
const USER = 'accountant';
const SECOND_MS = 1_000;

const edbs = Array.from({ length: TENANTS }, (_, index) => readEdb(String(4_070_000_000_000 + index)));
const issued = issueCertificate({ commonName: 'Bench', validFrom: new Date() });
const { certificatePem } = issued;
const simulator = await startSimulator({
  host: '127.0.0.1',
  port: 0,
  paced: true,
  companies: edbs.map((taxNumber) => ({ taxNumber, users: [USER] })),
  certificates: edbs.map((edb) => ({ eujpId: USER, edb, certificatePem })),
});
const dataDir = await mkdtemp(join(tmpdir(), 'dostava-bench-'));
const urls = { query: simulator.url, receiver: simulator.receiverUrl, portal: simulator.portalUrl };
const measured = await openWithTenants({
  variables: { ...productionVariables(urls), DATA_DIR: dataDir },
  threads: 1,
  tenants: edbs.map((edb) => ({ edb, eujpId: USER })),
  certificate: issued,
});
const { foundation, reader } = measured;
const ops = await openOps(foundation.config, systemTimers);
const { engine } = foundation;
let documents = 0;

/** Returns its number. */
async function queue(tenant: Edb): Promise<string> {
  documents += 1;
  const number = `S-${documents}`;
  await measured.queue(tenant, number);
  return number;
}

/** What the authority has received: in the database a document counts as sent before its turn has come. */
async function received(query = ''): Promise<number> {
  const answer = await fetch(`${simulator.portalUrl}/admin/documents?${query}`);
  return ((await answer.json()) as { readonly documents: readonly unknown[] }).documents.length;
}

async function accepted(): Promise<number> {
  const row = await engine.get<{ readonly n: number }>('select count(*) as n from outbound where status = 40', []);
  return row?.n ?? 0;
}

/** In seconds, from now on. */
async function timeUntil(look: () => Promise<boolean>): Promise<number> {
  const started = performance.now();
  while (!(await look())) await pause(50);
  return (performance.now() - started) / SECOND_MS;
}

/** All that is done at intervals for all tenants is due at once, again and again. */
async function pollWithoutPause(): Promise<void> {
  const text = 'update recurring_task set due_at = $1 where lease is null and due_at > $1';
  while (!isOver) {
    await engine.transaction((sql) => sql.run(text, [Date.now()]));
    await pause(SECOND_MS);
  }
}

function show(what: string, seconds: number): void {
  console.log(`${what.padEnd(62)} ${seconds.toFixed(1).padStart(6)} s`);
}

async function startMeasured(): Promise<{ readonly service: Service; readonly since: () => number }> {
  const service = await startService(foundation, reader, ops);
  const began = performance.now();
  return { service, since: () => (performance.now() - began) / SECOND_MS };
}

/** The longest of several times until a single document has been sent, and has been accepted. */
async function sendSingly(what: string, tenants: readonly Edb[]): Promise<void> {
  const sent: number[] = [];
  const settled: number[] = [];
  for (const edb of tenants) {
    const number = await queue(edb);
    const seconds = await timeUntil(async () => (await received(`docNumber=${number}`)) > 0);
    sent.push(seconds);
    settled.push(seconds + (await timeUntil(async () => (await accepted()) === documents)));
  }
  show(`${what}: sent after, at most`, Math.max(...sent));
  show(`${what}: accepted after, at most`, Math.max(...settled));
}

let isOver = false;
console.log(`${TENANTS} tenants on one user, everything that is done at intervals is due all the time`);
const newcomers = edbs.slice(-SINGLE_DOCUMENTS);
const first = edbs.slice(0, -SINGLE_DOCUMENTS);
for (const edb of first) await queue(edb);
const polling = pollWithoutPause();
const fresh = await startMeasured();
await timeUntil(async () => (await received()) > 0);
show('new database: first document sent after', fresh.since());
await timeUntil(async () => (await accepted()) > 0);
show('new database: first document accepted after', fresh.since());
await timeUntil(async () => (await accepted()) === first.length);
show(`new database: a document of each of ${first.length} tenants accepted after`, fresh.since());
await sendSingly('a single document', first.slice(0, SINGLE_DOCUMENTS));
await sendSingly("a tenant's first document", newcomers);

const backlogBegan = performance.now();
for (let index = 0; index < BACKLOG; index += 1) await queue(first[index % first.length] ?? readEdb(''));
await timeUntil(async () => (await accepted()) === documents);
const backlogSeconds = (performance.now() - backlogBegan) / SECOND_MS;
show(`a backlog of ${BACKLOG}: one document every`, backlogSeconds / BACKLOG);
await fresh.service.stop();
const receivedBefore = await received();
await queue(first[0] ?? readEdb(''));
const restarted = await startMeasured();
await timeUntil(async () => (await received()) > receivedBefore);
show('after a restart: first document sent after', restarted.since());
isOver = true;
await polling;
await restarted.service.stop();
await ops.close();
await measured.close();
await rm(dataDir, { recursive: true });
await simulator.close();
