import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openArchiveFolder } from '../../../src/adapters/archive/archive-folder.ts';
import { openArchivedFiles } from '../../../src/adapters/archive/archived-files.ts';
import { systemHasher } from '../../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { LockNotFree } from '../../../src/adapters/sql/engine.ts';
import { lockArchive } from '../../../src/adapters/sql/sqlite/exclusive-connection.ts';
import { contentSweep } from '../../../src/adapters/sql/stores/content-sweep.ts';
import { storedBytes } from '../../../src/adapters/sql/stores/recovery/stored-bytes.ts';
import { ContentInUse } from '../../../src/application/errors/operator-error.ts';
import { readInbound } from '../../../src/application/inbound/read-inbound.ts';
import { type ArchiveRequest, archiveDocuments } from '../../../src/application/maintenance/archive-documents.ts';
import { readArchivedFile } from '../../../src/application/maintenance/read-archived-file.ts';
import { verifyArchive } from '../../../src/application/maintenance/verify-archive.ts';
import { readOutbound } from '../../../src/application/outbound/read-outbound.ts';
import type { ArchiveFolder } from '../../../src/application/ports/archive-folder.ts';
import type { ContentSweep } from '../../../src/application/ports/storage/archive-store.ts';
import type { Storage } from '../../../src/application/ports/storage/storage.ts';
import { checkStoredBytes } from '../../../src/application/recovery/check-stored-bytes.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import { assertListIsTrue } from '../../engines/recount.ts';
import {
  ANY_INBOUND,
  ANY_OUTBOUND,
  addOutboundIn,
  fileOf,
  MORNING,
  newInbound,
  newOutbound,
  newTenant,
  recordTest,
} from '../../engines/samples.ts';
import { onEveryEngine, type TestDatabase } from '../../support/engines.ts';
import { temporaryFolder, until } from '../../support/process.ts';

const DAY = 86_400_000;
const NOW = MORNING + 4_000 * DAY;
const WAITING_FOR_CONTENT = `select 1 as one from pg_locks where mode = 'ExclusiveLock' and not granted
  and database = (select oid from pg_database where datname = current_database())`;
const NO_LOCK = () => ({ [Symbol.dispose]: () => undefined });
const PAGE = { page: 1, pageSize: 100 };
const SENT = { docTypeCode: '100', docNumber: 'N', docDate: '2026-11-16', docId: 'ID', text: '{"document":{}}' };
const PAYLOAD = { ...SENT, warnings: [], requestTimestamp: null, sentAt: null };

function archiver(
  { engine, storage }: TestDatabase,
  contents: ContentSweep = contentSweep(engine, systemTimers.nextTurn),
) {
  const archive = archiveDocuments({
    storage,
    contents,
    hasher: systemHasher,
    clock: { now: () => NOW },
    record: recordTest,
  });
  return (folder: ArchiveFolder, remove: boolean, before = MORNING + 30 * DAY, changes: Partial<ArchiveRequest> = {}) =>
    archive({
      folder,
      lock: NO_LOCK,
      before,
      remove,
      isServed: true,
      younger: false,
      // What the tests before have archived is elsewhere.
      isNewArchive: true,
      progress: () => undefined,
      ...changes,
    });
}

/** A taxpayer with a document in every state, old and new. `shared` are bytes that an old and a living document have in common. */
async function fill(storage: Storage) {
  const tenant = newTenant();
  const shared = fileOf(`<Invoice>of ${tenant.edb}, twice</Invoice>`);
  const docUids = await storage.transaction(async (tx) => {
    await tx.tenants.add(tenant, MORNING);
    const add = async (status: 10 | 30 | 40 | 50 | 55 | 60, at: number, changes = {}) =>
      (await addOutboundIn(tx, tenant.edb, status, newOutbound(changes), at)).docUid;
    const accepted = await add(40, MORNING, { pdf: fileOf(`%PDF of ${tenant.edb}`) });
    await tx.deliveries.storeContainer(tenant.edb, accepted, fileOf(`container of ${tenant.edb}`), MORNING);
    const rejected = await add(50, MORNING + 20 * DAY, { ubl: shared });
    const failed = await add(55, MORNING + 20 * DAY);
    const cancelled = await add(60, MORNING + 20 * DAY);
    const waiting = await add(10, MORNING + 20 * DAY);
    const recent = await add(40, MORNING + 40 * DAY, { ubl: shared });
    await tx.deliveries.beginAttempt(tenant.edb, rejected, 'send', MORNING);
    const [acknowledged, unread] = [newInbound({ senderName: 'Бета\u2028\n"' }), newInbound()];
    const received = (await tx.inbound.add(tenant.edb, acknowledged, MORNING)).stored.docUid;
    await tx.inbound.add(tenant.edb, unread, MORNING);
    await tx.inbound.acknowledge(tenant.edb, received, MORNING + DAY);
    return { accepted, rejected, failed, cancelled, waiting, recent, received };
  });
  return { tenant: tenant.edb, shared, docUids };
}

