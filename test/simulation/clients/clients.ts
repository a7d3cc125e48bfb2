import { sampleInvoice } from '../../support/ubl-samples.ts';
import type { Call, Reply } from '../replica/front.ts';
import { TAXPAYERS, type Taxpayer } from '../world/taxpayers.ts';
import { type ClientNeeds, carryCall, drawWay, ROOT } from './carry-call.ts';
import { expectStatus, itemsOf, judgeSubmission, SURELY_REMEMBERED_MS } from './judge-answer.ts';
import type { Submission, Way } from './model.ts';

const MOST_TRIES = 5;
const MOST_REGRETS = 20;
const MOST_TOGETHER = 12;

/** Numbers by which the simulator plays a scenario. */
const SCENARIOS = ['SIM-SLOW', 'SIM-BUSY', 'SIM-BUYER-NO', 'SIM-BUYER-YES', 'SIM-E1001', 'SIM-LOST'];

export type Clients = {
  /** One thing that some client does, drawn from the seed; resolves when it knows the outcome or has given up. */
  readonly act: () => Promise<void>;
  /** How many are at something. */
  readonly busy: () => number;
  readonly send: (taxpayer: Taxpayer, call: Omit<Call, 'headers'>, headers?: Call['headers']) => Promise<Reply | null>;
  /** Tries once more what has no answer yet. */
  readonly finish: () => Promise<void>;
};

