import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { temporaryFolder, until } from '../support/process.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';
import { commandsHere } from './commands-here.ts';
import { serviceHere } from './service-here.ts';

const variables = { DATA_DIR: temporaryFolder(), AUTHORITY_PACE_MS: '0', DELIVERY_HOLD_SECONDS: '0' };
const service = await serviceHere({ after }, variables);
const { run, json, refusal } = commandsHere(variables);

type Void = { readonly state: string; readonly voidEuid: string | null; readonly docNumber: string | null };
type Shown = {
  readonly void: Void | null;
  readonly ujp: { readonly statusCode: string };
  readonly attempts: unknown[];
};

async function accepted(number: string): Promise<string> {
  const answer = await service.call('demo-alfa', '/outbound', {
    method: 'POST',
    headers: { 'X-Idempotency-Key': number },
    body: sampleInvoice({ number }),
  });
  const { docUid } = (await answer.json()) as { readonly docUid: string };
  await until('accepted', async () => {
    const { status } = (await (await service.call('demo-alfa', `/outbound/${docUid}`)).json()) as { status: number };
    return status === 40;
  });
  return docUid;
}

test('a document is voided beside a running service, with progress, and shown so afterwards', async () => {
  const docUid = await accepted('VOID-1');
  const { exitCode, stdout, stderr } = await run(
    'outbound',
    'void',
    docUid,
    '--reason',
    'S-1',
    '--comment',
    'грешка',
    '--yes',
  );
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, new RegExp(`^${docUid} is voided \\(EUID of the void: [0-9a-f-]{36}\\)\\.\\n$`, 'u'));
  assert.match(stderr, /^The void is on record\. .*also when this command is interrupted\.\nWaiting to be sent\.\n/u);
  const shown = await json<Shown>('outbound', 'show', docUid);
  assert.deepEqual([shown.void?.state, shown.void?.docNumber, shown.ujp.statusCode], ['registered', 'VOID-1-ST', '07']);
  assert.match((await run('outbound', 'show', docUid)).stdout, /void-send +registered/u);
});

test('a void is left to the service with --no-wait', async () => {
  const docUid = await accepted('VOID-2');
  const { state } = await json<Void>('outbound', 'void', docUid, '--reason', 'S-1', '--no-wait', '--yes');
  assert.equal(state, 'requested');
  await until('voided', async () => (await json<Shown>('outbound', 'show', docUid)).void?.state === 'registered');
});

test('a void that cannot be is refused with the reason, in one line', async () => {
  const docUid = await accepted('VOID-3');
  const [exitCode, stderr] = await refusal('outbound', 'void', docUid, '--reason', 'S-77', '--yes');
  assert.equal(exitCode, 1);
  assert.match(stderr, /^The authority's list has no reason S-77 .* It has: S-1 .*\n$/u);
  const [usage, missing] = await refusal('outbound', 'void', docUid);
  assert.equal(usage, 2);
  assert.match(missing, /^--reason is missing\./u);
  assert.equal((await refusal('outbound', 'void', '01a1ddc0-3b8b-7df6-a9f7-802f112fe389', '--reason', 'S-1'))[0], 3);
});

test('nothing is voided without a yes, and --yes is one where nobody can be asked', async () => {
  const docUid = await accepted('VOID-4');
  const [exitCode, stderr] = await refusal('outbound', 'void', docUid, '--reason', 'S-1');
  assert.equal(exitCode, 1);
  assert.match(stderr, /^There is no terminal to ask at\. Give --yes to void without being asked\.\n$/u);
  assert.equal((await json<Shown>('outbound', 'show', docUid)).void, null);
});

test('a comment that is longer than is sent is refused, not cut', async () => {
  const docUid = await accepted('VOID-5');
  const [exitCode, stderr] = await refusal(
    ...['outbound', 'void', docUid, '--reason', 'S-1', '--yes', '--comment', 'г'.repeat(251)],
  );
  assert.equal(exitCode, 1);
  assert.match(stderr, /^The comment has 251 characters; at most 250 are sent\. Shorten it\.\n$/u);
  assert.equal((await json<Shown>('outbound', 'show', docUid)).void, null);
  const longest = ['--comment', `${'г'.repeat(249)}\n `];
  const { state } = await json<Void>('outbound', 'void', docUid, '--reason', 'S-1', '--yes', ...longest);
  assert.equal(state, 'registered');
});