/** What the interface reads files with, over an archive folder. */
function readers(storage: Storage, root: string | null) {
  const archivedFiles = openArchivedFiles(root, systemTimers, () => undefined);
  const archived = readArchivedFile({ archive: storage.archive, archivedFiles });
  const clock = { now: () => NOW };
  return { outbound: readOutbound({ ...storage, archived, clock }), inbound: readInbound({ ...storage, archived }) };
}

function plainFiles(files: Readonly<Record<string, Uint8Array>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('latin1')]),
  );
}

function linesOf(root: string, tenant: Edb): { id: string; files: Record<string, { path: string }>; volume: string }[] {
  return readdirSync(join(root, tenant), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('documents.jsonl'))
    .flatMap((path) =>
      readFileSync(join(root, tenant, path), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => ({ ...JSON.parse(line), volume: join(root, tenant, path, '..') })),
    );
}

function everythingIn(root: string): readonly string[] {
  return existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
}

async function damageOf(root: string): Promise<readonly string[]> {
  const { volumes } = await verifyArchive(openArchiveFolder(root), () => undefined);
  return volumes.flatMap(({ damage }) => damage);
}

onEveryEngine('documents that are over', (database) => {
  test('are written with all that is known of them, verifiably by usual tools, and stay as they are', async () => {
    const { storage } = database();
    const { tenant, docUids } = await fill(storage);
    const root = temporaryFolder();
    await archiver(database())(openArchiveFolder(root), false);
    const lines = linesOf(root, tenant);
    const { accepted, rejected, failed, cancelled, received } = docUids;
    assert.deepEqual(
      lines.map(({ id }) => id).toSorted(),
      [accepted, rejected, failed, cancelled, received].toSorted(),
    );
    const line = lines.find(({ id }) => id === accepted);
    assert.match(line?.volume ?? '', /\/2026-11\/outbound-0001$/u);
    assert.deepEqual(Object.keys(line?.files ?? {}).toSorted(), ['pdf', 'ubl', 'ujp']);
    assert.equal(
      readFileSync(join(line?.volume ?? '', line?.files['ujp']?.path ?? ''), 'utf8'),
      `container of ${tenant}`,
    );
    for (const cwd of new Set(lines.map(({ volume }) => volume))) {
      for (const list of ['seal.sha256', 'manifest.sha256']) {
        assert.equal(spawnSync('sha256sum', ['--strict', '-c', list], { cwd }).status, 0, `${cwd} ${list}`);
      }
    }
    assert.deepEqual(await damageOf(root), []);
    assert.ok(await storage.outbound.file(tenant, accepted, 'pdf'));
    const again = await archiver(database())(openArchiveFolder(root), false);
    assert.equal(again.written, 0);
    assert.equal(linesOf(root, tenant).length, lines.length);
  });

  test('leave only their files to the archive, which serves them: lists, counts, statuses and shared files stay', async () => {
    const { engine, storage } = database();
    const { tenant, shared, docUids } = await fill(storage);
    const seen = async () => ({
      outbound: await storage.outbound.list(tenant, ANY_OUTBOUND, PAGE),
      inbound: await storage.inbound.list(tenant, ANY_INBOUND, PAGE),
      history: await storage.outbound.history(tenant, docUids.accepted),
    });
    const before = await seen();
    const root = temporaryFolder();
    const reads = readers(storage, root);
    const files = async () => ({
      ubl: (await reads.outbound.file(tenant, docUids.accepted, 'ubl')).bytes,
      pdf: (await reads.outbound.file(tenant, docUids.accepted, 'pdf')).bytes,
      ujp: (await reads.outbound.file(tenant, docUids.accepted, 'ujp')).bytes,
      original: (await reads.inbound.file(tenant, docUids.received, 'original')).bytes,
    });
    const stored = plainFiles(await files());
    const outcome = await archiver(database())(openArchiveFolder(root), true);
    assert.ok(outcome.markedArchived >= 4 && outcome.filesRemoved >= 5, JSON.stringify(outcome));
    assert.deepEqual(await seen(), before);
    for (const list of ['outbound', 'inbound'] as const) await assertListIsTrue(engine, tenant, list);

    for (const format of ['ubl', 'pdf', 'ujp'] as const) {
      assert.equal(await storage.outbound.file(tenant, docUids.accepted, format), null, 'no longer in the database');
    }
    assert.equal(await storage.inbound.file(tenant, docUids.received, 'original'), null);
    assert.deepEqual(plainFiles(await files()), stored, 'but in the archive, byte for byte');
    const { outbound } = reads;
    const recent = await outbound.file(tenant, docUids.recent, 'ubl');
    assert.deepEqual(Buffer.from(recent.bytes), Buffer.from(shared.bytes));
    // It can still be queued again, and then it is needed.
    assert.ok(await outbound.file(tenant, docUids.failed, 'ubl'));
    await assert.rejects(outbound.file(tenant, docUids.failed, 'pdf'), { detail: /not in the format "pdf"/u });
    assert.deepEqual(await storage.deliveries.attempts(tenant, docUids.rejected), []);
  });

  test('are within reach only while the archive is, and never served damaged', async () => {
    const { storage } = database();
    const { tenant, docUids } = await fill(storage);
    const root = temporaryFolder();
    await archiver(database())(openArchiveFolder(root), true);
    const unreachable = { status: 503, code: null, detail: /archive .* out of reach/u, retryAfterSeconds: 60 };
    const nowhere = [null, join(root, 'not-mounted'), temporaryFolder()];
    for (const place of nowhere) {
      const { outbound, inbound } = readers(storage, place);
      for (const format of ['ubl', 'pdf', 'ujp'])
        await assert.rejects(outbound.file(tenant, docUids.accepted, format), unreachable);
      await assert.rejects(inbound.file(tenant, docUids.received, 'original'), unreachable);
    }
    const { outbound } = readers(storage, root);
    // What the document never had is missing, whether the archive is there or not.
    for (const place of [root, null]) {
      const reads = readers(storage, place);
      await assert.rejects(reads.outbound.file(tenant, docUids.cancelled, 'pdf'), { code: 'ERR-3002' });
      await assert.rejects(reads.outbound.file(tenant, docUids.cancelled, 'ujp'), { code: 'ERR-3002' });
    }
    const line = linesOf(root, tenant).find(({ id }) => id === docUids.accepted);
    const file = join(line?.volume ?? '', line?.files['ujp']?.path ?? '');
    appendFileSync(file, ' ');
    await assert.rejects(outbound.file(tenant, docUids.accepted, 'ujp'), /do not match their SHA-256: .*ujp\.asics/u);
    rmSync(file);
    await assert.rejects(outbound.file(tenant, docUids.accepted, 'ujp'), unreachable);
    assert.ok(await outbound.file(tenant, docUids.accepted, 'ubl'));
  });

  test('are served from a sound copy where another volume has a damaged one, or one that cannot be read', async () => {
    const { engine, storage } = database();
    const { tenant, docUids } = await fill(storage);
    const root = temporaryFolder();
    await archiver(database())(openArchiveFolder(root), false);
    const change = 'update outbound set ujp = $3 where tenant = $1 and id = $2';
    await engine.transaction((sql) => sql.run(change, [tenant, docUids.accepted, '{"statusCode":"03"}']));
    await archiver(database())(openArchiveFolder(root), true);
    const copies = linesOf(root, tenant).filter(({ id }) => id === docUids.accepted);
    assert.equal(copies.length, 2);
    const { outbound } = readers(storage, root);
    const { bytes } = await outbound.file(tenant, docUids.accepted, 'ujp');
    for (const { volume, files } of copies) {
      const file = join(volume, files['ujp']?.path ?? '');
      const whole = readFileSync(file);
      writeFileSync(file, 'damaged');
      assert.deepEqual((await outbound.file(tenant, docUids.accepted, 'ujp')).bytes, bytes);
      rmSync(file);
      // Fails when it is read, as a file on a bad sector does.
      mkdirSync(file);
      assert.deepEqual((await outbound.file(tenant, docUids.accepted, 'ujp')).bytes, bytes);
      rmSync(file, { recursive: true });
      writeFileSync(file, whole);
    }
  });

  test('keep their files in the database for ten years, and where the service would not find them in the archive', async () => {
    const { storage } = database();
    const { tenant, docUids } = await fill(storage);
    const root = temporaryFolder();
    const run = archiver(database());
    const tenYears = new Date(NOW);
    tenYears.setUTCFullYear(tenYears.getUTCFullYear() - 10);
    const refused = { name: 'OperatorError', code: 'archive-too-young' };
    await assert.rejects(run(openArchiveFolder(root), true, tenYears.getTime() + 1), refused);
    await assert.rejects(run(openArchiveFolder(root), true, NOW), refused);
    const notServed = { isServed: false, younger: true };
    await assert.rejects(run(openArchiveFolder(root), true, NOW, notServed), { code: 'archive-not-served' });
    assert.deepEqual(readdirSync(root), [], 'nothing was written either');
    assert.ok(await storage.outbound.file(tenant, docUids.accepted, 'ubl'));
    await run(openArchiveFolder(root), false, NOW, { isServed: false });
    await run(openArchiveFolder(root), true, NOW, { younger: true });
    assert.equal(await storage.outbound.file(tenant, docUids.recent, 'ubl'), null);
    assert.ok(await readers(storage, root).outbound.file(tenant, docUids.recent, 'ubl'));
  });

  test('are not archived into a folder that has none of those that are archived, whatever else is in it', async () => {
    const { storage } = database();
    const { tenant, docUids } = await fill(storage);
    const run = archiver(database());
    const right = temporaryFolder();
    await run(openArchiveFolder(right), true, MORNING + 10 * DAY);
    const [empty, filled, others] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    writeFileSync(join(filled, 'notes.txt'), 'of somebody else');
    const [month = ''] = readdirSync(join(right, tenant));
    cpSync(join(right, tenant), join(others, tenant), { recursive: true });
    // Volumes of the same taxpayer and month, with other documents: those of a test installation.
    for (const path of everythingIn(others).filter((name) => name.endsWith('manifest.sha256')))
      writeFileSync(join(others, path), `${'0'.repeat(64)}  01/another.ubl.xml\n`);
    const found = { isNewArchive: false };
    for (const root of [empty, join(empty, 'mistyped'), filled, others]) {
      const before = everythingIn(root);
      for (const remove of [true, false]) {
        const refused = run(openArchiveFolder(root), remove, undefined, found);
        await assert.rejects(refused, { code: 'archive-elsewhere' });
      }
      assert.deepEqual(everythingIn(root), before, 'nothing was written');
    }
    assert.ok(await storage.outbound.file(tenant, docUids.rejected, 'ubl'));
    await run(openArchiveFolder(join(empty, 'copy')), false, undefined, { ...found, isServed: false });
    await run(openArchiveFolder(right), true, undefined, found);
    // The first document of the archive is lost with its volume: the last one tells that it is the right folder.
    rmSync(join(right, tenant, month), { recursive: true });
    await run(openArchiveFolder(right), true, undefined, found);
  });

  test('are not doubled by a run after one that was cut off, wherever that was, nor taken out if they changed', async () => {
    const { engine, storage } = database();
    const { tenant, docUids } = await fill(storage);
    const root = temporaryFolder();
    const folder = openArchiveFolder(root);
    const run = archiver(database());
    const begin: ArchiveFolder['begin'] = async (name, about) => ({
      ...(await folder.begin(name, about)),
      finish: () => Promise.reject(new Error('cut off')),
    });
    await assert.rejects(run({ ...folder, begin }, true), /cut off/u);
    await assert.rejects(run({ ...folder, verify: () => Promise.reject(new Error('cut off')) }, true), /cut off/u);
    assert.equal(await storage.archive.archivedFile(tenant, 'outbound', docUids.accepted, 'ubl'), null);
    await run(folder, false);
    const change = 'update outbound set ujp = $3 where tenant = $1 and id = $2';
    await engine.transaction((sql) => sql.run(change, [tenant, docUids.rejected, '{"accepted":false}']));
    await run(folder, true);
    const ids = linesOf(root, tenant).map(({ id }) => id);
    assert.equal(ids.length, 6);
    assert.equal(ids.filter((id) => id === docUids.rejected).length, 2, 'as it was, and as it became');
    assert.deepEqual(await damageOf(root), []);
    assert.ok(await storage.archive.archivedFile(tenant, 'outbound', docUids.rejected, 'ubl'));
  });

  test('are written by one run at a time: a second one is refused and takes nothing from the first', async () => {
    const { storage } = database();
    const { tenant, docUids } = await fill(storage);
    const root = temporaryFolder();
    const folder = openArchiveFolder(root);
    const run = archiver(database());
    const refused = {
      name: 'OperatorError',
      message: new RegExp(
        `^Another run is writing to the archive ${root}\\. Start this one again when that has ended; `,
        'u',
      ),
    };
    let refusals = 0;
    const lock = () => lockArchive(root);
    const begin: ArchiveFolder['begin'] = async (name, about) => {
      const volume = await folder.begin(name, about);
      await assert.rejects(run(openArchiveFolder(root), true, undefined, { lock }), refused);
      refusals += 1;
      return volume;
    };
    await run({ ...folder, begin }, true, undefined, { lock });
    assert.ok(refusals > 0);
    assert.deepEqual(await damageOf(root), []);
    assert.ok(await readers(storage, root).outbound.file(tenant, docUids.accepted, 'ujp'));
    assert.equal((await run(folder, true, undefined, { lock })).written, 0, 'it is free again');
  });

  test('are in no volume that has its name before it was read back', async () => {
    const { storage } = database();
    const { tenant, docUids } = await fill(storage);
    const root = temporaryFolder();
    const folder = openArchiveFolder(root);
    const begin: ArchiveFolder['begin'] = async (name, about) => {
      const volume = await folder.begin(name, about);
      async function addAndLose(file: string, bytes: Uint8Array) {
        await volume.add(file, bytes);
        rmSync(join(root, volume.draft, file));
      }
      return { ...volume, add: addAndLose };
    };
    await assert.rejects(
      archiver(database())({ ...folder, begin }, true),
      /outbound-0001\.part is damaged: .* is missing/u,
    );
    assert.deepEqual(await folder.volumes(), []);
    await archiver(database())(folder, true);
    assert.deepEqual(await damageOf(root), []);
    assert.ok(await readers(storage, root).outbound.file(tenant, docUids.accepted, 'ujp'));
  });

  test('are missed by a check when the archive that has their only copy is lost, in part or altogether', async () => {
    const { engine, storage } = database();
    const { tenant, docUids } = await fill(storage);
    const root = temporaryFolder();
    await archiver(database())(openArchiveFolder(root), true);
    const missing = async (folder: string | null) => {
      const archive = { folder: folder === null ? null : openArchiveFolder(folder) };
      const { damage } = await checkStoredBytes({ bytes: storedBytes(engine), archive })(() => undefined);
      return damage.filter((one) => one.tenant === tenant);
    };
    assert.deepEqual(await missing(root), []);
    const lines = linesOf(root, tenant);
    const outbound = { tenant, what: `archive ${tenant}/2026-11/outbound: files of 1 document are missing` };
    const ofAccepted = { ...outbound, documents: [docUids.accepted] };
    for (const place of [null, join(root, 'not-mounted'), temporaryFolder()]) {
      const found = await missing(place);
      // What a living document shares is in the database still.
      assert.ok(!found.some(({ documents }) => documents.includes(docUids.rejected)));
      for (const id of [docUids.accepted, docUids.cancelled, docUids.received]) {
        assert.ok(
          found.some(({ documents }) => documents.includes(id)),
          id,
        );
      }
    }
    const { volume } = lines.find(({ id }) => id === docUids.accepted) ?? assert.fail();
    renameSync(volume, join(root, 'lost'));
    assert.deepEqual(await missing(root), [ofAccepted]);
    renameSync(join(root, 'lost'), volume);
    assert.deepEqual(await missing(root), []);
  });

  test('keep a file in the database that came after they were archived', async () => {
    const { storage } = database();
    const { tenant, docUids } = await fill(storage);
    const root = temporaryFolder();
    const folder = openArchiveFolder(root);
    const run = archiver(database());
    await run(folder, true);
    // It was believed to be rejected, and has turned out to be accepted.
    const container = fileOf(`late container of ${tenant}`);
    await storage.transaction((tx) => tx.deliveries.storeContainer(tenant, docUids.rejected, container, NOW));
    for (let time = 0; time < 2; time += 1) {
      await run(folder, true);
      const { bytes } = await readers(storage, root).outbound.file(tenant, docUids.rejected, 'ujp');
      assert.deepEqual(Buffer.from(bytes), Buffer.from(container.bytes));
    }
    assert.equal(await storage.outbound.file(tenant, docUids.accepted, 'ujp'), null);
  });

  test('are not removed after a run that was cut off before that, when the archive was damaged meanwhile', async () => {
    const { storage, engine } = database();
    const { tenant, docUids } = await fill(storage);
    const root = temporaryFolder();
    const folder = openArchiveFolder(root);
    const whole = contentSweep(engine, systemTimers.nextTurn);
    const sweep: ContentSweep['sweep'] = (edb, ...others) =>
      edb === tenant ? Promise.reject(new Error('killed')) : whole.sweep(edb, ...others);
    await assert.rejects(archiver(database(), { ...whole, sweep })(folder, true), /killed/u);
    const [line = assert.fail()] = linesOf(root, tenant).filter(({ id }) => id === docUids.accepted);
    const damaged = join(line.volume, line.files['ubl']?.path ?? assert.fail());
    const bytes = readFileSync(damaged);
    writeFileSync(damaged, 'other bytes');
    await assert.rejects(archiver(database())(folder, true), /outbound-0001 is damaged: .* was changed/u);
    assert.notEqual(await storage.outbound.file(tenant, docUids.accepted, 'ubl'), null);
    writeFileSync(damaged, bytes);
    assert.ok((await archiver(database())(folder, true)).filesRemoved > 0);
    assert.equal(await storage.outbound.file(tenant, docUids.accepted, 'ubl'), null);
  });

  test('stay for the next run where their table is in use: the documents of all taxpayers are archived, and nobody waits for it once more', async () => {
    const { storage, engine } = database();
    const filled = [await fill(storage), await fill(storage)];
    const folder = openArchiveFolder(temporaryFolder());
    const whole = contentSweep(engine, systemTimers.nextTurn);
    let sweeps = 0;
    async function sweep(): Promise<void> {
      sweeps += 1;
      throw new ContentInUse('refused', 'The table is in use.');
    }
    const { filesLeft, filesRemoved } = await archiver(database(), { ...whole, sweep })(folder, true);
    assert.deepEqual([filesLeft, filesRemoved, sweeps], ['The table is in use.', 0, 1]);
    for (const { tenant, docUids } of filled) {
      assert.notEqual(await storage.archive.archivedFile(tenant, 'outbound', docUids.accepted, 'ubl'), null);
    }
    const next = await archiver(database())(folder, true);
    assert.equal(next.filesLeft, null);
    assert.ok(next.filesRemoved > 0);
    for (const { tenant, docUids } of filled) {
      assert.equal(await storage.outbound.file(tenant, docUids.accepted, 'ubl'), null);
    }
  });

  test('are counted up to where their table is in use', async () => {
    const { storage, engine } = database();
    await fill(storage);
    const stored = async () => (await engine.all('select sha256 from content', [])).length;
    const before = await stored();
    let removals = 0;
    async function script(...given: Parameters<typeof engine.script>): Promise<void> {
      removals += 1;
      if (removals > 1) throw new LockNotFree();
      await engine.script(...given);
    }
    const inUse = contentSweep({ ...engine, script }, systemTimers.nextTurn);
    const { filesLeft, filesRemoved } = await archiver(database(), inUse)(openArchiveFolder(temporaryFolder()), true);
    assert.match(filesLeft ?? '', /in use by others/u);
    assert.ok(filesRemoved > 0);
    assert.equal(filesRemoved, before - (await stored()));
  });

  test('are never removed when the archive is damaged', async () => {
    const { storage } = database();
    const { tenant, docUids } = await fill(storage);
    const root = temporaryFolder();
    await archiver(database())(openArchiveFolder(root), false);
    const line = linesOf(root, tenant).find(({ id }) => id === docUids.accepted);
    appendFileSync(join(line?.volume ?? '', line?.files['pdf']?.path ?? ''), ' ');
    await assert.rejects(archiver(database())(openArchiveFolder(root), true), /is damaged: .*\.pdf was changed/u);
    assert.equal(await storage.archive.archivedFile(tenant, 'outbound', docUids.accepted, 'ubl'), null);
  });

  for (const [size, length] of Object.entries({ small: 1_000, large: 1_000_000 }))
    test(`do not take ${size} bytes away from a submission of the same bytes at the same moment`, async () => {
      const { engine, storage } = database();
      // Where there is one writer, the one waits for the other anyway.
      const isShared = await engine.get('select version()', []).then(
        () => true,
        () => false,
      );
      const tenant = newTenant();
      await storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
      const ubl = () => storage.storeLargeFile(tenant.edb, fileOf(new Uint8Array(length)));
      const old = newOutbound({ ubl: await ubl() });
      await storage.transaction((tx) => addOutboundIn(tx, tenant.edb, 60, old, MORNING));
      const young = newOutbound({ ubl: await ubl() });
      const stored = Promise.withResolvers<void>();
      const commit = Promise.withResolvers<void>();
      const submission = storage.transaction(async (tx) => {
        const document = await tx.outbound.add(tenant.edb, young, NOW);
        stored.resolve();
        await commit.promise;
        return document;
      });
      await stored.promise;
      // What belongs to the first document alone is taken out; its bytes are about to follow.
      const taken = 'update outbound set archived_at = 1 where tenant = $1 and status = 60';
      const archived = engine.transaction((sql) => sql.run(taken, [tenant.edb]));
      if (isShared) await archived;
      const whole = contentSweep(engine, systemTimers.nextTurn);
      const sweeping = whole.sweep(
        tenant.edb,
        async () => true,
        () => undefined,
      );
      if (isShared) await until('the sweep to wait', () => engine.get(WAITING_FOR_CONTENT, []));
      commit.resolve();
      const { docUid } = await submission;
      await sweeping;
      assert.ok(await storage.outbound.file(tenant.edb, docUid, 'ubl'));
    });

  test('are archived only when their voids are over: these need the attempts, and the archive the outcome', async () => {
    const { engine, storage } = database();
    const { tenant, docUids } = await fill(storage);
    const { accepted } = docUids;
    const reason = { code: '1', name: 'Wrong buyer', comment: null };
    await storage.transaction(async (tx) => {
      await tx.voids.request(tenant, accepted, reason, MORNING);
      await tx.deliveries.beginAttempt(tenant, accepted, 'void-send', MORNING);
    });
    const root = temporaryFolder();
    const isWritten = () => linesOf(root, tenant).some(({ id }) => id === accepted);
    for (const state of ['requested', 'sent']) {
      await engine.transaction((sql) =>
        sql.run('update outbound_void set state = $3 where tenant = $1 and doc_uid = $2', [tenant, accepted, state]),
      );
      await archiver(database())(openArchiveFolder(root), true);
      assert.equal(isWritten(), false, state);
      assert.equal((await storage.deliveries.attempts(tenant, accepted)).length, 1, state);
    }
    const over = `update outbound_void set state = 'registered', due_at = null where tenant = $1 and doc_uid = $2`;
    await engine.transaction((sql) => sql.run(over, [tenant, accepted]));
    await archiver(database())(openArchiveFolder(root), true);
    assert.equal(isWritten(), true);
    assert.notEqual(await storage.archive.archivedFile(tenant, 'outbound', accepted, 'ubl'), null);
  });

  test('are archived without those of which something is damaged or missing, and these are named', async () => {
    const { engine, storage } = database();
    const { tenant, docUids } = await fill(storage);
    const { accepted, rejected, failed, cancelled, received } = docUids;
    await storage.transaction((tx) => tx.deliveries.savePayload(tenant, cancelled, PAYLOAD));
    const ofFile = (side: string, column: string) =>
      `where tenant = $1 and sha256 = (select ${column} from ${side} where tenant = $1 and id = $2)`;
    await engine.transaction(async (sql) => {
      const otherText = `update outbound_payload set text = '{}' where tenant = $1 and doc_uid = $2`;
      await sql.run(otherText, [tenant, cancelled]);
      const bytes = new Uint8Array(1);
      await sql.run(`update content set bytes = $3 ${ofFile('outbound', 'pdf_sha256')}`, [tenant, accepted, bytes]);
      await sql.run(`delete from content ${ofFile('inbound', 'original_sha256')}`, [tenant, received]);
    });
    const root = temporaryFolder();
    const outcome = await archiver(database())(openArchiveFolder(root), true);
    const leftOut = outcome.damage.filter((found) => found.tenant === tenant);
    assert.deepEqual(
      leftOut.map(({ what, documents }) => [what.replace(/[0-9a-f]{64}/u, '…'), ...documents]),
      [
        ['file …', accepted],
        ['payload', cancelled],
        ['file … is missing', received],
      ],
    );
    const written = linesOf(root, tenant).map(({ id }) => id);
    assert.deepEqual(written.toSorted(), [rejected, failed].toSorted());
    assert.deepEqual(await damageOf(root), []);
    assert.notEqual(await storage.archive.archivedFile(tenant, 'outbound', rejected, 'ubl'), null);
    assert.equal(await storage.archive.archivedFile(tenant, 'outbound', accepted, 'ubl'), null);
    assert.ok(await storage.outbound.file(tenant, accepted, 'ubl'), 'what is whole of it stays');
  });
});

