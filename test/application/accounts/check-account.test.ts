import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccount } from '../../../src/application/accounts/check-account.ts';
import { type AccountCheck, AuthorityCallError } from '../../../src/application/ports/authority.ts';
import type { SealedCredential } from '../../../src/application/ports/storage/credential-store.ts';
import type { Tenant } from '../../../src/domain/accounts/tenant.ts';
import type { ArrivalProblem } from '../../../src/domain/documents/arrival-problem.ts';
import { nextDocUid } from '../../../src/domain/documents/doc-uid.ts';
import { findingText } from '../../../src/domain/messages/finding-text.ts';
import { message } from '../../../src/domain/messages/message.ts';
import { words } from '../../../src/domain/messages/render.ts';
import { MORNING, newTenant } from '../../engines/samples.ts';
import { clockAt } from '../../support/test-clock.ts';

const DAY_MS = 86_400_000;
const AT_AUTHORITY: readonly AccountCheck[] = [
  { what: message('check-answers'), isOk: true, detail: message('found-clock-agrees') },
];
const SAID_AT_AUTHORITY = [{ what: 'the authority answers', isOk: true, detail: 'Its clock agrees with ours.' }];

const COLLECTED = { what: 'inbound documents are collected', isOk: true, detail: 'Nothing stands in the way.' };

type Known = {
  readonly validTo?: number;
  readonly check?: () => Promise<readonly AccountCheck[]>;
  readonly problems?: readonly ArrivalProblem[];
};

/** In the words of the command line. */
async function check(tenant: Tenant, { validTo, check = async () => AT_AUTHORITY, problems = [] }: Known = {}) {
  const sealed = { sealedKey: Uint8Array.of(1), sealedBy: '', changedAt: MORNING };
  const credential: SealedCredential | null =
    validTo === undefined ? null : { tenant: tenant.edb, certificate: '', serialNumber: 'A1B2', validTo, ...sealed };
  const credentials = {
    find: async () => credential,
    list: async () => [],
    page: async () => [],
    facts: async () => [],
    save: async () => undefined,
    remove: async () => undefined,
    reseal: async () => false,
  };
  const none = async () => undefined;
  const arrivalProblems = { list: async () => problems, save: none, remove: none, removeUnstored: none, makeDue: none };
  const checks = await checkAccount({
    storage: { credentials, arrivalProblems },
    authority: { check },
    clock: clockAt(),
  })(tenant);
  return checks.map(({ what, detail, ...rest }) => ({
    ...rest,
    what: words('en', what),
    detail: findingText('en', detail),
  }));
}

const ready = () => newTenant({ eujpId: 'person-7' });

test('where all is well here, the steps of the authority follow those of the gateway', async () => {
  const checks = await check(ready(), { validTo: MORNING + 400 * DAY_MS });
  assert.deepEqual(checks, [
    { what: 'an EUJP-ID is set', isOk: true, detail: 'person-7.' },
    { what: 'a certificate is there', isOk: true, detail: 'A1B2, 400 days until it expires.' },
    { what: 'delivery is not stopped', isOk: true, detail: 'Documents are sent.' },
    COLLECTED,
    ...SAID_AT_AUTHORITY,
  ]);
});

test('a certificate with less than thirty days is still good, with a warning', async () => {
  const detail = async (validTo: number) => (await check(ready(), { validTo }))[1];
  const late = { what: 'a certificate is there', isOk: true, detail: 'A1B2, 29 days until it expires; renew it now.' };
  assert.deepEqual(await detail(MORNING + 30 * DAY_MS - 1), late);
  assert.equal((await detail(MORNING + 30 * DAY_MS))?.detail, 'A1B2, 30 days until it expires.');
});

test('the authority is not asked where there is nothing to ask with', async () => {
  const unasked = async () => assert.fail('The authority was asked.');
  const withoutId = await check(newTenant(), { validTo: MORNING + DAY_MS, check: unasked });
  const withoutCertificate = await check(ready(), { check: unasked });
  const expired = await check(ready(), { validTo: MORNING, check: unasked });
  const failed = [withoutId, withoutCertificate, expired].map((checks) => checks.filter(({ isOk }) => !isOk));
  assert.deepEqual(failed, [
    [{ what: 'an EUJP-ID is set', isOk: false, detail: 'Not set.', missing: 'eujp-id' }],
    [
      {
        what: 'a certificate is there',
        isOk: false,
        detail: 'There is none.',
        missing: 'certificate',
      },
    ],
    [{ what: 'a certificate is there', isOk: false, detail: 'A1B2 expired at 2026-11-16T08:00:00.000Z.' }],
  ]);
});

test('a stop is told with its reason and its end, and the authority is asked all the same', async () => {
  const stopped = {
    since: MORNING - DAY_MS,
    until: MORNING + 60_000,
    reason: 'E1003 No such certificate',
    cause: 'account',
  } as const;
  const [, , delivery, , ...more] = await check({ ...ready(), stopped }, { validTo: MORNING + 40 * DAY_MS });
  assert.deepEqual(delivery, {
    what: 'delivery is not stopped',
    isOk: false,
    detail: 'Stopped since 2026-11-15T08:00:00.000Z, next try at 2026-11-16T08:01:00.000Z: E1003 No such certificate',
  });
  assert.deepEqual(more, SAID_AT_AUTHORITY);
  const due = await check({ ...ready(), stopped: { ...stopped, until: MORNING } }, { validTo: MORNING + DAY_MS });
  assert.match(due[2]?.detail ?? '', /, next try now: E1003/u);
});

test('what stands in the way of inbound documents is told; one that was stored unreadable does not', async () => {
  const euid = '019b8d43-7840-7433-b358-08891b53605c';
  const record = { since: MORNING, failures: 2, dueAt: MORNING, seenAt: MORNING, docUid: null };
  const open = { subject: euid, cause: 'E1011', reason: 'E1011 No right', ...record };
  const later = { ...open, subject: 'collection', reason: 'later', since: MORNING + 1 };
  const stored = { ...open, dueAt: null, docUid: nextDocUid(MORNING, null, new Uint8Array(10)) };
  const detail = async (problems: readonly ArrivalProblem[]) =>
    (await check(ready(), { validTo: MORNING + 400 * DAY_MS, problems }))[3];
  assert.deepEqual(await detail([stored]), COLLECTED);
  assert.deepEqual(await detail([later, stored, open]), {
    what: COLLECTED.what,
    isOk: false,
    detail: 'Problems: 2, the oldest since 2026-11-16T08:00:00.000Z: E1011 No right',
  });
});

test('an authority that cannot be asked is a failed step; a bug is not', async () => {
  const validTo = MORNING + 40 * DAY_MS;
  const away = async () => Promise.reject(new AuthorityCallError('It did not answer.', { kind: 'timeout' }));
  const checks = await check(ready(), { validTo, check: away });
  assert.deepEqual(checks.at(-1), { what: 'the authority answers', isOk: false, detail: 'It did not answer.' });
  const bug = async () => Promise.reject(new TypeError('a bug'));
  await assert.rejects(check(ready(), { validTo, check: bug }), TypeError);
});
