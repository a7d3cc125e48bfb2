import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { addOutboundIn, newInbound, newKey, newOutbound, newTenant } from '../engines/samples.ts';
import { until } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { signedIn, type Visitor } from './console-visitor.ts';

const ALFA = readEdb('4030026000018');
const BETA = readEdb('4080026000023');

suite('the filters of the console', () => {
  let service: TestService;
  let petar: Visitor;
  let ofAlfa: DocUid;
  let ofBeta: DocUid;
  let arrived: DocUid;

  before(async () => {
    service = await startTestService();
    const { storage } = service.foundation;
    petar = await signedIn(service, 'petar', 'viewer');
    await storage.transaction(async (tx) => {
      ofAlfa = (await addOutboundIn(tx, ALFA, 40, newOutbound({ partnerEdb: null }), Date.now())).docUid;
      ofBeta = (await addOutboundIn(tx, BETA, 40, newOutbound({ partnerEdb: null }), Date.now())).docUid;
      arrived = (await tx.inbound.add(ALFA, newInbound(), Date.now())).stored.docUid;
    });
  });
  after(() => service.stop());

  const documents = async (query: string) => (await petar.get(`/documents?${query}`)).text;

  test('a text that is looked for leads to no other tenant than the one that is chosen', async () => {
    assert.ok(!(await documents(`tenant=${ALFA}&q=${BETA}`)).includes(ofBeta));
    assert.ok((await documents(`tenant=${BETA}&q=MK${BETA}`)).includes(ofBeta));
    assert.ok((await documents(`q=${BETA}`)).includes(ofBeta));
    assert.ok(!(await documents(`tenant=${ALFA}&q=${ofBeta}`)).includes(`/${ofBeta}"`));
  });

  test('one that cannot be read is named beside it, and nothing is listed', async () => {
    for (const [query, field, mk, en] of [
      ['tenant=Beta', 'tenant', '„Beta“ не е ЕДБ', '“Beta” is no EDB'],
      ['tenant=403002600001', 'tenant', '„403002600001“ не е ЕДБ', '“403002600001” is no EDB'],
      ['status=99', 'status', '„99“ не е статус', '“99” is no status'],
      ['since=yesterday', 'since', '„yesterday“ не е датум', '“yesterday” is no date'],
      ['until=01.01.2020', 'until', '„01.01.2020“ не е датум', '“01.01.2020” is no date'],
      ['direction=up', 'direction', '„up“ не е насока', '“up” is no direction'],
      ['direction=inbound&status=55', 'status', 'само излезните', 'Only outbound documents have this: “55”'],
      ['direction=inbound&code=OURS', 'code', 'само излезните', 'Only outbound documents have this: “OURS”'],
    ] as const) {
      const inEnglish = await documents(`${query}&language=en`);
      const inMacedonian = await documents(`${query}&language=mk`);
      for (const [text, says, nothing] of [
        [inEnglish, en, 'Nothing is listed'],
        [inMacedonian, mk, 'Ништо не е наведено'],
      ] as const) {
        assert.match(text, new RegExp(`aria-describedby="${field}-trouble"`, 'u'), query);
        assert.match(text, new RegExp(`id="${field}-trouble">[^<]*${says.replaceAll('.', '\\.')}`, 'u'), query);
        assert.ok(text.includes(nothing), query);
        for (const docUid of [ofAlfa, ofBeta, arrived]) assert.ok(!text.includes(docUid), query);
      }
    }
    await petar.get('/documents?language=en');
    assert.match(await documents('older=x'), /Nothing is listed/u);
    assert.doesNotMatch(await documents('tenant=<script>'), /<script>/u);
  });

  test('those of the audit trail are no different, and a docUid is found in capitals', async () => {
    for (const [query, field] of [
      ['tenant=Beta', 'tenant'],
      ['document=garbage', 'document'],
      ['since=x', 'since'],
      ['until=31.12.2026', 'until'],
    ] as const) {
      const { status, text } = await petar.get(`/audit?${query}`);
      assert.equal(status, 200);
      assert.match(text, new RegExp(`id="${field}-trouble">`, 'u'), query);
      assert.ok(text.includes('Nothing is listed') && !text.includes('sign-in console'), query);
    }
    const headers = { 'x-api-key': 'demo-alfa', 'x-software-id': 'ledger' };
    assert.equal((await fetch(`${service.api}/outbound/${ofAlfa}`, { headers })).status, 200);
    await until('the call is on record', async () => {
      const { text } = await petar.get(`/audit?document=${ofAlfa.toUpperCase()}`);
      assert.ok(!text.includes('sign-in console'));
      return text.includes(`/outbound/${ofAlfa}`);
    });
  });

  test('blank ones and those that are in order have no remark', async () => {
    const text = await documents(`q=&direction=outbound&status=40&code=&tenant=MK+${ALFA}&since=2020-01-01&until=`);
    assert.ok(text.includes(ofAlfa) && !text.includes(ofBeta) && !text.includes('-trouble'));
    assert.ok((await documents('direction=inbound&status=&code=')).includes(arrived));
  });

  /** The EDBs of tenants in the table of a page, in their order. */
  const listed = (text: string) => [...text.matchAll(/href="\/console\/tenants\/(\d{13})"/gu)].map(([, edb]) => edb);

  test('tenants and keys are shown a hundred at a time, and found by name, number, user and state', async () => {
    const { storage } = service.foundation;
    const many = Array.from({ length: 230 }, (_, index) =>
      newTenant({ name: `Ќуп ${index}`, eujpId: `Office-${index % 2}`, outboundEnabled: index !== 7 }),
    );
    const [first = assert.fail(), second = assert.fail()] = many;
    const now = Date.now();
    await storage.transaction(async (tx) => {
      for (const tenant of many) await tx.tenants.add(tenant, now);
      await tx.tenants.stop(second.edb, 'The account is refused.', now);
      for (const [index, { edb }] of many.entries()) {
        const key = newKey(edb, { keyId: `k${index}`, revokedAt: index === 3 ? now : null });
        await tx.keys.add(key, Buffer.from(`hash of ${index}`));
      }
    });
    await petar.get('/tenants?language=en');
    const tenants = async (query: string) => (await petar.get(`/tenants?${query}`)).text;
    const seen: (string | undefined)[] = [];
    let pages = 0;
    for (let address = 'q=ЌУП'; address !== ''; pages += 1) {
      const text = await tenants(address);
      seen.push(...listed(text));
      assert.ok(text.includes(` of 230</span>`));
      address = /rel="next" href="\/console\/tenants\?([^"]*)"/u.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    }
    assert.equal(pages, 3);
    assert.deepEqual(seen, many.map(({ edb }) => edb).toSorted());
    for (const [query, found] of [
      [`q=${first.edb.slice(1)}`, [first.edb]],
      [`q=МК+${first.edb}`, [first.edb]],
      ['q=Ќуп&state=stopped', [second.edb]],
      ['q=ќуп&state=outbound-off', [many[7]?.edb]],
      [
        'q=Ќуп+7&state=delivering',
        many.filter(({ name }) => name.startsWith('Ќуп 7') && name !== 'Ќуп 7').map(({ edb }) => edb),
      ],
      ['q=nobody', []],
    ] as const) {
      assert.deepEqual(listed(await tenants(query)), found, query);
    }
    assert.equal(listed(await tenants('q=office-1&page=2')).length, 15);
    assert.equal(listed(await tenants('q=office-1&state=certificate-trouble&page=99')).length, 15);
    assert.match(await tenants('q=nobody'), /Nothing was found/u);
    assert.match(await tenants('state=sleeping'), /“sleeping” is no state.*Nothing is listed/su);

    const keys = async (query: string) => [
      ...(await petar.get(`/keys?${query}`)).text.matchAll(/<code>(k\d+)<\/code>/gu),
    ];
    assert.equal((await keys('q=Ќуп')).length, 100);
    assert.deepEqual(
      (await keys(`q=MK${first.edb}`)).map(([, id]) => id),
      ['k0'],
    );
    assert.deepEqual(
      (await keys('q=ledger&state=revoked')).map(([, id]) => id),
      ['k3'],
    );
  });
});
