import assert from 'node:assert/strict';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFoundation } from '../../src/app/foundation.ts';
import { readConfig } from '../../src/config.ts';
import { addOutboundIn, edb, newOutbound } from '../engines/samples.ts';
import { ORDINARY_USER } from '../support/ordinary-user.ts';
import { QUICK_START, startProgram, temporaryFolder } from '../support/process.ts';
import { commandsHere, commandsOnNewDatabase } from './commands-here.ts';
import { serviceHere } from './service-here.ts';

const ALFA = edb('4030026000018');
/** More than are read at a time. */
const DOCUMENTS = 250;
/** Eleven years ago, in January. */
const YEAR = new Date().getUTCFullYear() - 11;
const OLD = Date.UTC(YEAR, 0, 15);

type Outcome = { readonly written: number; readonly known: number; readonly markedArchived: number };
type ArchiveCheck = { readonly isInOrder: boolean; readonly volumes: readonly { readonly documents: number }[] };

test('an archive that was killed is completed by the next run, beside a running service', async (t) => {
  const folder = join(temporaryFolder(), 'archive');
  const variables = { DATA_DIR: temporaryFolder(), DELIVERY_HOLD_SECONDS: '86400', ARCHIVE_DIR: folder };
  const service = await serviceHere(t, variables);
  const docUids = await addOldDocuments(variables);
  const call = ['archive', '--before', `${YEAR}-12-31`, '--delete'];
  const draft = join(folder, ALFA, `${YEAR}-01`, 'outbound-0001.part', '15');
  const flags = [...QUICK_START, `--import=${killedWith(draft, 11)}`, 'src/main.ts'];
  const killed = startProgram(t, process.execPath, [...flags, ...call], variables);
  assert.equal((await killed.finished()).signal, 'SIGKILL');
  assert.ok(readdirSync(draft).length < DOCUMENTS);
  const file = () => service.call('demo-alfa', `/outbound/${docUids[0]}/file`);
  const before = await file();
  assert.equal(before.status, 200, 'nothing is taken out before all is written');
  const bytes = Buffer.from(await before.arrayBuffer());

  const { json, refusal, run } = commandsHere(variables);
  const { written, markedArchived } = await json<Outcome>(...call);
  assert.deepEqual([written, markedArchived], [DOCUMENTS, DOCUMENTS]);
  const check = await json<ArchiveCheck>('archive', 'verify', folder);
  assert.equal(check.isInOrder, true);
  assert.equal(
    check.volumes.reduce((sum, { documents }) => sum + documents, 0),
    DOCUMENTS,
  );
  assert.deepEqual(readdirSync(join(folder, ALFA, `${YEAR}-01`)), ['outbound-0001']);
  const served = await file();
  assert.equal(served.status, 200, 'from the archive');
  assert.deepEqual(Buffer.from(await served.arrayBuffer()), bytes);
  renameSync(folder, `${folder}-unmounted`);
  const away = await file();
  assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '60']);
  const { code, detail } = (await away.json()) as { code: string | null; detail: string };
  assert.equal(code, null);
  assert.match(detail, /in the archive of the service, which is out of reach/u);
  renameSync(`${folder}-unmounted`, folder);
  assert.equal((await file()).status, 200);
  assert.equal((await service.call('demo-alfa', `/outbound/${docUids[0]}`)).status, 200);
  assert.equal((await json<Outcome>(...call)).written, 0);
  await assertLossIsFound(variables);

  assert.equal((await refusal('archive', 'verify', temporaryFolder()))[0], 3);
  assert.match((await refusal('archive', '--before', '2999-01-01', '--to', folder))[1], /lies in the future/u);
  assert.equal((await refusal('archive', '--before', 'soon', '--to', folder))[0], 2);
  const young = ['archive', '--before', new Date().toISOString().slice(0, 10), '--delete'];
  const [exitCode, stderr] = await refusal(...young);
  assert.equal(exitCode, 1);
  assert.match(
    stderr,
    /^Documents of the last 10 years, from \d{4}-\d\d-\d\d on, keep .* --younger the-archive-is-their-only-copy\.\n$/u,
  );
  assert.equal((await refusal(...young, '--younger', 'yes'))[0], 2);
  assert.equal((await refusal(...young, '--new-archive', 'yes'))[0], 2);
  assert.equal((await run(...young, '--younger', 'the-archive-is-their-only-copy')).exitCode, 0);
  assert.match(
    (await refusal(...call, '--to', temporaryFolder()))[1],
    /can read them from the archive\. Set ARCHIVE_DIR/u,
  );
  const unset = commandsHere({ ...variables, ARCHIVE_DIR: '' });
  assert.match((await unset.refusal(...call))[1], /Give --to, or set ARCHIVE_DIR/u);
  assert.match((await unset.refusal(...call, '--to', folder))[1], /Set ARCHIVE_DIR/u);
  const { stdout } = await run('archive', 'verify', folder);
  assert.match(
    stdout,
    /^VOLUME +DOCUMENTS +FILES +BYTES +RESULT\n.*in order\n\nThe archive is in order\. Whether volumes are lost, check tells\.\n$/su,
  );
  const about = readFileSync(join(folder, ALFA, `${YEAR}-01`, 'outbound-0001', 'about.json'), 'utf8');
  assert.match(about, /sha256sum -c seal\.sha256/u);
});

