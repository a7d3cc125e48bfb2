import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { hourOf } from '../../src/domain/operations/document-activity.ts';
import { addOutboundIn, newAuditEntry, newOutbound } from '../engines/samples.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { signedIn, type Visitor } from './console-visitor.ts';

const ALFA = readEdb('4030026000018');
const NOW = Date.now();
const MOST_PROBLEMS = 20;
const MOST_CODES = 8;
const MOST_ENTRIES = 50;

/** As many as a list shows, and one more. */
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

suite('a list of the console that shows its first members alone', () => {
  let service: TestService;
  let petar: Visitor;
  before(async () => {
    service = await startTestService();
    petar = await signedIn(service, 'petar', 'viewer');
  });
  after(() => service.stop());

  const textOf = async (path: string) => (await petar.get(`${path}?language=en`)).text;

  test('says how many problems of arrivals it leaves out', async () => {
    const { storage } = service.foundation;
    const save = (nth: number) => {
      const problem = {
        subject: `arrival-${nth}`,
        docUid: null,
        reason: 'It is not given.',
        cause: 'E1011',
        failures: 1,
      };
      const times = { since: NOW, dueAt: NOW, seenAt: NOW };
      return storage.transaction((tx) => tx.arrivalProblems.save(ALFA, { ...problem, ...times }));
    };
    for (const nth of upTo(MOST_PROBLEMS)) await save(nth);
    assert.doesNotMatch(await textOf(`/tenants/${ALFA}`), /and \d+ more/u);
    await save(MOST_PROBLEMS + 1);
    assert.match(await textOf(`/tenants/${ALFA}`), />and 1 more</u);
  });

  test('says how many failure codes it leaves out', async () => {
    const { storage } = service.foundation;
    const fail = (nth: number) => {
      const count = { hour: hourOf(Date.now()), measure: 'failure', label: `CODE-${nth}`, documents: 1 } as const;
      return storage.transaction((tx) => tx.activity.add([count]));
    };
    for (const nth of upTo(MOST_CODES)) await fail(nth);
    assert.doesNotMatch(await textOf(''), /and \d+ more/u);
    await fail(MOST_CODES + 1);
    assert.match(await textOf(''), />and 1 more</u);
  });

  test('says that a document has more entries in the audit trail, and where', async () => {
    const { storage } = service.foundation;
    const { docUid } = await storage.transaction((tx) => addOutboundIn(tx, ALFA, 40, newOutbound(), NOW));
    const append = (count: number) =>
      storage.transaction((tx) =>
        tx.audit.append(upTo(count).map((nth) => newAuditEntry({ tenant: ALFA, docUid, at: NOW + nth }))),
      );
    const link = `href="/console/audit?document=${docUid}"`;
    const path = `/documents/outbound/${ALFA}/${docUid}`;
    await append(MOST_ENTRIES);
    assert.ok(!(await textOf(path)).includes(link));
    await append(1);
    const text = await textOf(path);
    assert.ok(text.includes(link));
    assert.match(text, /Entries on this page: 50\. There are older ones\./u);
  });
});
