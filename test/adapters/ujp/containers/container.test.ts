import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { zip } from '../../../../simulator/files/zip.ts';
import { documentId } from '../../../../src/adapters/ujp/preparation/document-id.ts';
import { DoubtfulEuid } from '../../../../src/application/errors/authority-answers.ts';
import { startRewriting } from '../../../delivery/rewriting-forwarder.ts';
import { startAuthority } from '../../../simulator/authority-client.ts';
import { docUidOf } from '../../../support/doc-uid.ts';
import { answering, type CannedAnswer, clientOfCanned } from '../answers/canned-authority.ts';
import { ALFA_TENANT, callErrorOf, clientAt, clientWith } from '../services/client.ts';

const OWN = docUidOf('01a1ddc0-3b8b-7df6-a9f7-802f112fe389');
const OTHER = docUidOf('01a1ddc0-3b8b-7df6-a9f7-802f112fe390');
const EUID = '019b8d43-7840-7433-b358-08891b53605c';
const WHOLE = zip(
  [{ name: 'mimetype', content: Buffer.from('application/vnd.etsi.asic-s+zip') }],
  new Date('2026-11-15'),
);
const CONTAINER: CannedAnswer = { body: WHOLE };

const reported = (errorCode: string, status = 200): CannedAnswer => ({
  status,
  body: JSON.stringify({ success: false, errorStatus: { errorCode, errorMessage: 'x' } }),
});

type Form = 'signed' | 'plain';

/** An authority that answers by the form of the request; `asked` records the forms. */
async function startWithForms(t: TestContext, answers: Record<Form, CannedAnswer>) {
  const asked: Form[] = [];
  const listener: RequestListener = async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const form: Form = body['jws'] === undefined ? 'plain' : 'signed';
    asked.push(form);
    assert.equal(request.headers['x-serial-number'], 'A1B2C');
    if (form === 'plain') {
      assert.deepEqual(Object.keys(body).toSorted(), ['euid', 'requestTimestamp']);
      assert.equal(body['euid'], EUID);
    }
    answering(answers[form])(request, response);
  };
  const { client } = await clientOfCanned(t, listener);
  return { answers, asked, container: () => client.container(ALFA_TENANT, EUID) };
}

const REFUSALS: Readonly<Record<string, CannedAnswer>> = {
  'a signature that is not wanted': reported('E5005'),
  'a body that is not understood': reported('E4011', 400),
  'a field that is not known': reported('E4013', 422),
  'HTTP 400 without a reason': { status: 400, body: '' },
  'HTTP 400 from a proxy': { status: 400, contentType: 'text/html', body: '<html>' },
  'a code that nobody knows': reported('E4999', 400),
};

for (const [why, refusal] of Object.entries(REFUSALS)) {
  test(`a container is asked for in the other form after ${why}, and in that form from then on`, async (t) => {
    const { answers, asked, container } = await startWithForms(t, { signed: refusal, plain: CONTAINER });
    for (let time = 0; time < 2; time += 1) assert.deepEqual(Buffer.from(await container()), CONTAINER.body);
    assert.deepEqual(asked.splice(0), ['signed', 'plain', 'plain']);
    Object.assign(answers, { signed: CONTAINER, plain: refusal });
    for (let time = 0; time < 2; time += 1) assert.deepEqual(Buffer.from(await container()), CONTAINER.body);
    assert.deepEqual(asked, ['plain', 'signed', 'signed']);
  });
}

test('a refusal that is not about the form of the request is not repeated in the other form', async (t) => {
  const others = ['E1021', 'E4008', 'E5017', 'E1011', 'E1013', 'E40122', 'E5000', 'E5002'].map((code) =>
    reported(code),
  );
  for (const signed of [...others, { status: 502, body: '<html>' }, { body: '' }, { body: '<html>' }, { body: '{}' }]) {
    const { asked, container } = await startWithForms(t, { signed, plain: CONTAINER });
    await callErrorOf(container());
    assert.deepEqual(asked, ['signed']);
  }
});

