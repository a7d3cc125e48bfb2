import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { signedIn, type Visitor } from './console-visitor.ts';

const ALFA = readEdb('4030026000018');
const PAGE = `/tenants/${ALFA}`;
const ASKED = `${PAGE}/resume`;
const HOSTILE = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>';
const NOW = Date.now();
/** Longer than a first stop. */
const LATER = NOW + 120_000;

suite('a stopped tenant in the console', () => {
  let service: TestService;
  let vera: Visitor;
  let petar: Visitor;

  before(async () => {
    service = await startTestService();
    vera = await signedIn(service, 'vera', 'operator');
    petar = await signedIn(service, 'petar', 'viewer');
  });
  after(() => service.stop());

  const stop = (reason: string, at: number) =>
    service.foundation.storage.transaction((tx) => tx.tenants.stop(ALFA, reason, at));
  const end = () => service.foundation.storage.transaction((tx) => tx.tenants.resume(ALFA, NOW));
  const reasonNow = async () => (await service.foundation.storage.tenants.find(ALFA))?.stopped?.reason;

  /** The stop that the page names when it asks. */
  async function shown(): Promise<{ readonly stop: string }> {
    const [, value = assert.fail()] = /name="stop" value="([^"]+)"/u.exec((await vera.get(ASKED)).text) ?? [];
    return { stop: value };
  }

  test('is on the overview with its cause, and is resumed by an operator', async () => {
    await stop(`The account: ${HOSTILE}`, NOW);
    assert.match((await petar.get('')).text, /nothing is sent since/u);
    const tenant = await petar.get(PAGE);
    assert.match(tenant.text, /Stopped since/u);
    assert.ok(!tenant.text.includes('/resume"') && !tenant.text.includes('<script>alert'));
    assert.equal((await petar.post(ASKED, {})).status, 403);
    const { text } = await vera.get(ASKED);
    assert.match(text, /Its documents are sent from now on/u);
    assert.ok(!text.includes('<script>alert'));
    await end();
    assert.equal((await vera.post(ASKED, {})).status, 409);
    const check = await petar.post(`${PAGE}/check`, {});
    assert.match(check.text, /an EUJP-ID is set/u);
    const otherLanguage = /class="language" href="\/console([^"?]+)/u.exec(check.text)?.[1] ?? assert.fail();
    assert.equal((await petar.get(otherLanguage)).status, 200, 'its link to the other language leads to a page');
  });

  test('is resumed from the stop that the page has shown, also where that was prolonged since', async () => {
    await stop('The account is blocked.', NOW);
    const blocked = await shown();
    await stop('The account is blocked.', LATER);
    assert.equal((await vera.post(ASKED, blocked)).status, 303);
    assert.equal(await reasonNow(), undefined);
  });

  test('is not resumed where another stop has taken the place of the one that was shown', async () => {
    await stop('The account is blocked.', NOW);
    const blocked = await shown();
    await stop('The certificate has been revoked.', LATER);
    for (const [language, says] of [
      ['mk', /запрен од друга причина/u],
      ['en', /stopped for another reason/u],
    ] as const) {
      const { status, text } = await vera.post(`${ASKED}?language=${language}`, blocked);
      assert.equal(status, 409);
      assert.match(text, says);
    }
    const revoked = await shown();
    await end();
    await stop('The certificate has been revoked.', LATER + 1);
    assert.equal((await vera.post(ASKED, revoked)).status, 409, 'the same cause once more, after something was done');
    assert.equal((await vera.post(ASKED, {})).status, 409, 'none was shown');
    assert.equal(await reasonNow(), 'The certificate has been revoked.');
    assert.equal((await vera.post(ASKED, await shown())).status, 303);
  });
});
