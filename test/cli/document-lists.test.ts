import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFoundation } from '../../src/app/foundation.ts';
import { readConfig } from '../../src/config.ts';
import { addOutboundIn, edb, fileOf, newInbound, newOutbound } from '../engines/samples.ts';
import { temporaryFolder } from '../support/process.ts';
import { commandsOnNewDatabase } from './commands-here.ts';

const [ALFA, BETA] = [edb('4030026000018'), edb('4080026000023')];
const HOUR_MS = 3_600_000;
/** With control characters of seven and eight bits, and one that turns round what follows. */
const HOSTILE_NUMBER = 'IN \u001b[31m\u009b2J\u202e\u{e0041}7';
const variables = { DATA_DIR: temporaryFolder() };
const { run, json, refusal } = await commandsOnNewDatabase(variables);

type Listed = { readonly documents: readonly Readonly<Record<string, unknown>>[]; readonly next: string | null };

/** Two of each tenant that failed three hours and one hour ago, and an accepted one. */
async function fill(): Promise<readonly string[]> {
  for (const [tenant, name] of [
    [ALFA, 'Alfa'],
    [BETA, 'Beta'],
  ] as const)
    await json('tenant', 'add', '--edb', tenant, '--name', name);
  const { engine, storage } = await openFoundation(readConfig(variables));
  const uids: string[] = [];
  await storage.transaction(async (tx) => {
    for (const [status, hours] of [
      [40, 4],
      [55, 3],
      [55, 1],
    ] as const) {
      for (const tenant of [ALFA, BETA]) {
        const facts = { ...newOutbound().facts, documentNumber: `${hours} of ${tenant}` };
        const failure = status === 55 ? { failureCode: 'AUTHORITY-UNREACHABLE', failureMessage: 'Away.' } : {};
        const document = newOutbound({ facts, ubl: fileOf(`<x${uids.length}/>`) });
        // Not in the same millisecond: their order is that of time.
        const at = Date.now() - hours * HOUR_MS + uids.length * 1_000;
        uids.push((await addOutboundIn(tx, tenant, status, document, at, failure)).docUid);
      }
    }
    await tx.inbound.add(BETA, newInbound({ documentNumber: HOSTILE_NUMBER }), Date.now());
  });
  await engine.close();
  return uids;
}

