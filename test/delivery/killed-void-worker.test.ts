import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { type AuthorityConnection, openAuthority } from '../../src/app/authority.ts';
import { openReader } from '../../src/app/document-reader.ts';
import { type Foundation, openFoundation } from '../../src/app/foundation.ts';
import { createOperator, type OperatorActions } from '../../src/app/operator.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { readConfig } from '../../src/config.ts';
import { listedTaxNumber } from '../../src/domain/accounts/tax-number.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { freshDatabase } from '../support/fresh-database.ts';
import { startProgram } from '../support/process.ts';
import { runningClock } from '../support/test-clock.ts';
import { ALFA, registrations, startAuthority } from './authority-of-test.ts';
import { assertGapFree } from './gap-free.ts';
import { deliverDueVoids } from './voids-of-test.ts';
import { deliverWhatIsDue } from './worker-of-test.ts';

const WORKER = fileURLToPath(new URL('./killed-void-worker.ts', import.meta.url));
const INVOICE = await readFile(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');
const TENANT = readEdb(ALFA);
/** After a death: one for what was abandoned, one for what had to be tried again. */
const SUCCESSORS = 3;
const HOUR_MS = 3_600_000;

const STEPS = ['after-claim', 'after-begin', 'before-send', 'after-send', 'before-settle', 'after-settle'];

describe('a worker killed at any step of a void', () => {
  let authority: Awaited<ReturnType<typeof startAuthority>>;
  let variables: Readonly<Record<string, string>>;
  let foundation: Foundation;
  let connection: AuthorityConnection;
  let operator: OperatorActions;
  const reader = openReader(systemTimers, 1);
  // Whoever comes after a death comes when every lease and pause is over.
  const clock = runningClock();

  before(async () => {
    authority = await startAuthority({ now: () => new Date(clock.now()) });
    variables = { ...authority.variables, ...(await freshDatabase()) };
    foundation = await openFoundation(readConfig(variables), { clock });
    connection = openAuthority(foundation);
    operator = createOperator(foundation, reader);
    const settings = { edb: TENANT, name: 'Alfa', environment: 'production', outboundEnabled: true } as const;
    await operator.tenants.add({ ...settings, eujpId: 'demo-alfa' });
    await operator.credentials.set(TENANT, authority.pems.certificatePem, authority.pems.privateKeyPem);
  });
  after(async () => {
    await connection.close();
    await reader.close();
    await foundation.engine.close();
    await authority.simulator.close();
  });

  for (const step of STEPS) {
    test(`${step}: the void is registered exactly once, and the document is voided`, async (t) => {
      const docUid = await accepted(step);
      // The worker's clock is the machine's, and ours has moved on.
      await operator.voids.request(TENANT, docUid, 'S-1', null);
      await foundation.engine.transaction((sql) =>
        sql.run('update outbound_void set due_at = 0 where due_at is not null', []),
      );
      const flags = ['--disable-warning=ExperimentalWarning', WORKER, step];
      const { signal, stderr } = await startProgram(t, process.execPath, flags, variables).finished();
      assert.deepEqual({ signal, stderr }, { signal: 'SIGKILL', stderr: '' });
      for (let times = 1; times <= SUCCESSORS; times += 1) {
        clock.advance(HOUR_MS);
        await deliverDueVoids({ foundation, connection });
      }
      assert.equal((await operator.voids.find(TENANT, docUid))?.state, 'registered');
      const registered = await registrations(authority.simulator);
      assert.deepEqual([registered.get(step)?.length, registered.get(`${step}-ST`)?.length], [1, 1]);
      const document = await foundation.storage.outbound.find(TENANT, docUid);
      assert.deepEqual([document?.status, document?.ujp?.statusCode], [40, '07']);
      const history = await foundation.storage.outbound.history(TENANT, docUid);
      assertGapFree(history);
      assert.equal(history.filter(({ failureCode }) => failureCode === 'UJP-VOIDED').length, 1);
    });
  }

  async function accepted(number: string): Promise<DocUid> {
    const reading = await reader.read(TENANT, new Uint8Array(Buffer.from(INVOICE.replace('2026-7001', number))));
    if (reading.outcome === 'refused') throw new Error(reading.detail);
    const { facts, file: ubl, pdf } = reading;
    const document = { facts, partnerEdb: listedTaxNumber(facts.recipient), ubl, pdf, software: 'test', holdMs: 0 };
    const { docUid } = await foundation.storage.transaction((tx) => tx.outbound.add(TENANT, document, clock.now()));
    await deliverWhatIsDue({ foundation, authority: connection.authority, reader });
    return docUid;
  }
});
