import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  askForTurn,
  EMPTY_LINE,
  MOST_PASSED_OVER,
  REQUEST_KINDS,
  type RequestKind,
  type WaitingRequests,
} from '../../../src/domain/accounts/request-line.ts';
import { fc } from '../../support/seeds.ts';

const INTERVAL_MS = 1_000;
const START = 1_000_000;
const MANY = 1_000;
/** More urgent kinds that are owed a turn at the same time go first, and before each of them two sends. */
const AT_ONCE = 3 * REQUEST_KINDS.length;
/** Dry runs and checks have what all others leave, some of whom are owed a second turn before they have one. */
const AT_ONCE_BEFORE_PEOPLE = 2 * AT_ONCE;
const OF_PEOPLE: ReadonlySet<string> = new Set(['dry-run', 'check']);

/** In a fixed order of the two, a dry run was owed each turn that the others left. */
const CHECKS_STARVED_BY_DRY_RUNS: RequestKind[][] = [
  ['container', 'follow'],
  ['send', 'dry-run', 'lists'],
  ['collect'],
  ['send', 'dry-run', 'container', 'collect', 'follow'],
  [],
];

const ALL: WaitingRequests = Object.fromEntries(REQUEST_KINDS.map((kind) => [kind, MANY]));

type Turn = { readonly kind: RequestKind; readonly at: number; readonly process: number };

/** Processes that ask whenever they were told to. What each of them waits for may change with every turn. */
function turnsOf(
  processes: number,
  turns: number,
  waitingIn: (process: number, turn: number) => WaitingRequests,
): readonly Turn[] {
  const askAt = Array.from({ length: processes }, () => START);
  const given: Turn[] = [];
  let line = EMPTY_LINE;
  for (let asks = 0; given.length < turns; asks += 1) {
    assert.ok(asks < turns * processes * 50, 'the line stands still');
    const now = Math.min(...askAt);
    const process = askAt.indexOf(now);
    const asked = askForTurn(line, waitingIn(process, given.length), now, INTERVAL_MS);
    line = asked.line;
    askAt[process] = Math.max(asked.answer.askAt, now + 1);
    const { turn } = asked.answer;
    if (turn !== null) given.push({ ...turn, process });
  }
  return given;
}

test('with everything waiting, the most urgent goes first and each has its turn in the order of urgency, a check soon', () => {
  const waiting = new Map<RequestKind, number>(REQUEST_KINDS.map((kind) => [kind, 1]));
  const order: RequestKind[] = [];
  let line = EMPTY_LINE;
  for (let now = START; order.length < REQUEST_KINDS.length; now += INTERVAL_MS) {
    const asked = askForTurn(line, Object.fromEntries(waiting), now, INTERVAL_MS);
    line = asked.line;
    const { kind } = asked.answer.turn ?? assert.fail('no turn');
    order.push(kind);
    waiting.delete(kind);
  }
  assert.deepEqual(order, ['send', 'dry-run', 'check', 'container', 'collect', 'follow', 'lists']);
});

test('whatever waits without end, sends have at least two thirds of the turns and the others at least their share', () => {
  const given = turnsOf(1, 1_000, () => ALL).map(({ kind }) => kind);
  const count = (of: RequestKind, among = given) => among.filter((kind) => kind === of).length;
  assert.ok(count('send') >= 666, `${count('send')} sends`);
  for (const [index, kind] of given.entries()) {
    const next = given.slice(index + 1, index + 3);
    if (kind !== 'send')
      assert.ok(
        next.every((one) => one === 'send'),
        `${kind} is followed by ${next}`,
      );
  }
  for (const [kind, passedOver] of Object.entries(MOST_PASSED_OVER)) {
    const most = OF_PEOPLE.has(kind) ? AT_ONCE_BEFORE_PEOPLE : passedOver;
    assert.ok(count(kind as RequestKind) >= Math.floor(1_000 / (most + 12)), `${kind}: ${count(kind as RequestKind)}`);
  }
});

