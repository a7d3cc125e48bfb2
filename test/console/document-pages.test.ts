import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import { readTenantState } from '../../src/application/operations/read-tenant-state.ts';
import type { OutboundDetails } from '../../src/application/outbound/inspect-outbound.ts';
import { storySection } from '../../src/console/pages/documents/story.ts';
import { tenantPage } from '../../src/console/pages/tenants/tenant-page.ts';
import { consoleView } from '../../src/console/pages/view.ts';
import type { Visit } from '../../src/console/visit.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { message } from '../../src/domain/messages/message.ts';
import { addOutboundIn, MORNING, newInbound, newOutbound } from '../engines/samples.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { signedIn, type Visitor } from './console-visitor.ts';

const ALFA = readEdb('4030026000018');
const BETA = readEdb('4080026000023');
const REJECTED_BY_BUYER = {
  ...{ accepted: true, euid: '01a1e35e-c000-7aaa-8bbb-000000000001', qrLink: null, registeredAt: null },
  ...{ message: 'ok', errors: [], statusCode: '05', statusName: 'Одбиена' },
};
const HOSTILE = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>';

suite('documents in the console', () => {
  let service: TestService;
  let vera: Visitor;
  let petar: Visitor;

  before(async () => {
    service = await startTestService();
    vera = await signedIn(service, 'vera', 'operator');
    petar = await signedIn(service, 'petar', 'viewer');
  });
  after(() => service.stop());

  type Changes = Parameters<typeof addOutboundIn>[5];

  async function add(number: string, status: 10 | 40 | 50 | 55, changes: Changes = {}): Promise<DocUid> {
    const document = newOutbound();
    const facts = { ...document.facts, documentNumber: number };
    const { storage } = service.foundation;
    const stored = await storage.transaction((tx) =>
      addOutboundIn(tx, ALFA, status, { ...document, facts }, Date.now(), changes),
    );
    return stored.docUid;
  }

  const pathOf = (docUid: DocUid) => `/documents/outbound/${ALFA}/${docUid}`;
  const statusOf = async (docUid: DocUid) => (await service.foundation.storage.outbound.find(ALFA, docUid))?.status;

  test('are found by number, docUid and EDB, and by status', async () => {
    const docUid = await add('FIND-1', 55, { failureCode: 'OURS', failureMessage: 'Because.' });
    for (const q of ['FIND-1', docUid, ALFA]) {
      const { text } = await petar.get(`/documents?q=${q}`);
      assert.ok(text.includes(`href="/console${pathOf(docUid)}"`), q);
    }
    assert.ok((await petar.get('/documents?status=55')).text.includes(docUid));
    assert.ok(!(await petar.get('/documents?status=40&q=FIND-1')).text.includes(docUid));
    assert.match((await petar.get('/documents?q=NOBODY-HAS-IT')).text, /No document was found/u);
    assert.equal((await petar.get('/documents?direction=inbound')).status, 200);
  });

  test('are found by the day in Skopje on which they were received, as the page shows it', async () => {
    const received = async (at: string) => {
      const { storage } = service.foundation;
      const added = await storage.transaction((tx) => addOutboundIn(tx, BETA, 40, newOutbound(), Date.parse(at)));
      return added.docUid;
    };
    // The last minute of a day with 25 hours, and a quarter of an hour after a midnight.
    const late = await received('2025-10-26T22:59:00Z');
    const early = await received('2026-06-10T22:15:00Z');
    const isFound = async (docUid: DocUid, from: string, to: string) =>
      (await petar.get(`/documents?since=${from}&until=${to}`)).text.includes(docUid);
    assert.equal(await isFound(early, '2026-06-11', '2026-06-11'), true);
    assert.equal(await isFound(early, '2026-06-10', '2026-06-10'), false);
    assert.equal(await isFound(late, '2025-10-26', '2025-10-26'), true);
    assert.equal(await isFound(late, '2025-10-27', '2025-10-27'), false);
  });

  test('say in the language of the page why something is not done', async () => {
    const accepted = await add('REFUSED-1', 40, { ujp: REJECTED_BY_BUYER });
    const failed = await add('REFUSED-2', 55, { failureCode: 'OURS', failureMessage: 'Because.' });
    for (const [path, mk, en] of [
      [
        `${pathOf(accepted)}/void`,
        /не може да се сторнира: купувачот го одбил/u,
        /cannot be voided: its buyer has rejected it/u,
      ],
      [`${pathOf(failed)}/void`, /е во статус 55; може да се сторнира само/u, /is in status 55; only a document/u],
      [`${pathOf(accepted)}/retry`, /не е во статус 55; само неуспешни/u, /is not in status 55; only failed/u],
      [`${pathOf(accepted)}/cancel`, /не може да се откаже|не може да се поништи/u, /cannot be cancelled/u],
      [`/tenants/${BETA}/resume`, /не е запрен/u, /is not stopped/u],
      ['/keys/key-0/revoke', /Нема клуч key-0/u, /There is no key key-0/u],
    ] as const) {
      for (const [language, says] of [
        ['mk', mk],
        ['en', en],
      ] as const) {
        const { status, text } = await vera.post(`${path}?language=${language}`, { reason: 'S-1' });
        assert.ok(status === 409 || status === 404, `${path} ${language}: ${status}`);
        assert.match(text, says, `${path} ${language}`);
      }
    }
    for (const [language, says] of [
      ['mk', /Таков документ нема/u],
      ['en', /There is no such document/u],
    ] as const) {
      const { status, text } = await vera.get(`/documents/outbound/1/2?language=${language}`);
      assert.equal(status, 404);
      assert.match(text, says);
    }
  });

  test('show their story, what comes next, and only an operator what can be done', async () => {
    const docUid = await add('STORY-1', 55, { failureCode: 'OURS', failureMessage: 'Because.' });
    const { text } = await vera.get(pathOf(docUid));
    for (const part of [
      'Status 55',
      'Because.',
      'It was given up',
      `${pathOf(docUid)}/retry`,
      `${pathOf(docUid)}/cancel`,
    ]) {
      assert.ok(text.includes(part), part);
    }
    assert.ok(!text.includes(`${pathOf(docUid)}/void`));
    assert.ok(!(await petar.get(pathOf(docUid))).text.includes(`${pathOf(docUid)}/retry`));
    for (const action of ['retry', 'cancel', 'void']) {
      assert.equal((await petar.post(`${pathOf(docUid)}/${action}`, {})).status, 403, action);
    }
    assert.equal(await statusOf(docUid), 55);
  });

  test('are retried and cancelled after a question, each on record, and refused when it is too late', async () => {
    const [failed, waiting, accepted] = [
      await add('RETRY-1', 55, { failureCode: 'OURS', failureMessage: 'Because.' }),
      await add('CANCEL-1', 10),
      await add('DONE-1', 40),
    ];
    assert.match((await vera.get(`${pathOf(failed)}/retry`)).text, /Retry the document RETRY-1\?/u);
    assert.equal((await vera.post(`${pathOf(failed)}/retry`, {})).status, 303);
    assert.equal(await statusOf(failed), 20);
    assert.equal((await vera.post(`${pathOf(failed)}/retry`, {})).status, 409, 'a second time');
    assert.match((await vera.get(`${pathOf(waiting)}/cancel`)).text, /It gets status 60/u);
    assert.equal((await vera.post(`${pathOf(waiting)}/cancel`, {})).status, 303);
    assert.equal(await statusOf(waiting), 60);
    assert.equal((await vera.post(`${pathOf(accepted)}/cancel`, {})).status, 409);
    assert.equal((await vera.post(`${pathOf(accepted)}/void`, { reason: '1' })).status, 409, 'without an EUID');
    const any = { keyId: null, since: null, until: null, limit: 10 };
    for (const [docUid, path] of [
      [failed, `outbound retry ${failed}`],
      [waiting, `outbound cancel ${waiting}`],
    ] as const) {
      const entries = await service.foundation.storage.audit.read({ ...any, tenant: ALFA, docUid });
      assert.deepEqual(
        entries.map((entry) => [entry.path, entry.operator, entry.method]),
        [[path, 'vera', 'CONSOLE']],
      );
      assert.ok((await vera.get(pathOf(docUid))).text.includes(path));
    }
  });

  test('are retried only as the page has asked, also when they were rejected since it was opened', async () => {
    const failed = await add('RETRY-1', 55);
    const asked = /name="status" value="(\d+)"/u.exec((await vera.get(`${pathOf(failed)}/retry`)).text)?.[1];
    assert.equal(asked, '55');
    const rejected = await add('RETRY-2', 50);
    const { storage } = service.foundation;
    const { status, text } = await vera.post(`${pathOf(rejected)}/retry`, { status: '55' });
    assert.equal(status, 409);
    assert.match(text, /is not in status 55/u);
    const asRejected = await vera.post(`${pathOf(rejected)}/retry`, { status: '50' });
    assert.doesNotMatch(asRejected.text, /is not in status/u, 'it is refused only for what it lacks here');
    assert.equal((await storage.outbound.find(ALFA, rejected))?.status, 50);
  });

  test('never put their texts into a page as anything but text', async () => {
    const docUid = await add(HOSTILE, 55, { failureCode: 'OURS', failureMessage: HOSTILE });
    const { storage } = service.foundation;
    await storage.transaction(async (tx) => {
      const ordinal = await tx.deliveries.beginAttempt(ALFA, docUid, 'send', MORNING);
      const end = {
        endedAt: MORNING,
        outcome: 'failed',
        failureCode: HOSTILE,
        message: HOSTILE,
        answer: HOSTILE,
      } as const;
      await tx.deliveries.endAttempt(ALFA, docUid, ordinal, end);
    });
    const addresses = [
      pathOf(docUid),
      `${pathOf(docUid)}/retry`,
      `${pathOf(docUid)}/cancel`,
      `/documents?q=${encodeURIComponent(HOSTILE)}&code=${encodeURIComponent(HOSTILE)}&tenant=${encodeURIComponent(HOSTILE)}`,
      `/documents?status=55`,
      '/tenants',
      '',
    ];
    for (const address of addresses) {
      const { text, status } = await vera.get(address);
      assert.equal(status, 200, address);
      assert.ok(!text.includes('<script>alert') && !text.includes('<img src=x'), address);
    }
  });

  test('are drawn in a frame without rights, and their files are saved, never shown', async () => {
    const docUid = await add('FILE-1', 10);
    const page = await vera.get(pathOf(docUid));
    assert.match(page.text, /<iframe class="invoice" sandbox src=/u);
    const view = await vera.get(`${pathOf(docUid)}/view`);
    const policy = view.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'.*frame-ancestors 'self'; sandbox$/u);
    const file = await vera.get(`${pathOf(docUid)}/file/ubl`);
    assert.equal(file.status, 200);
    assert.equal(file.headers.get('content-type'), 'application/octet-stream');
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="[0-9a-f-]{36}-ubl\.xml"$/u);
    assert.ok(
      page.text.includes('/file/ubl"') && !page.text.includes('/file/ujp"') && !page.text.includes('/file/pdf"'),
    );
    for (const format of ['ujp', 'nothing', '..']) {
      assert.ok([404, 409].includes((await vera.get(`${pathOf(docUid)}/file/${format}`)).status), format);
    }
  });

  test('that arrived have a page with the files that there are', async () => {
    const { storage } = service.foundation;
    const { stored } = await storage.transaction((tx) => tx.inbound.add(ALFA, newInbound({ pdf: null }), Date.now()));
    const { text, status } = await petar.get(`/documents/inbound/${ALFA}/${stored.docUid}`);
    assert.equal(status, 200);
    assert.ok(text.includes('/file/original"') && !text.includes('/file/pdf"'));
  });

  test('whose stored bytes are damaged are on the overview, unless they were cancelled', async () => {
    assert.ok(!(await petar.get('')).text.includes('code=STORED-DAMAGE'));
    const docUid = await add('DAMAGED-1', 55, { failureCode: 'STORED-DAMAGE', failureMessage: 'It is damaged.' });
    const { text } = await petar.get('');
    assert.match(text, /what is stored of them is damaged: 1\./u);
    assert.ok(text.includes('href="/console/documents?code=STORED-DAMAGE"'));
    assert.ok((await petar.get('/documents?code=STORED-DAMAGE')).text.includes(docUid));
    await vera.get(`${pathOf(docUid)}/cancel`);
    assert.equal((await vera.post(`${pathOf(docUid)}/cancel`, {})).status, 303);
    assert.ok(!(await petar.get('')).text.includes('what is stored of them is damaged'));
  });

  test('that are not there are a page that says so', async () => {
    const unknown = '01234567-89ab-7def-8123-456789abcdef';
    for (const path of [
      `/documents/outbound/${ALFA}/${unknown}`,
      `/documents/inbound/${ALFA}/${unknown}`,
      `/documents/sideways/${ALFA}/${unknown}`,
      '/documents/outbound/x/y',
      '/tenants/x',
    ]) {
      assert.equal((await vera.get(path)).status, 404, path);
    }
  });

  test('end no process where the database fails on one of several questions: the page says that it is away', async (context) => {
    const docUid = await add('AWAY-1', 10);
    const { storage } = service.foundation;
    const failed = new ServiceUnavailable('The database cannot serve at this moment.');
    context.mock.method(storage.audit, 'read', () => Promise.reject(failed));
    // A server answers only after a while.
    const { find } = storage.outbound;
    context.mock.method(storage.outbound, 'find', async (tenant: Edb, wanted: DocUid) => {
      await systemTimers.pause(20);
      return find(tenant, wanted);
    });
    // Node ends a process in which nobody hears of a failure.
    const unheard: unknown[] = [];
    const note = (error: unknown) => void unheard.push(error);
    process.on('unhandledRejection', note);
    context.after(() => process.off('unhandledRejection', note));
    assert.equal((await vera.get(pathOf(docUid))).status, 503);
    const unknown = '01234567-89ab-7def-8123-456789abcdef' as DocUid;
    assert.equal((await vera.get(pathOf(unknown))).status, 404);
    assert.deepEqual(unheard, []);
  });

  /** What a page says in its body without identifiers, each in `code`. */
  async function saidOn(path: string, language: 'mk' | 'en'): Promise<string> {
    const { text } = await petar.get(`${path}?language=${language}`);
    const [, main = assert.fail(text)] = /<main[^>]*>(.*)<\/main>/su.exec(text) ?? [];
    return main.replaceAll(/<code>[^<]*<\/code>/gu, '').replaceAll(/<[^>]+>/gu, ' ');
  }

  test('the end of a void is told in the language of the page', async () => {
    const docUid = await add('VOID-1', 40);
    const { storage, engine } = service.foundation;
    const reason = { code: '1', name: 'Погрешен купувач', comment: null };
    await storage.transaction((tx) => tx.voids.request(ALFA, docUid, reason, Date.now()));
    for (const [state, mk, en] of [
      ['registered', /Сторното е регистрирано/u, /The void is registered/u],
      ['refused', /Сторното е одбиено/u, /The void was rejected/u],
      ['failed', /Сторното не успеа/u, /The void failed/u],
    ] as const) {
      await engine.transaction((sql) =>
        sql.run(
          `update outbound_void set state = '${state}', due_at = null, ended_at = $1 where tenant = $2 and doc_uid = $3`,
          [Date.now(), ALFA, docUid],
        ),
      );
      assert.match(await saidOn(pathOf(docUid), 'mk'), mk);
      assert.match(await saidOn(pathOf(docUid), 'en'), en);
    }
  });

  test('a tenant is told of in the language of the page, its recurring tasks as on the page of the system', async () => {
    const { storage } = service.foundation;
    await storage.transaction((tx) => tx.recurringTasks.schedule(ALFA, ['collect', 'follow', 'lists'], Date.now()));
    const path = `/tenants/${ALFA}`;
    const said = await saidOn(path, 'mk');
    assert.doesNotMatch(said, /\b(?:EDB|collect|follow|lists)\b/u);
    for (const name of ['ЕДБ', 'Собирање влезни документи', 'Следење на статусите', 'Освежување на шифрарниците']) {
      assert.ok(said.includes(name), name);
    }
    assert.match(await saidOn(path, 'en'), /\bEDB\b.*Collecting inbound documents.*Following statuses/su);
  });

  function visitOf(path: string): Visit {
    const site = { origin: service.opsUrl, isSecure: false, cookieName: '' };
    const empty = { params: {}, query: new URLSearchParams(), form: new URLSearchParams() };
    return { path, ...empty, language: 'en', address: '127.0.0.1', site, session: null };
  }

  test('a long story says in its middle how much of it is left out', () => {
    const attempt = { act: 'send', outcome: 'failed', endedAt: null, failureCode: null, message: null, answer: null };
    const attempts = Array.from({ length: 75 }, (_, index) => ({ ...attempt, startedAt: MORNING + index * 1_000 }));
    const details = { history: [], attempts, strayRegistrations: [], void: null } as unknown as OutboundDetails;
    const story = storySection(consoleView(visitOf(pathOf('' as DocUid)), MORNING, false), details).toString();
    const [before = '', after = ''] = story.split('and 15 more');
    const timesIn = (text: string) => Array.from(text.matchAll(/<time/gu)).length;
    assert.deepEqual([timesIn(before), timesIn(after)], [10, 50]);
  });

  test('what an account check could not try is not said to be in order', async () => {
    const state = await readTenantState({ storage: service.foundation.storage })(ALFA);
    const said = { what: message('check-acceptance'), detail: message('found-not-testable') };
    const untested = { ...said, isOk: true, isUntested: true } as const;
    const page = tenantPage(consoleView(visitOf(`/tenants/${ALFA}`), Date.now(), false), state, 1_000, [untested]);
    assert.match(page, /not tested<\/span> <strong>inbound documents can be accepted/u);
    assert.doesNotMatch(page, /in order/u);
  });
});
