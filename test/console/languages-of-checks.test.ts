import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { newAuditEntry } from '../engines/samples.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { ALFA } from '../support/ubl-samples.ts';
import { signedIn, type Visitor } from './console-visitor.ts';

const HOUR_MS = 3_600_000;
/** What is Latin in a Macedonian line: names, codes, times and what the authority has said itself. */
const NAMES = /\b(?:EUJP-ID|PDF|RD|DP|DA|[0-9A-F]{8,}|demo-\w+|\d{4}-\d\d-\d\dT[\d:.]+Z)\b/gu;

suite('the lines of checks', () => {
  let service: TestService;
  let petar: Visitor;

  before(async () => {
    service = await startTestService();
    petar = await signedIn(service, 'petar', 'viewer');
  });
  after(() => service.stop());

  const speak = (language: 'mk' | 'en') => petar.get(`/audit?language=${language}`);

  test('an account check speaks the language of the page', async () => {
    const check = async () => {
      const { text } = await petar.post(`/tenants/${ALFA.taxNumber}/check`, {});
      const [, list = assert.fail(text)] = /<ul class="plain checks">(.*?)<\/ul>/su.exec(text) ?? [];
      return list.replaceAll(/<[^>]+>/gu, ' ');
    };
    await speak('mk');
    const said = await check();
    for (const line of ['има сертификат', 'УЈП одговара', 'потписот е прифатен', 'Не може да се провери']) {
      assert.ok(said.includes(line), `${line}: ${said}`);
    }
    assert.doesNotMatch(said.replaceAll(NAMES, ''), /[a-z]{3}/iu);
    await speak('en');
    assert.match(await check(), /the authority answers/u);
  });

  test('entries that are dated back or taken over are told as the command line tells them', async () => {
    const { storage, engine } = service.foundation;
    const at = Date.now() - 2 * HOUR_MS;
    await storage.transaction((tx) => tx.audit.append([newAuditEntry({ at })]));
    await engine.transaction((sql) =>
      sql.run('insert into audit_adoption (id, until_at) values (1, $1)', [Date.now() - 3 * HOUR_MS]),
    );
    await speak('en');
    const { text } = await petar.post('/audit', {});
    assert.match(text, /intact<\/span>/u);
    assert.match(text, /Entries that were sealed more than an hour after the time they name: 1, .* or dated back\./u);
    assert.match(text, /Entries without a digest are taken over as they are found, up to [^<]+ without seals\./u);
    await speak('mk');
    const macedonian = (await petar.post('/audit', {})).text;
    assert.match(macedonian, /Записи што се запечатени повеќе од еден час по времето што го наведуваат: 1,/u);
    assert.match(macedonian, /Записите без отпечаток се преземаат/u);
  });

  test('the break of the trail is told in the language of the page', async () => {
    await service.foundation.engine.transaction((sql) =>
      sql.run("update audit set path = 'elsewhere' where operator = 'petar'", []),
    );
    await speak('mk');
    assert.match((await petar.post('/audit', {})).text, /Записот [0-9a-f-]{36} од \S+ е изменет откако бил запишан\./u);
    await speak('en');
    assert.match((await petar.post('/audit', {})).text, /not intact<\/span> The entry \S+ of \S+ was changed after/u);
  });
});
