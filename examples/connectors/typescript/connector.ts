// Submits the invoices of a folder, follows them, and imports what arrives: see ../README.md.
//   DOSTAVA_URL=… DOSTAVA_KEY=… node connector.ts <folder>
import * as fs from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient, FINAL_STATUSES, newIdempotencyKey, ProblemError, sha256Of } from 'dostava-client';

const ACCEPTED = 40;
/** The operator may have a rejected or failed document retried: it is asked for again for so long. */
const RETRIABLE = [50, 55];
const RETRIABLE_MS = 7 * 86_400_000;
/** Other errors than these would meet every call. */
const ABOUT_A_SUBMISSION = [400, 409, 413];
/** The service does not have the document any more, or its stored file is damaged. */
const ABOUT_AN_ARRIVAL = [404, 500];

const [folder = '.'] = process.argv.slice(2);
const client = createClient({
  url: process.env['DOSTAVA_URL'] ?? 'http://127.0.0.1:8080',
  apiKey: process.env['DOSTAVA_KEY'] ?? 'demo-alfa',
  software: 'connector-typescript/1.0',
});

for (const name of ['containers', 'imported']) fs.mkdirSync(join(folder, name), { recursive: true });
lockFolder();
const state = openState(join(folder, 'state.tsv'));
let reported = 0;
// Nobody may be there to read what is reported.
process.stderr.on('error', () => undefined);

const outbox = fs.readdirSync(join(folder, 'outbox')).filter((name) => name.endsWith('.xml'));
for (const file of outbox.sort()) await submit(file);
// What is not final by then is left to the next run: an authority that is down must not keep arrivals from being imported.
const signal = AbortSignal.timeout(Number(process.env['DOSTAVA_WAIT_SECONDS'] ?? 120) * 1_000);
for (const file of [...state.taken.keys()]) await follow(file, signal);
await client.importArrivals(
  async (arrival) => {
    const { bytes } = await arrival.download();
    const sha256 = await sha256Of(bytes);
    const known = state.importedBytes.get(sha256);
    if (known === undefined) keep(join('imported', identifier(arrival.docUid)), bytes);
    else tell(arrival.docUid, `is ${known} once more`);
    state.add('imported', identifier(arrival.docUid), sha256);
  },
  { isImported: (docUid) => state.imported.has(docUid), onFailure: leaveArrival },
);
process.exitCode = reported === 0 ? 0 : 1;

/** Two runs would submit a file twice. Node locks no files, but its SQLite does; the lock ends with the process, however that ends. */
function lockFolder(): void {
  const place = join(folder, '.lock');
  try {
    // One that may not be written, another user's, would be opened for reading, and nothing be locked.
    fs.closeSync(fs.openSync(place, 'a'));
    const lock = new DatabaseSync(place);
    lock.exec('BEGIN EXCLUSIVE');
    process.on('exit', () => lock.close());
  } catch (failure) {
    const isHeld = String(failure).includes('database is locked');
    // SQLite says the same of a file system without locks.
    const heldBy = 'another run is under way in this folder, or its file system has no locks';
    const said = isHeld ? heldBy : 'the folder cannot be locked';
    process.stderr.write(`${said} (${failure})\n`);
    process.exit(1);
  }
}

async function submit(file: string): Promise<void> {
  if (state.taken.has(file) || state.refused.has(file)) return;
  const path = join(folder, 'outbox', file);
  // Node gives such a name with signs in place of its bytes, and there is no file of that name.
  if (!fs.existsSync(path)) return report(file, 'cannot be opened; is its name in UTF-8?');
  const document = new Uint8Array(fs.readFileSync(path));
  const sha256 = await sha256Of(document);
  const begun = state.begun.get(file);
  if (begun !== undefined && begun.sha256 !== sha256) return report(file, 'was changed after its submission began');
  const idempotencyKey = begun?.idempotencyKey ?? newIdempotencyKey();
  try {
    if (begun === undefined) state.add('begin', file, idempotencyKey, sha256);
    const isKnown = (docUid: string) => [...state.taken.values()].includes(docUid);
    const submitted =
      begun === undefined
        ? await client.submit(document, { idempotencyKey })
        : await client.resumeSubmission(document, { idempotencyKey, isKnown });
    state.add('taken', file, identifier(submitted.docUid));
  } catch (failure) {
    reportRefusal(file, failure);
  }
}

/**
 * What is not about the document itself, such as a tenant that must not submit, is tried again by the next run. Not where the
 * taxpayer went to the other environment meanwhile (409 without a code): a trial would become a real invoice.
 */
function reportRefusal(file: string, failure: unknown): void {
  if (!(failure instanceof ProblemError) || !ABOUT_A_SUBMISSION.includes(failure.status)) throw failure;
  const { code, status, message } = failure;
  report(file, message);
  const refusal = code ?? `HTTP ${status}`;
  if (/^(?:ERR-(?:1007|2)|HTTP 409$)/u.test(refusal)) state.add('refused', file, refusal);
}