test('when both forms are refused the first reason is told, unless the second is about something else', async (t) => {
  const both = await startWithForms(t, { signed: reported('E5005'), plain: reported('E4011') });
  assert.equal((await callErrorOf(both.container())).errors[0]?.code, 'E5005');
  await callErrorOf(both.container());
  assert.deepEqual(both.asked, ['signed', 'plain', 'signed', 'plain']);
  const early = await startWithForms(t, { signed: reported('E5005'), plain: reported('E1021') });
  assert.equal((await callErrorOf(early.container())).errors[0]?.code, 'E1021');
  await callErrorOf(early.container());
  assert.deepEqual(early.asked, ['signed', 'plain', 'plain']);
});

test('what is no container is never taken for one', async (t) => {
  const bodies: readonly CannedAnswer[] = [
    { body: '' },
    { body: '<html>PK' },
    { body: '{"success":true}' },
    { body: 'P' },
    { body: 'PKnothing' },
    { body: 'PK\u0003\u0004', status: 404 },
    reported('E5017'),
  ];
  for (const body of bodies) {
    const { container } = await startWithForms(t, { signed: body, plain: body });
    await callErrorOf(container());
  }
});

test('a container that something on the way has cut anywhere is never taken for one', async (t) => {
  const answers: Record<Form, CannedAnswer> = { signed: CONTAINER, plain: CONTAINER };
  const { container } = await startWithForms(t, answers);
  assert.deepEqual(Buffer.from(await container()), WHOLE);
  for (let length = 0; length < WHOLE.length; length += 1) {
    answers.signed = { body: WHOLE.subarray(0, length) };
    const { kind, isUncertain } = await callErrorOf(container());
    assert.deepEqual({ kind, isUncertain }, { kind: 'error', isUncertain: true }, `${length} bytes`);
  }
});

test('a container may have a comment at its end, of the longest length', async (t) => {
  const commented = Buffer.concat([WHOLE.subarray(0, -2), Buffer.alloc(2, 255), Buffer.alloc(65_535, ' ')]);
  const { container } = await startWithForms(t, { signed: { body: commented }, plain: CONTAINER });
  assert.deepEqual(Buffer.from(await container()), commented);
});

test('the plain form is one that the simulator takes', async (t) => {
  const authority = await startAuthority(t);
  const url = await startRewriting(t, authority.simulator.url, ({ path, request }) =>
    path === 'documents/invoice' && request.includes('"jws"')
      ? { body: Buffer.from(`${reported('E5005').body}`) }
      : undefined,
  );
  const euid = await authority.registered();
  const bytes = await clientAt(url).client.container(ALFA_TENANT, euid);
  assert.ok(Buffer.from(bytes).includes('mimetype'));
});

test('a container that holds another document is not taken for that of this one', async (t) => {
  const authority = await startAuthority(t);
  const euid = await authority.registered({ docNumber: 'C-1', docId: documentId(ALFA_TENANT.edb, OWN) });
  const { url, receiverUrl: receiver } = authority.simulator;
  const { client } = clientWith({ urls: { test: { query: url, receiver, portal: url }, production: null } });
  const bytes = await client.container(ALFA_TENANT, euid, OWN);
  assert.ok(bytes.length > 0);
  const error = await callErrorOf(client.container(ALFA_TENANT, euid, OTHER));
  assert.match(error.message, new RegExp(`The container of ${euid} holds another document`, 'u'));
  assert.ok(error.isUncertain && error instanceof DoubtfulEuid);
  const unknown = await callErrorOf(client.container(ALFA_TENANT, EUID, OWN));
  assert.ok(unknown instanceof DoubtfulEuid);
  assert.deepEqual([unknown.kind, unknown.errors[0]?.code], ['refused', 'E1021']);
  assert.ok((await client.container(ALFA_TENANT, euid)).length > 0, 'of nothing that is ours');
});
