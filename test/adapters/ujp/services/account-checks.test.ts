import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { accountChecks } from '../../../../src/adapters/ujp/services/account-checks.ts';
import { findingText } from '../../../../src/domain/messages/finding-text.ts';
import { words } from '../../../../src/domain/messages/render.ts';
import { alfa, beta, startAuthority } from '../../../simulator/authority-client.ts';
import { startChangingForwarder } from '../../../support/changing-forwarder.ts';
import { BETA_TENANT, clientWith, PORTAL, startWithClient } from './client.ts';

const NOW = Date.parse('2026-11-15T09:00:00Z');
const RIGHTS = ['payloads', 'PDFs', 'containers'];

async function start(t: TestContext, privileges: readonly ('SIGN' | 'RD' | 'DP' | 'DA')[]) {
  const users = [
    { eujpId: beta.eujpId, edb: beta.edb, privileges },
    { eujpId: alfa.eujpId, edb: alfa.edb },
  ];
  const { client, authority } = await startWithClient(t, { users });
  const check = accountChecks({ client, clock: { now: () => NOW } });
  return {
    authority,
    /** In the words of the command line. */
    async check() {
      const checks = await check(BETA_TENANT);
      return checks.map(({ what, detail, ...rest }) => ({
        ...rest,
        what: words('en', what),
        detail: findingText('en', detail),
      }));
    },
  };
}

test('each right is tried by itself, and the missing one is named; with documents and without', async (t) => {
  const all = ['RD', 'DP', 'DA'] as const;
  for (const missing of [null, ...all]) {
    const { authority, check } = await start(t, ['SIGN', ...all.filter((right) => right !== missing)]);
    for (const documents of [0, 1]) {
      const checks = await check();
      assert.deepEqual(
        checks.slice(3).map(({ what }) => what.split(' ')[0]),
        ['inbound', ...RIGHTS, 'inbound'],
      );
      assert.match(checks[3]?.detail ?? '', new RegExp(`: ${documents}\\.$`, 'u'));
      const failed = checks.filter(({ isOk }) => !isOk);
      assert.equal(failed.length, missing === null ? 0 : 1, JSON.stringify(failed));
      if (missing !== null) assert.match(failed[0]?.detail ?? '', new RegExp(`^The right ${missing} is missing`, 'u'));
      if (documents === 0) await authority.registered();
    }
  }
});

test('the JSON of another service shows no right', async (t) => {
  const authority = await startAuthority(t);
  const forwarder = await startChangingForwarder(Number(new URL(authority.simulator.url).port));
  t.after(() => forwarder.close());
  const query = authority.simulator.url.replace(/:\d+/u, `:${forwarder.port}`);
  const { client } = clientWith({ urls: { test: { query, receiver: query, portal: PORTAL }, production: null } });
  const check = accountChecks({ client, clock: { now: () => NOW } });
  const rights = ['purchase-invoice/payload/list', 'purchase-invoice/pdf', 'invoice'].map(
    (name) => `documents/${name}`,
  );
  for (const documents of [0, 1]) {
    forwarder.change = (path, answer) =>
      rights.includes(path) ? { ...answer, status: 200, body: '{"status":"ok"}' } : answer;
    const checks = await check(BETA_TENANT);
    assert.deepEqual(
      checks.map(({ isOk }) => isOk),
      [true, true, true, true, false, false, false, true],
      `${documents} documents`,
    );
    await authority.registered();
  }
});

test('whether documents can be accepted is said not to be tested, and nothing is changed', async (t) => {
  const { authority, check } = await start(t, ['SIGN', 'RD', 'DP', 'DA']);
  await authority.registered();
  const last = (await check()).at(-1);
  assert.deepEqual([last?.isUntested, last?.detail], [true, 'Cannot be tested without accepting a document.']);
  assert.deepEqual(
    (await authority.listed()).map(({ status }) => status),
    ['01'],
  );
});