async function follow(file: string, signal: AbortSignal): Promise<void> {
  const docUid = state.taken.get(file) ?? '';
  try {
    if (mayChange(file)) await awaitFinal(file, docUid, signal);
    if (state.final.get(file)?.status !== ACCEPTED || state.stored.has(file)) return;
    const { bytes } = await client.downloadContainer(docUid);
    keep(join('containers', `${file.replace(/\.xml$/u, '')}.${docUid}.ujp`), bytes);
    state.add('stored', file);
  } catch (failure) {
    if (failure !== signal.reason) leaveAbsent(file, failure);
  }
}

function mayChange(file: string): boolean {
  const noted = state.final.get(file);
  return noted === undefined || (RETRIABLE.includes(noted.status) && Date.now() - noted.seenAt < RETRIABLE_MS);
}

/** Each is asked for once, also when another has used up the time to wait. */
async function awaitFinal(file: string, docUid: string, signal: AbortSignal): Promise<void> {
  const noted = state.final.get(file);
  const found = await client.readOutbound(docUid);
  if (found.status === noted?.status) return;
  const isFinal = FINAL_STATUSES.includes(found.status);
  if (noted !== undefined && !isFinal) {
    tell(file, 'is being retried');
    state.add('retried', file);
  }
  const document = isFinal ? found : await client.waitForFinalStatus(docUid, { signal });
  const { status, failureCode, failureMessage } = document;
  if (status !== ACCEPTED) report(file, `ended in ${status}: ${failureCode} ${failureMessage}`);
  else if (noted !== undefined || state.retried.has(file)) tell(file, 'was accepted after all');
  state.add('final', file, String(status), String(Math.floor(Date.now() / 1_000)));
}

/** The container is not there yet, or a service that was restored does not have the document; of one that it had rejected nothing is said. */
function leaveAbsent(file: string, failure: unknown): void {
  const code = failure instanceof ProblemError ? failure.code : null;
  const status = state.final.get(file)?.status ?? 0;
  if (code === 'ERR-3002' && status === ACCEPTED) return;
  if (code !== 'ERR-3001') throw failure;
  if (!RETRIABLE.includes(status)) report(file, 'is not known to the service any more; ask its operator');
}

/** It comes again with the next run, and keeps no other from being imported. */
function leaveArrival(failure: unknown, { docUid }: { readonly docUid: string }): void {
  if (!(failure instanceof ProblemError) || !ABOUT_AN_ARRIVAL.includes(failure.status)) throw failure;
  report(docUid, `cannot be downloaded: ${failure.message}`);
}

function report(file: string, message: string): void {
  reported += 1;
  tell(file, message);
}

/** Before its line is added: a kill between them makes a message come twice, and never lost. */
function tell(file: string, message: string): void {
  process.stderr.write(`${file}: ${message}\n`);
}

/** What a service calls a document becomes a part of names of files. */
function identifier(docUid: string): string {
  if (!/^[0-9A-Za-z-]{1,64}$/u.test(docUid)) throw new Error(`no identifier: ${JSON.stringify(docUid)}`);
  return docUid;
}

/** Whole and on disk under its name, or not there at all. */
function keep(name: string, bytes: Uint8Array): void {
  const place = join(folder, name);
  fs.writeFileSync(`${place}.part`, bytes, { flush: true });
  fs.renameSync(`${place}.part`, place);
}

function openState(place: string) {
  const begun = new Map<string, { readonly idempotencyKey: string; readonly sha256: string }>();
  const [taken, refused] = [new Map<string, string>(), new Map<string, string>()];
  const final = new Map<string, { readonly status: number; readonly seenAt: number }>();
  const [retried, stored, imported] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const importedBytes = new Map<string, string>();
  const text = fs.existsSync(place) ? fs.readFileSync(place) : Buffer.alloc(0);
  // In bytes: another connector may have noted names that are not in UTF-8, which are longer as a text.
  const whole = text.subarray(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) fs.truncateSync(place, whole.length);
  for (const line of whole.toString().split('\n')) take(line.split('\t'));
  const file = fs.openSync(place, 'a', 0o600);
  process.on('exit', () => fs.closeSync(file));

  function take([kind, name = '', value = '', more = '']: readonly string[]): void {
    if (kind === 'begin') begun.set(name, { idempotencyKey: value, sha256: more });
    if (kind === 'taken') taken.set(name, value);
    if (kind === 'refused') refused.set(name, value);
    // The version before noted no time: its lines are final.
    if (kind === 'final') final.set(name, { status: Number(value), seenAt: Number(more) * 1_000 });
    if (kind === 'retried') {
      retried.add(name);
      final.delete(name);
    }
    if (kind === 'stored') stored.add(name);
    if (kind === 'imported') {
      imported.add(name);
      importedBytes.set(value, name);
    }
  }

  function add(...line: readonly string[]): void {
    if (line.some((part) => /[\t\n]/u.test(part))) throw new Error(`A name has a tab or a line break: ${line[1]}`);
    // Whole, or it throws: `writeSync` would leave out what a full disk does not take, and say so by a number alone.
    fs.appendFileSync(file, `${line.join('\t')}\n`, { flush: true });
    take(line);
  }

  return { begun, taken, refused, final, retried, stored, imported, importedBytes, add };
}
