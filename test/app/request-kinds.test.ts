import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openAuthority } from '../../src/app/authority.ts';
import type { Authority } from '../../src/application/ports/authority.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { Tenant } from '../../src/domain/accounts/tenant.ts';
import { firstDocUidAt } from '../../src/domain/documents/doc-uid.ts';
import { edb } from '../engines/samples.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { sharedReader } from '../support/shared-reader.ts';
import { ALFA, sampleInvoice } from '../support/ubl-samples.ts';

const EUID = '019b8d43-7840-7433-b358-08891b53605c';
const DAY = '2026-11-15';
const PREPARED = { docTypeCode: '100', docNumber: '1', docDate: DAY, docId: 'x', text: '{}' };

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService();
  tenant = await service.operator.tenants.find(edb(ALFA.taxNumber ?? ''));
});
after(() => service.stop());

/** The connection of a service that keeps a pace, and the kinds of the requests that have waited for their turns. */
function connectionWithKinds() {
  const { foundation } = service;
  const kinds = new Set<string>();
  const transaction: Storage['transaction'] = (work) =>
    foundation.storage.transaction((tx) => {
      const ask: Storage['pace']['ask'] = (environment, eujpId, requests, ...others) => {
        for (const kind of Object.keys(requests)) kinds.add(kind);
        return tx.pace.ask(environment, eujpId, requests, ...others);
      };
      return work({ ...tx, pace: { ...tx.pace, ask } });
    });
  const config = { ...foundation.config, authorityPaceMs: 1 };
  const connection = openAuthority({ ...foundation, config, storage: { ...foundation.storage, transaction } });
  return { connection, kinds };
}

const CALLS: Readonly<Record<string, readonly ((authority: Authority) => Promise<unknown>)[]>> = {
  send: [
    (authority) => authority.send(tenant, PREPARED, `${DAY}T10:00:00`),
    (authority) => authority.findRegistered(tenant, PREPARED),
  ],
  container: [(authority) => authority.container(tenant, EUID)],
  collect: [
    (authority) => authority.arrivals(tenant, DAY, DAY),
    (authority) => authority.arrived(tenant, [EUID]),
    (authority) => authority.arrivedInAnyShape(tenant, EUID),
    (authority) => authority.arrivedPdf(tenant, EUID),
  ],
  follow: [(authority) => authority.statusChanges(tenant, DAY)],
  check: [(authority) => authority.check(tenant)],
};

for (const [kind, calls] of Object.entries(CALLS)) {
  test(`${kind}: each call waits in the line as what it is for, whatever comes of it`, async (t) => {
    for (const call of calls) {
      const { connection, kinds } = connectionWithKinds();
      t.after(connection.close);
      await call(connection.authority).catch(() => undefined);
      assert.deepEqual([...kinds], [kind]);
    }
  });
}

const forgetLists = () =>
  service.foundation.engine.transaction(async (sql) => void (await sql.run('delete from code_list', [])));

const NONE_REFUSED = { leftOut: null, refusedOn: new Set<string>() };

for (const [name, kind] of [
  ['lists', 'dry-run'],
  ['listsAhead', 'lists'],
] as const) {
  test(`a list that nobody has read yet waits in the line as somebody waits for it (${name}: ${kind})`, async (t) => {
    const { connection, kinds } = connectionWithKinds();
    t.after(connection.close);
    await forgetLists();
    await connection[name](tenant, 'currencies');
    assert.deepEqual([...kinds], [kind]);
  });
}

test('a document that is to be sent waits for no list at the end of the line, also when others have asked for it', async (t) => {
  const { connection, kinds } = connectionWithKinds();
  t.after(connection.close);
  const content = await sharedReader().content(tenant.edb, new Uint8Array(Buffer.from(sampleInvoice())));
  await forgetLists();
  const { outcome } = await connection.authority.prepare(
    tenant,
    firstDocUidAt(0),
    content,
    async () => [],
    NONE_REFUSED,
  );
  assert.deepEqual([outcome, [...kinds]], ['prepared', ['send']]);
  await forgetLists();
  const other = connectionWithKinds();
  t.after(other.connection.close);
  const hanging = other.connection.listsAhead(tenant, 'document-types');
  await other.connection.authority.prepare(tenant, firstDocUidAt(1), content, async () => [], NONE_REFUSED);
  assert.deepEqual([...other.kinds].toSorted(), ['lists', 'send']);
  await hanging;
});

test('whatever a dry run looks up waits in the line as such, lists that nobody has read yet included', async (t) => {
  const { connection, kinds } = connectionWithKinds();
  t.after(connection.close);
  const { content } = await sharedReader().inspect(tenant.edb, Buffer.from(sampleInvoice()));
  assert.ok(content !== null);
  await forgetLists();
  const { failures, preview } = await connection.dryRun(tenant, content, async () => [], new Set());
  assert.deepEqual([failures, preview?.type.code, [...kinds]], [[], '100', ['dry-run']]);
});