export function createClients(needs: ClientNeeds): Clients {
  const { time, chance, model } = needs;
  let numbers = 0;
  let busy = 0;

  const pause = (ms: number) => new Promise<void>((resolve) => void time.after(ms, resolve));

  async function send(
    taxpayer: Taxpayer,
    call: Omit<Call, 'headers'>,
    headers: Call['headers'] = {},
    submission: Submission | null = null,
  ): Promise<Reply | null> {
    const all = { 'x-api-key': taxpayer.secret, 'x-software-id': 'simulation/1.0', ...headers };
    return carryCall(needs, taxpayer, { ...call, path: `${ROOT}${call.path}`, headers: all }, submission);
  }

  function newSubmission(taxpayer: Taxpayer, key: string, givenNumber: string | null = null, way?: Way): Submission {
    numbers += 1;
    const earlier = model.submissions.filter((one) => one.taxpayer === taxpayer);
    const isRepeated = earlier.length > 0 && chance.happens(0.12);
    const prefix = chance.happens(0.2) ? chance.pick(SCENARIOS) : 'F';
    const number = givenNumber ?? (isRepeated ? chance.pick(earlier).number : `${prefix}-${numbers}`);
    const buyer = chance.pick(TAXPAYERS.filter((one) => one !== taxpayer));
    const line = { name: `Item ${numbers}`, quantity: chance.whole(1, 9), priceDenars: 100 * chance.whole(1, 99) };
    const body = sampleInvoice({
      number,
      supplier: { name: taxpayer.name, taxNumber: taxpayer.edb },
      recipient: { name: buyer.name, taxNumber: buyer.edb },
      lines: [line],
    });
    const at = time.now();
    const submission: Submission = {
      taxpayer,
      key,
      number,
      body: Buffer.from(body),
      firstSentAt: at,
      clocks: [],
      answered: new Map(),
      ...(way === undefined ? {} : { way }),
    };
    model.submissions.push(submission);
    return submission;
  }

  /** Sends until there is an answer that ends the matter. */
  async function submit(submission: Submission, tries = chance.whole(1, MOST_TRIES)): Promise<void> {
    for (let left = tries; left > 0; left -= 1) {
      const { taxpayer, key, body } = submission;
      const call = { method: 'POST', path: '/outbound', body } as const;
      const reply = await send(taxpayer, call, { 'x-idempotency-key': key }, submission);
      if (reply !== null && reply.status < 500) return judgeSubmission(model, submission, reply);
      await pause(chance.span(200, 120_000));
    }
  }

  async function cancel(taxpayer: Taxpayer, docUid = pickDocument(taxpayer)): Promise<void> {
    if (docUid === null) return;
    const reply = await send(taxpayer, { method: 'POST', path: `/outbound/${docUid}/cancel`, body: null });
    if (reply?.status === 200) model.cancelled.add(docUid);
    expectStatus(model, reply, [200, 409], `cancelling ${docUid}`);
  }

  function pickDocument(taxpayer: Taxpayer): string | null {
    const known = model.documentsOf(taxpayer.edb);
    // Mostly a young one: what was registered long ago cannot be cancelled any more.
    return known.length === 0 ? null : chance.happens(0.7) ? (known.at(-1) ?? null) : chance.pick(known);
  }

  async function read(taxpayer: Taxpayer): Promise<void> {
    const docUid = pickDocument(taxpayer);
    if (docUid === null) return;
    const part = chance.pick(['', '/history', '/file']);
    const reply = await send(taxpayer, { method: 'GET', path: `/outbound/${docUid}${part}`, body: null });
    expectStatus(model, reply, [200], `reading ${docUid}${part}`);
    const sent = model.submissions.find(({ answered }) => answered.has(docUid));
    if (part === '/file' && reply?.status === 200 && sent !== undefined && !reply.body.equals(sent.body)) {
      model.violate('bytes exact', docUid);
    }
  }

  /** A document of another tenant is as unknown as one that does not exist. */
  async function spy(taxpayer: Taxpayer): Promise<void> {
    const other = chance.pick(TAXPAYERS.filter((one) => one !== taxpayer));
    const docUid = pickDocument(other);
    if (docUid === null) return;
    const isCancelling = chance.happens(0.5);
    const path = `/outbound/${docUid}${isCancelling ? '/cancel' : ''}`;
    const reply = await send(taxpayer, { method: isCancelling ? 'POST' : 'GET', path, body: null });
    if (reply !== null && reply.status < 500 && reply.status !== 404) {
      model.violate('tenants apart', `${taxpayer.name} got ${reply.status} for ${docUid}`);
    }
  }

  async function acknowledge(taxpayer: Taxpayer): Promise<void> {
    const listed = await send(taxpayer, { method: 'GET', path: '/inbound?pageSize=50', body: null });
    expectStatus(model, listed, [200], 'listing inbound');
    const items = itemsOf(listed);
    if (items.length === 0) return;
    const { docUid } = chance.pick(items);
    const reply = await send(taxpayer, { method: 'POST', path: `/inbound/${docUid}/ack`, body: null });
    expectStatus(model, reply, [200, 204], `acknowledging ${docUid}`);
    if (reply !== null && reply.status < 300) model.acknowledged.add(docUid);
  }

  async function list(taxpayer: Taxpayer): Promise<void> {
    const query = chance.pick(['', '?pageSize=2&page=2', '?status=40', '?status=10,20,30&pageSize=3']);
    const reply = await send(taxpayer, { method: 'GET', path: `/outbound${query}`, body: null });
    expectStatus(model, reply, [200], `listing outbound${query}`);
  }

  async function submitNew(taxpayer: Taxpayer): Promise<void> {
    await submit(newSubmission(taxpayer, `key-${numbers + 1}`));
  }

  /** Wants its document back, and asks for it whenever the service may have changed its mind. */
  async function regret(taxpayer: Taxpayer): Promise<void> {
    const submission = newSubmission(taxpayer, `key-${numbers + 1}`);
    await submit(submission, MOST_TRIES);
    const [docUid] = submission.answered.keys();
    for (let left = MOST_REGRETS; docUid !== undefined && left > 0 && !model.cancelled.has(docUid); left -= 1) {
      await pause(chance.span(1_000, 30_000));
      await cancel(taxpayer, docUid);
    }
  }

  async function repeat(taxpayer: Taxpayer): Promise<void> {
    const earlier = model.submissions.filter((one) => one.taxpayer === taxpayer);
    if (earlier.length === 0) return submitNew(taxpayer);
    const submission = chance.pick(earlier);
    if (chance.happens(0.6)) await submit(submission, 1);
    else await submit(newSubmission(taxpayer, submission.key), 1);
  }

  /** Several calls at once that belong together: one key with one body or two, or a cancel beside a repeated submission. */
  async function race(taxpayer: Taxpayer): Promise<void> {
    const submission = newSubmission(taxpayer, `key-${numbers + 1}`);
    const rival = chance.happens(0.5) ? submission : newSubmission(taxpayer, submission.key);
    await Promise.all([submit(submission), submit(rival), chance.happens(0.3) ? cancel(taxpayer) : undefined]);
    if (chance.happens(0.4)) await Promise.all([cancel(taxpayer), cancel(taxpayer)]);
  }

  /** Two documents with one number at once: only one of them may be sent. */
  async function twins(taxpayer: Taxpayer): Promise<void> {
    const first = newSubmission(taxpayer, `key-${numbers + 1}`);
    const second = newSubmission(taxpayer, `key-${numbers + 1}`, first.number);
    await Promise.all([submit(first), submit(second)]);
  }

  /** Many documents of all taxpayers at the same moment, as at the end of a day; some under one key. */
  async function sendMany(taxpayer: Taxpayer): Promise<void> {
    const way = drawWay(needs);
    const submissions = Array.from({ length: chance.whole(2, MOST_TOGETHER) }, () =>
      newSubmission(chance.happens(0.5) ? taxpayer : chance.pick(TAXPAYERS), `key-${numbers + 1}`, null, way),
    );
    const repeated = submissions.filter(() => chance.happens(0.1));
    await Promise.all([...submissions, ...repeated].map((submission) => submit(submission)));
  }

  const actions = [
    ...(needs.sendTogether ? [sendMany] : []),
    submitNew,
    submitNew,
    submitNew,
    submitNew,
    repeat,
    race,
    twins,
    regret,
    regret,
    regret,
    cancel,
    read,
    spy,
    acknowledge,
    list,
  ];
  return {
    send,
    async act() {
      busy += 1;
      await chance
        .pick(actions)(chance.pick(TAXPAYERS))
        .finally(() => {
          busy -= 1;
        });
    },
    busy: () => busy + model.callsUnderWay,
    async finish() {
      const open = model.submissions.filter(({ answered }) => answered.size === 0);
      for (const submission of open) {
        if (time.now() - submission.firstSentAt < SURELY_REMEMBERED_MS) await submit(submission, 1);
      }
    },
  };
}