test('a kind that waits is passed over a limited number of times, however often the others come and go', () => {
  const demand = fc.array(fc.subarray([...REQUEST_KINDS]), { minLength: 1, maxLength: 40 });
  const kinds = fc.constantFrom(...(Object.keys(MOST_PASSED_OVER) as (keyof typeof MOST_PASSED_OVER)[]));
  fc.assert(
    fc.property(demand, kinds, fc.integer({ min: 1, max: 3 }), (others, patient, processes) => {
      const given = turnsOf(processes, 150, (process, turn) => {
        const mine = (others[(turn + process) % others.length] ?? []).filter((kind) => kind !== patient);
        const waiting = process === 0 ? [...mine, patient] : mine;
        return Object.fromEntries(waiting.map((kind) => [kind, MANY]));
      });
      let passed = 0;
      for (const { kind } of given) {
        passed = kind === patient ? 0 : passed + 1;
        const most = MOST_PASSED_OVER[patient] + (OF_PEOPLE.has(patient) ? AT_ONCE_BEFORE_PEOPLE : AT_ONCE);
        assert.ok(passed <= most, `${patient} was passed over ${passed} times`);
      }
    }),
    {
      numRuns: process.env['TEST_LONG'] === '1' ? 1_000 : 100,
      examples: [[CHECKS_STARVED_BY_DRY_RUNS, 'check', 3]],
    },
  );
});

test('turns lie the interval apart, whichever process has them', () => {
  const given = turnsOf(3, 100, () => ALL);
  for (const [index, { at }] of given.entries()) {
    if (index > 0) assert.ok(at - (given[index - 1]?.at ?? 0) >= INTERVAL_MS);
  }
});

test('a process gives way to what is more urgent in another one, and no turn is lost meanwhile', () => {
  const given = turnsOf(2, 90, (process, turn) =>
    process === 0 ? { collect: MANY } : turn < 45 ? { send: MANY } : {},
  );
  const first = given.slice(1, 45).map(({ kind }) => kind);
  assert.equal(first.filter((kind) => kind === 'collect').length, 3, 'one after twelve sends');
  // What the other process said last holds for a moment; then the line is the first one's alone.
  assert.ok(given.slice(47).every(({ kind }) => kind === 'collect'));
  const [begin, end] = [given[0]?.at ?? 0, given[89]?.at ?? 0];
  assert.ok(end - begin <= (89 + 4) * INTERVAL_MS, `${end - begin} ms for 90 turns`);
});

test('requests of a process that died hold nobody up for long', () => {
  const died = askForTurn(EMPTY_LINE, { send: 1 }, START, INTERVAL_MS);
  const announced = askForTurn(died.line, { send: 1 }, START + 1, INTERVAL_MS);
  const ask = (now: number) => askForTurn(announced.line, { lists: 1 }, now, INTERVAL_MS).answer;
  assert.equal(ask(START + 2 * INTERVAL_MS).turn, null);
  assert.equal(ask(START + 4 * INTERVAL_MS).turn?.kind, 'lists');
});

test('an urgent request that comes just before a turn still has it', () => {
  const taken = askForTurn(EMPTY_LINE, { collect: 2 }, START, INTERVAL_MS);
  assert.equal(taken.answer.turn?.at, START);
  const early = askForTurn(taken.line, { collect: 1 }, START + 1, INTERVAL_MS);
  assert.deepEqual(early.answer, { turn: null, askAt: START + 900 });
  const urgent = askForTurn(early.line, { collect: 1, send: 1 }, START + 900, INTERVAL_MS);
  assert.deepEqual(urgent.answer.turn, { kind: 'send', at: START + INTERVAL_MS });
});

test('a document that needs a look-up is sent without a break, also when others are owed a turn just then', () => {
  let line = EMPTY_LINE;
  let now = START;
  const take = (requests: WaitingRequests) => {
    const asked = askForTurn(line, requests, now, INTERVAL_MS);
    line = asked.line;
    now += INTERVAL_MS;
    return asked.answer.turn?.kind;
  };
  const polling = { container: MANY, collect: MANY, follow: MANY, lists: MANY };
  for (let turn = 0; turn < 100; turn += 1) {
    assert.notEqual(take(polling), 'send');
    assert.deepEqual([take({ ...polling, send: 1 }), take({ ...polling, send: 1 })], ['send', 'send']);
  }
});
