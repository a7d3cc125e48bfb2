import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFoundation } from '../../src/app/foundation.ts';
import { readConfig } from '../../src/config.ts';
import { addOutboundIn, edb, newOutbound } from '../engines/samples.ts';
import { startDostava, temporaryFolder, until } from '../support/process.ts';
import { commandsHere } from './commands-here.ts';
import { serviceHere } from './service-here.ts';

const ALFA = edb('4030026000018');
const DOCUMENTS = 600;
const OLD = Date.UTC(2016, 0, 15);

type Outcome = { readonly written: number; readonly known: number; readonly markedArchived: number };
type ArchiveCheck = { readonly isInOrder: boolean; readonly volumes: readonly { readonly documents: number }[] };

test('an archive that was killed is completed by the next run, beside a running service', async (t) => {
  const variables = { DATA_DIR: temporaryFolder(), DELIVERY_HOLD_SECONDS: '86400' };
  const service = await serviceHere(t, variables);
  const docUids = await addOldDocuments(variables);
  const folder = join(temporaryFolder(), 'archive');
  const call = ['archive', '--before', '2017-01-01', '--to', folder, '--delete'];
  const killed = startDostava(t, call, variables);
  const draft = join(folder, ALFA, '2016-01', 'outbound-0001.part', '15');
  await until('the first files', () => existsSync(draft) && readdirSync(draft).length > 10);
  killed.signal('SIGKILL');
  assert.equal((await killed.finished()).signal, 'SIGKILL');
  const file = () => service.call('demo-alfa', `/outbound/${docUids[0]}/file`);
  assert.equal((await file()).status, 200, 'nothing is taken out before all is written');

  const { json, refusal, run } = commandsHere(variables);
  const { written, markedArchived } = await json<Outcome>(...call);
  assert.deepEqual([written, markedArchived], [DOCUMENTS, DOCUMENTS]);
  const check = await json<ArchiveCheck>('archive', 'verify', folder);
  assert.equal(check.isInOrder, true);
  assert.equal(
    check.volumes.reduce((sum, { documents }) => sum + documents, 0),
    DOCUMENTS,
  );
  assert.deepEqual(readdirSync(join(folder, ALFA, '2016-01')), ['outbound-0001']);
  const gone = await file();
  assert.equal(gone.status, 404);
  const { code, detail } = (await gone.json()) as { code: string; detail: string };
  assert.equal(code, 'ERR-3002');
  assert.match(detail, /were archived on \d{4}-\d\d-\d\d; the operator of the service has them/u);
  assert.equal((await service.call('demo-alfa', `/outbound/${docUids[0]}`)).status, 200);
  assert.equal((await json<Outcome>(...call)).written, 0);

  assert.equal((await refusal('archive', 'verify', temporaryFolder()))[0], 3);
  assert.match((await refusal('archive', '--before', '2999-01-01', '--to', folder))[1], /lies in the future/u);
  assert.equal((await refusal('archive', '--before', 'soon', '--to', folder))[0], 2);
  const { stdout } = await run('archive', 'verify', folder);
  assert.match(stdout, /^VOLUME +DOCUMENTS +FILES +BYTES +RESULT\n.*in order\n\nThe archive is in order\.\n$/su);
  const about = readFileSync(join(folder, ALFA, '2016-01', 'outbound-0001', 'about.json'), 'utf8');
  assert.match(about, /sha256sum -c seal\.sha256/u);
});

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