const NEEDS_ROOT = process.geteuid?.() === 0 ? false : 'only root can give a file to another user';

test('root does not write into the archive of a service of another user, who could not read it', {
  skip: NEEDS_ROOT,
}, async () => {
  const [DATA_DIR, ARCHIVE_DIR] = [temporaryFolder(), join(temporaryFolder(), 'archive')];
  const { refusal, run } = await commandsOnNewDatabase({ DATA_DIR, ARCHIVE_DIR });
  const database = join(DATA_DIR, 'dostava.sqlite');
  const call = ['archive', '--before', '2016-01-01'];
  chownSync(database, ORDINARY_USER, ORDINARY_USER);
  const sentence = (place: string) =>
    `${place} belongs to another user (${ORDINARY_USER}), who could not read what root writes. Run the command as the user of the service.\n`;
  assert.deepEqual(await refusal(...call), [1, sentence(database)]);
  assert.equal(existsSync(ARCHIVE_DIR), false);
  // Nobody but root reads what is not served.
  assert.equal((await run(...call, '--to', join(temporaryFolder(), 'aside'))).exitCode, 0);
  chownSync(database, 0, 0);
  mkdirSync(ARCHIVE_DIR);
  chownSync(ARCHIVE_DIR, ORDINARY_USER, ORDINARY_USER);
  assert.deepEqual(await refusal(...call), [1, sentence(ARCHIVE_DIR)]);
  chownSync(ARCHIVE_DIR, 0, 0);
  assert.equal((await run(...call)).exitCode, 0);
});

/** Whatever way the archive is gone: it has the only copy. */
async function assertLossIsFound(variables: { readonly DATA_DIR: string; readonly ARCHIVE_DIR: string }) {
  const check = async (archiveDir: string) => commandsHere({ ...variables, ARCHIVE_DIR: archiveDir }).run('check');
  const folder = variables.ARCHIVE_DIR;
  const whole = await check(folder);
  assert.deepEqual([whole.exitCode, whole.stdout.includes('Nothing is damaged.')], [0, true], whole.stdout);
  const missing = new RegExp(`archive ${ALFA}/${YEAR}-01/outbound: files of ${DOCUMENTS} documents are missing`, 'u');
  for (const place of ['', join(folder, 'not-mounted'), temporaryFolder()]) {
    const { exitCode, stdout } = await check(place);
    assert.equal(exitCode, 1);
    assert.match(stdout, missing);
    assert.equal(stdout.includes('ARCHIVE_DIR is not set, but documents are archived'), place === '');
  }
  const volume = join(folder, ALFA, `${YEAR}-01`, 'outbound-0001');
  const away = temporaryFolder();
  renameSync(volume, join(away, 'volume'));
  const lost = await check(folder);
  assert.equal(lost.exitCode, 1);
  assert.match(lost.stdout, missing);
  renameSync(join(away, 'volume'), volume);
}

/** A module by which a process kills itself when so many files are in the folder: from outside, it could be too late. */
function killedWith(folder: string, files: number): string {
  const program = `
    import { existsSync, readdirSync } from 'node:fs';
    const folder = ${JSON.stringify(folder)};
    setInterval(() => {
      if (existsSync(folder) && readdirSync(folder).length >= ${files}) process.kill(process.pid, 'SIGKILL');
    }, 1).unref();
  `;
  return `data:text/javascript,${encodeURIComponent(program)}`;
}

/** Beside the service, in a taxpayer's past: before its first document, as a database of ten years would have them. */
async function addOldDocuments(variables: { readonly DATA_DIR: string }): Promise<readonly string[]> {
  const { engine, storage } = await openFoundation(readConfig(variables));
  const docUids = await storage.transaction(async (tx) => {
    const placed: string[] = [];
    for (let index = 0; index < DOCUMENTS; index += 1) {
      placed.push((await addOutboundIn(tx, ALFA, 60, newOutbound(), OLD)).docUid);
    }
    return placed;
  });
  // Identifiers only ever grow, so the time of creation is set back by hand.
  await engine.transaction((sql) =>
    sql.run('update outbound set created_at = $2 where tenant = $1 and status = 60', [ALFA, OLD]),
  );
  await engine.close();
  return docUids;
}
