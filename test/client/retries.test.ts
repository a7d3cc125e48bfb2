import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ClientOptions,
  createClient,
  DamagedFileError,
  LostAnswerError,
  ProblemError,
  UnexpectedAnswerError,
} from '../../client/src/client.ts';

type Sent = { readonly url: string; readonly init: RequestInit };
type Step = Response | Error | ((sent: Sent) => Response | Promise<Response>);

const PING = { ok: true, keyValid: true, serverTime: '2026-11-02T08:15:00.000Z' };
const SUBMITTED = { docUid: 'd-1', status: 10, receivedAt: '2026-11-02T08:15:00.000Z', alreadyExisted: false };

/** A client whose network is the list of steps and whose pauses take no time; the time they would take passes on its clock. */
function clientOf(steps: readonly Step[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const pauses: number[] = [];
  let now = 0;
  const client = createClient({
    url: 'https://service.example/',
    apiKey: 'secret-key',
    software: 'test/1.0',
    random: () => 0.5,
    now: () => now,
    pause: async (ms, signal) => {
      signal?.throwIfAborted();
      pauses.push(ms);
      now += ms;
    },
    fetch: async (url, init) => {
      const step = steps[sent.length] ?? assert.fail('one call too many');
      sent.push({ url, init });
      if (step instanceof Error) throw step;
      return step instanceof Response ? step : step({ url, init });
    },
    ...options,
  });
  return { client, sent, pauses };
}

function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });
}

function problem(status: number, code: string | null, headers: Readonly<Record<string, string>> = {}): Response {
  const body = { type: 'about:blank', title: 'Title.', status, detail: 'Detail.', code, eventId: null };
  return json(body, status, { 'X-Request-Id': 'request-7', ...headers });
}

const lost = () => new TypeError('fetch failed');
const cut = () =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"ok":'));
        controller.error(new Error('terminated'));
      },
    }),
  );

describe('a call is tried again', () => {
  const cases: readonly (readonly [string, Step, number])[] = [
    ['after 429, when the service says', problem(429, 'ERR-1006', { 'Retry-After': '7' }), 7_125],
    ['after 503, when the service says', problem(503, null, { 'Retry-After': '2' }), 2_125],
    ['after 503 that names no time', problem(503, null), 125],
    ['after 500', problem(500, 'ERR-9000'), 125],
    ["after a proxy's 502", new Response('<html>', { status: 502 }), 125],
    ['after 408', problem(408, null), 125],
    ['when there is no connection', lost(), 125],
    ['when the answer is cut in its body', cut(), 125],
    ['when the answer is no JSON', new Response('{"ok"'), 125],
    ['when the answer is JSON that the service never gives', new Response('null'), 125],
    ["after a proxy's 502 in JSON of its own", new Response('["Bad Gateway"]', { status: 502 }), 125],
  ];
  for (const [name, step, pauseMs] of cases) {
    test(name, async () => {
      const { client, pauses } = clientOf([step, json(PING)]);
      assert.deepEqual(await client.ping(), PING);
      assert.deepEqual(pauses, [pauseMs]);
    });
  }

  test('with pauses that double up to a limit, and no longer than all tries may take', async () => {
    const retries = { firstPauseMs: 100, longestPauseMs: 400, maxTries: 6 };
    const { client, pauses } = clientOf(Array.from({ length: 6 }, lost), { retries });
    await assert.rejects(client.ping(), (failure) => failure instanceof LostAnswerError && failure.tries === 6);
    assert.deepEqual(pauses, [50, 100, 200, 200, 200]);
    const short = clientOf([problem(429, 'ERR-1006', { 'Retry-After': '60' })], { retries: { maxTotalMs: 59_000 } });
    await assert.rejects(short.client.ping(), { code: 'ERR-1006', retryAfterMs: 60_000, retryable: true });
    assert.deepEqual(short.pauses, []);
  });

  test('with the same idempotency key, made by the library or given', async () => {
    for (const options of [{}, { idempotencyKey: 'invoice-7' }]) {
      const { client, sent } = clientOf([
        lost(),
        problem(429, 'ERR-1006', { 'Retry-After': '1' }),
        json(SUBMITTED, 201),
      ]);
      const { idempotencyKey, docUid } = await client.submit('<Invoice/>', options);
      assert.equal(docUid, 'd-1');
      assert.match(idempotencyKey, options.idempotencyKey === undefined ? /^[0-9a-f]{32}$/u : /^invoice-7$/u);
      const keys = sent.map(({ init }) => new Headers(init.headers).get('X-Idempotency-Key'));
      assert.deepEqual(keys, [idempotencyKey, idempotencyKey, idempotencyKey]);
    }
  });

  test('never beyond the hour for which the service remembers the key', () => {
    assert.throws(() => clientOf([], { retries: { maxTotalMs: 60 * 60_000 } }), RangeError);
  });

  test('not under a key that was forgotten while the machine slept and its monotonic clock stood still', async (t) => {
    let asleepMs = 0;
    const begunAt = Date.now();
    t.mock.method(Date, 'now', () => begunAt + asleepMs);
    const pause = async () => {
      asleepMs += 2 * 3_600_000;
    };
    const forgotten = clientOf([lost()], { pause });
    await assert.rejects(
      forgotten.client.submit('<Invoice/>', { idempotencyKey: 'invoice-7' }),
      (failure) => failure instanceof LostAnswerError && failure.idempotencyKey === 'invoice-7' && failure.tries === 1,
    );
    // Nothing was done, or nothing can be done twice.
    const undone = clientOf([problem(503, null), json(SUBMITTED, 201)], { pause });
    assert.equal((await undone.client.submit('<Invoice/>')).docUid, 'd-1');
    assert.deepEqual(await clientOf([lost(), json(PING)], { pause }).client.ping(), PING);
  });
});