test('whatever is wrong with an archive is found', async () => {
  const root = temporaryFolder();
  const folder = openArchiveFolder(root);
  const volume = await folder.begin({ tenant: '4030026000018', month: '2026-11', side: 'outbound' }, {});
  await volume.add('01/a.ubl.xml', Buffer.from('<Invoice/>'));
  const sha256 = Buffer.from(systemHasher.sha256('<Invoice/>')).toString('hex');
  await volume.addLine(JSON.stringify({ id: 'a', files: { ubl: { path: '01/a.ubl.xml', sha256 } } }));
  await volume.seal();
  await volume.finish();
  const at = (file: string) => join(root, volume.path, file);
  const keep = (file: string) => readFileSync(at(file));
  assert.deepEqual(await damageOf(root), []);
  const cases: readonly (readonly [file: string, change: string | null, damage: RegExp])[] = [
    ['01/a.ubl.xml', '<Invoice>', /a\.ubl\.xml was changed/u],
    ['01/a.ubl.xml', null, /a\.ubl\.xml is missing/u],
    ['documents.jsonl', '{"id":"a","files":{}}\n', /documents\.jsonl was changed/u],
    ['documents.jsonl', '{"id":"a"}\n', /Line 1 of documents\.jsonl cannot be read/u],
    ['documents.jsonl', '{"id":"a","files":{"ubl":null}}\n', /Line 1 of documents\.jsonl cannot be read/u],
    ['documents.jsonl', '[]\n7\n', /Line 1 of .* Line 2 of documents\.jsonl cannot be read/u],
    ['about.json', null, /about\.json is missing/u],
    ['manifest.sha256', '', /not the one that was sealed/u],
    ['seal.sha256', null, /seal is missing/u],
  ];
  for (const [file, change, damage] of cases) {
    const whole = keep(file);
    if (change === null) rmSync(at(file));
    else writeFileSync(at(file), change);
    assert.match((await damageOf(root)).join(' '), damage);
    writeFileSync(at(file), whole);
    assert.deepEqual(await damageOf(root), []);
  }
  // As a bad sector does: something is there, and reading it fails.
  const toItself = (path: string) => symlinkSync(path, path);
  const unreadable: readonly (readonly [file: string, put: (path: string) => void, code: string])[] = [
    ['01/a.ubl.xml', toItself, 'ELOOP'],
    ['documents.jsonl', toItself, 'ELOOP'],
    ['documents.jsonl', mkdirSync, 'EISDIR'],
    ['manifest.sha256', mkdirSync, 'EISDIR'],
    ['seal.sha256', mkdirSync, 'EISDIR'],
  ];
  for (const [file, put, code] of unreadable) {
    const whole = keep(file);
    rmSync(at(file));
    put(at(file));
    const damage = (await damageOf(root)).join(' ');
    assert.ok(damage.includes(`${file} cannot be read: ${code}.`), damage);
    rmSync(at(file), { recursive: true });
    writeFileSync(at(file), whole);
    assert.deepEqual(await damageOf(root), []);
  }
  const third = volume.path.replace(/1$/u, '3');
  renameSync(join(root, volume.path), join(root, third));
  assert.deepEqual(await damageOf(root), ['The volume is missing.']);
  renameSync(join(root, third), join(root, volume.path));
  writeFileSync(at('01/b.ubl.xml'), '<Invoice/>');
  assert.deepEqual(await damageOf(root), ['01/b.ubl.xml is not in the manifest.']);
});