test('the operator lists documents of all taxpayers and retries those that failed for one reason', async (t) => {
  const uids = await fill();
  const docUids = async (...words: string[]) =>
    (await json<Listed>('outbound', 'list', ...words)).documents.map(({ docUid }) => docUid);

  await t.test('outbound list shows the newest first, with filters, and says how to go on', async () => {
    assert.deepEqual(await docUids(), uids.toReversed());
    const { documents, next } = await json<Listed>('outbound', 'list', '--limit', '2', '--status', '55');
    assert.equal(next, uids[4]);
    const [first] = documents;
    assert.equal(first?.['failureCode'], 'AUTHORITY-UNREACHABLE');
    assert.match(String(first?.['sha256']), /^[0-9a-f]{64}$/u);
    assert.ok(Number(first?.['ageSeconds']) >= 3_500);
    assert.deepEqual(await docUids('--status', '55', '--older-than', String(next)), [uids[3], uids[2]]);
    assert.deepEqual(await docUids('--status', '40', '--status', '55', '--tenant', ALFA), [uids[4], uids[2], uids[0]]);
    assert.deepEqual(await docUids('--number', `4 of ${BETA}`), [uids[1]]);
    assert.deepEqual(await docUids('--sha256', String(first?.['sha256']).toUpperCase()), [uids[5]]);
    assert.deepEqual(await docUids('--failure-code', 'AUTHORITY-UNREACHABLE', '--buyer', '0'), []);
    assert.deepEqual(await docUids('--buyer', `MK ${BETA}`), uids.toReversed());
    const { stdout } = await run('outbound', 'list', '--limit', '5');
    assert.match(stdout, /^DOCUID +TENANT +STATUS +NUMBER +BUYER +SHA-256 +EUID +AGE +FAILURE\n/u);
    assert.match(stdout, new RegExp(`^${uids[5]} +${BETA} +55 .* 59min +AUTHORITY-UNREACHABLE$`, 'mu'));
    assert.ok(stdout.endsWith(`\n\nThere are more: --older-than ${uids[1]}\n`), stdout);
  });

  await t.test('inbound list shows arrivals, and nothing in them acts on the terminal', async () => {
    const { documents } = await json<Listed>('inbound', 'list', '--not-imported');
    assert.deepEqual(
      documents.map(({ tenant, importedAt }) => [tenant, importedAt]),
      [[BETA, null]],
    );
    const { stdout } = await run('inbound', 'list');
    assert.match(stdout, new RegExp(` ${BETA} +no +IN .*7 +${BETA} `, 'u'));
    const acting = /[^\P{C}\n]/u;
    assert.doesNotMatch(stdout, acting);
    const asJson = (await run('inbound', 'list', '--json')).stdout;
    assert.doesNotMatch(asJson, acting);
    assert.equal((JSON.parse(asJson) as Listed).documents[0]?.['documentNumber'], HOSTILE_NUMBER);
    assert.equal((await json<Listed>('inbound', 'list', '--sender', `мк ${BETA}`)).documents.length, 1);
    assert.equal((await run('inbound', 'list', '--tenant', ALFA)).stdout, 'There are none.\n');
  });

  await t.test('values that cannot be meant are refused', async () => {
    for (const [words, message] of [
      ['--status 41', '--status must be one of 10, 20, 30, 40, 50, 55, 60.'],
      ['--sha256 12', '--sha256 must be the 64 hexadecimal digits of a SHA-256.'],
      ['--euid 12', '--euid must be an EUID: 32 hexadecimal digits with four hyphens.'],
      ['--number a --euid 0198a000-0000-7000-8000-00000000abcd', 'Give one of --number, --euid and --sha256.'],
      ['--limit 10001', '--limit must be at most 10000.'],
    ] as const) {
      const [exitCode, stderr] = await refusal('outbound', 'list', ...words.split(' '));
      assert.deepEqual([exitCode, stderr.split('\n')[0]], [2, message]);
    }
    const many = ['outbound', 'retry', '--failure-code', 'AUTHORITY-UNREACHABLE'];
    assert.match((await refusal(...many, '--rejected'))[1], /^--failure-code retries many failed documents/u);
    assert.match(
      (await refusal('outbound', 'retry', '--since', '2026-01-01'))[1],
      /^--since goes with --failure-code/u,
    );
  });

  await t.test('retry in bulk counts, asks first, and retries what failed since that time', async () => {
    const since = new Date(Date.now() - 2 * HOUR_MS).toISOString();
    const words = ['outbound', 'retry', '--failure-code', 'AUTHORITY-UNREACHABLE', '--since', since];
    const [exitCode, stderr] = await refusal(...words);
    assert.deepEqual(
      [exitCode, stderr],
      [1, 'There is no terminal to ask at. Give --yes to retry without being asked.\n'],
    );
    assert.equal((await docUids('--status', '55')).length, 4, 'nothing was retried');
    const { stdout, stderr: progress } = await run(...words, '--yes');
    assert.equal(stdout, '2 of 2 are queued again.\n');
    assert.match(progress, /^retrying AUTHORITY-UNREACHABLE: 2 of 2 documents, 100 %/u);
    assert.deepEqual(await docUids('--status', '55'), [uids[3], uids[2]]);
    assert.equal((await run(...words, '--yes')).stdout, 'There are none.\n');
    const { requeued } = await json<{ readonly requeued: number }>(
      ...['outbound', 'retry', '--failure-code', 'AUTHORITY-UNREACHABLE', '--tenant', ALFA, '--yes'],
    );
    assert.equal(requeued, 1);
  });
});