describe('a call is not tried again', () => {
  test('after an answer that a repeat would not change; the error has all that it says', async () => {
    const { client } = clientOf([problem(404, 'ERR-3001')]);
    await assert.rejects(client.readOutbound('d-1'), (failure) => {
      assert.ok(failure instanceof ProblemError);
      const { status, code, title, detail, docUid, requestId, retryable, tries } = failure;
      assert.deepEqual(
        { status, code, title, detail, docUid, requestId, retryable, tries },
        {
          status: 404,
          code: 'ERR-3001',
          title: 'Title.',
          detail: 'Detail.',
          docUid: 'd-1',
          requestId: 'request-7',
          retryable: false,
          tries: 1,
        },
      );
      return !String(failure.stack).includes('secret-key');
    });
  });

  test('once its tries are used up; the error says why, as fetch does in the cause of its own', async () => {
    const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    for (const [cause, reason] of [
      [new Error('getaddrinfo ENOTFOUND service.example'), 'fetch failed: getaddrinfo ENOTFOUND service.example'],
      [refused, 'fetch failed: ECONNREFUSED'],
      [
        new Error(`altnames: ${'DNS:other.example, '.repeat(500)}`),
        /^No whole answer came \(fetch failed: altnames: .{290}…\)$/u,
      ],
      [undefined, 'fetch failed'],
    ] as const) {
      const { client } = clientOf([new TypeError('fetch failed', { cause })], { retries: { maxTries: 1 } });
      const message = typeof reason === 'string' ? `No whole answer came (${reason})` : reason;
      await assert.rejects(client.ping(), { message });
    }
  });

  test('after a redirect, which would carry the key elsewhere', async () => {
    const { client, sent } = clientOf([new Response(null, { status: 307, headers: { Location: 'https://other/' } })]);
    await assert.rejects(client.ping(), UnexpectedAnswerError);
    assert.equal(sent[0]?.init.redirect, 'manual');
  });

  test('after an answer that is larger than allowed', async () => {
    const { client } = clientOf([json({ ...PING, more: 'x'.repeat(2_000) })], { maxAnswerBytes: 1_000 });
    await assert.rejects(client.ping(), UnexpectedAnswerError);
  });

  test('once its signal is aborted: before, during a try, and in a pause', async () => {
    const before = clientOf([]);
    await assert.rejects(before.client.ping({ signal: AbortSignal.abort(new Error('stop')) }), /stop/u);
    const during = new AbortController();
    const hanging = clientOf([
      ({ init }) =>
        new Promise((_, reject) => {
          init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
          during.abort(new Error('enough'));
        }),
    ]);
    await assert.rejects(hanging.client.ping({ signal: during.signal }), /enough/u);
    const pausing = new AbortController();
    const options = {
      url: 'https://x',
      apiKey: 'k',
      software: 's',
      retries: { firstPauseMs: 1e9 },
      random: () => 1e-7,
    };
    const waiting = createClient({
      ...options,
      fetch: async () => Promise.reject(new Error('network')),
      timeoutMs: 1e9,
    });
    const ping = waiting.ping({ signal: pausing.signal });
    setImmediate(() => pausing.abort(new Error('no more')));
    await assert.rejects(ping, /no more/u);
  });
});

describe('what a try takes', () => {
  test('is limited, and an answer that does not come is a lost one', async () => {
    const never = ({ init }: Sent) =>
      new Promise<Response>((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    // Many: on a machine that stands still, an answer that is there may be read too late as well.
    const answers = Array.from({ length: 100 }, () => json(PING));
    const retries = { maxTries: 100, longestPauseMs: 250 };
    const { client } = clientOf([never, ...answers], { timeoutMs: 5, retries });
    assert.deepEqual(await client.ping(), PING);
  });

  test('has both headers, the language, and the path and parameters of the call', async () => {
    const { client, sent } = clientOf([json({ items: [] })], { language: 'mk' });
    await client.listOutbound({ status: [40, 50], partnerEdb: 'МК 40' });
    const headers = new Headers(sent[0]?.init.headers);
    assert.deepEqual(
      ['X-Api-Key', 'X-Software-Id', 'Accept-Language'].map((name) => headers.get(name)),
      ['secret-key', 'test/1.0', 'mk'],
    );
    assert.equal(
      sent[0]?.url,
      'https://service.example/api/integration/v1/outbound?status=40&status=50&partnerEdb=%D0%9C%D0%9A+40',
    );
  });

  test('has the header that is given for it in place of the usual one, in letters of any size', async () => {
    const { client, sent } = clientOf([json(PING)], { language: 'mk' });
    await client.call('ping', { headers: { 'accept-language': 'en', 'x-api-key': 'another' } });
    const headers = new Headers(sent[0]?.init.headers);
    assert.deepEqual([headers.get('Accept-Language'), headers.get('X-Api-Key')], ['en', 'another']);
  });

  test('leads to no other call, whatever is given as an identifier', async () => {
    const { client, sent } = clientOf([problem(404, 'ERR-3001')]);
    for (const docUid of ['', '.', '..']) await assert.rejects(client.readOutbound(docUid), TypeError);
    await assert.rejects(client.readOutbound('../../x?y#z'), ProblemError);
    assert.ok(sent[0]?.url.endsWith('/outbound/..%2F..%2Fx%3Fy%23z'));
  });

  test('does not show a key that cannot be sent', async () => {
    assert.throws(
      () => clientOf([], { apiKey: 'клуч-1' }),
      (failure) => !String(failure).includes('клуч-1'),
    );
    for (const headers of [{ Authorization: 'Basic a2V5\nMQ==' }, { 'Proxy Authorization': 'Basic a2V5' }]) {
      await assert.rejects(
        clientOf([]).client.call('ping', { headers }),
        (failure) => failure instanceof TypeError && !failure.message.includes('a2V5'),
      );
    }
  });

  test('refuses the headers that fetch alone may send, and does not take the refusal of fetch for a lost answer', async () => {
    for (const name of ['Content-Length', 'expect', 'Keep-Alive', 'Transfer-Encoding', 'Upgrade']) {
      const { client, sent } = clientOf([json(PING)]);
      await assert.rejects(client.call('ping', { headers: { [name]: '1' } }), TypeError);
      assert.equal(sent.length, 0, name);
    }
  });

  test('is not made with the usual headers where others were given in a form that has no members', async () => {
    const pairs = [['X-Api-Key', 'another']] as const;
    for (const headers of [
      new Headers([['X-Api-Key', 'another']]),
      new Map(pairs),
      pairs,
      { 'X-Api-Key': undefined },
    ]) {
      const { client, sent } = clientOf([json(PING)]);
      await assert.rejects(client.call('ping', { headers: headers as never }), TypeError);
      assert.equal(sent.length, 0);
    }
  });

  test('sends whatever a header can have', async () => {
    const { client, sent } = clientOf([json(PING)]);
    await client.call('ping', { headers: { 'X-Blank': '', 'X-Office': 'Café\tVeles' } });
    assert.equal(sent.length, 1);
  });
});

describe('cancelling', () => {
  test('succeeds when a lost try had done it', async () => {
    const { client } = clientOf([lost(), problem(409, 'ERR-3004')]);
    assert.deepEqual(await client.cancel('d-1'), { docUid: 'd-1', status: 60 });
  });

  test('says so when somebody else had done it', async () => {
    const { client } = clientOf([problem(503, null, { 'Retry-After': '1' }), problem(409, 'ERR-3004')]);
    await assert.rejects(client.cancel('d-1'), { code: 'ERR-3004' });
  });
});

describe('a file', () => {
  const bytes = new TextEncoder().encode('<Invoice/>');
  const file = async (digested: Uint8Array<ArrayBuffer>) => {
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', digested)).toString('base64');
    const name = `attachment; filename="x"; filename*=UTF-8''..%2F%D0%A4-1.xml`;
    return new Response(bytes, { headers: { 'Repr-Digest': `sha-256=:${digest}:`, 'Content-Disposition': name } });
  };

  test('is asked for again when its bytes are not those of its digest', async () => {
    const { client } = clientOf([await file(new Uint8Array(3)), await file(bytes)]);
    const { bytes: read, fileName, sha256 } = await client.downloadInbound('d-1');
    assert.deepEqual([Buffer.from(read).toString(), fileName, sha256?.length], ['<Invoice/>', 'Ф-1.xml', 64]);
  });

  test('is not given away damaged or without a digest', async () => {
    for (const answer of [await file(new Uint8Array(3)), new Response(bytes)]) {
      const { client } = clientOf([answer], { retries: { maxTries: 1 } });
      await assert.rejects(client.downloadOutbound('d-1'), DamagedFileError);
    }
  });

  test('that is on its way is waited for where that is asked', async () => {
    const onItsWay = () => problem(404, 'ERR-3002', { 'Retry-After': '2' });
    const { client, pauses } = clientOf([onItsWay(), await file(bytes), onItsWay()]);
    assert.equal((await client.downloadContainer('d-1')).bytes.length, bytes.length);
    assert.deepEqual(pauses, [2_125]);
    await assert.rejects(client.downloadOutbound('d-1', { format: 'ujp' }), { code: 'ERR-3002', retryable: true });
  });
});
