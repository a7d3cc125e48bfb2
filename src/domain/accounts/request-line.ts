/**
 * What a request to the authority is for, the most urgent first. `send` includes what a document needs before and after it is sent.
 * Somebody waits for the answer to a dry run, at an open connection.
 */
export const REQUEST_KINDS = ['send', 'dry-run', 'container', 'collect', 'follow', 'lists', 'check'] as const;

export type RequestKind = (typeof REQUEST_KINDS)[number];

type LessUrgentKind = Exclude<RequestKind, 'send'>;

/**
 * After so many turns that went to others while it waited, a kind is owed the next one. Without dry runs and account checks these are
 * together less than a third of the turns, as many as sends leave to them: so what is owed a turn has it soon. Somebody waits for a dry
 * run and for the page of a check, so they share what is left of that third: they are owed a turn early, and others that are owed one
 * come first.
 */
export const MOST_PASSED_OVER: Readonly<Record<LessUrgentKind, number>> = {
  container: 6,
  collect: 12,
  follow: 24,
  lists: 48,
  'dry-run': 4,
  check: 2,
};

/** Of several that are owed a turn, the first of these has it. */
const OWED_IN_ORDER = ['container', 'collect', 'follow', 'lists'] as const;
/**
 * And after them the one that was passed over more often: in a fixed order a check would wait without end where each turn that is left
 * comes when a dry run is owed one.
 */
const OWED_THE_REST = ['dry-run', 'check'] as const;

/**
 * So many sends go before what is owed a turn, again and again: sends have at least two thirds of the line, and a document that
 * needs one look-up passes without a break.
 */
const SENDS_IN_A_ROW = 2;

/** A kind of which requests wait, in any process. */
type Waiting = {
  /** Its processes say again that they wait before this time; one that died does not. */
  readonly until: number;
  /** Turns that went to others meanwhile. */
  readonly passedOver: number;
};

/** The requests of one user of the authority, which are all sent one after the other. */
export type RequestLine = {
  /** When the next request may be sent. */
  readonly freeAt: number;
  readonly waiting: Readonly<Partial<Record<RequestKind, Waiting>>>;
  /** How many of the last turns went to sends. */
  readonly sendsInARow: number;
};

/** How many requests of each kind wait in one process. */
export type WaitingRequests = Readonly<Partial<Record<RequestKind, number>>>;

export type LineAnswer = {
  /** Null when it is not the turn of any of them. */
  readonly turn: { readonly kind: RequestKind; readonly at: number } | null;
  /** When to ask for the next turn. */
  readonly askAt: number;
};

/**
 * A turn is decided so shortly before its time that urgent requests can still overtake, and long enough that the transaction which
 * decides has ended by then: requests that leave at different delays could arrive less than a second apart.
 */
const DECIDED_BEFORE = 1 / 10;
/** How soon to ask again while another process, whose turn it is, has not taken it. */
const ASK_AGAIN_AFTER = 1 / 20;
/** A process asks at least once in an interval; one that has not asked for so many of them has died. */
const INTERVALS_REMEMBERED = 3;

/** No process writes a time that is so far ahead, unless its clock is wrong, or ours is. */
const MOST_INTERVALS_AHEAD = 2 * INTERVALS_REMEMBERED;

export const EMPTY_LINE: RequestLine = { freeAt: 0, waiting: {}, sendsInARow: 0 };

/** Records what waits in one process and gives it the next turn if it is due and no other process has something that comes first. */
export function askForTurn(
  line: RequestLine,
  requests: WaitingRequests,
  now: number,
  intervalMs: number,
): { readonly line: RequestLine; readonly answer: LineAnswer } {
  const leadMs = intervalMs * DECIDED_BEFORE;
  const possible = withoutImpossible(line, now, intervalMs);
  const joined = join(possible, requests, now + intervalMs * INTERVALS_REMEMBERED);
  if (joined.freeAt - leadMs > now) return { line: joined, answer: { turn: null, askAt: joined.freeAt - leadMs } };
  const kind = nextKind(joined, now);
  if (kind === null || (requests[kind] ?? 0) === 0) {
    return { line: joined, answer: { turn: null, askAt: now + intervalMs * ASK_AGAIN_AFTER } };
  }
  const at = Math.max(joined.freeAt, now);
  const after = { ...afterTurn(joined, kind, (requests[kind] ?? 0) > 1, now), freeAt: at + intervalMs };
  return { line: after, answer: { turn: { kind, at }, askAt: after.freeAt - leadMs } };
}

/** What a wrong clock has left does not count: otherwise nothing would be sent until that time has come. */
function withoutImpossible(line: RequestLine, now: number, intervalMs: number): RequestLine {
  const latest = now + intervalMs * MOST_INTERVALS_AHEAD;
  const waiting = REQUEST_KINDS.flatMap((kind) => {
    const { until = latest, passedOver = 0 } = line.waiting[kind] ?? {};
    return line.waiting[kind] !== undefined && until <= latest ? [[kind, { until, passedOver }] as const] : [];
  });
  return { ...line, freeAt: line.freeAt > latest ? now : line.freeAt, waiting: Object.fromEntries(waiting) };
}

function join(line: RequestLine, requests: WaitingRequests, until: number): RequestLine {
  const mine = REQUEST_KINDS.filter((kind) => (requests[kind] ?? 0) > 0);
  const joined = mine.map((kind) => [kind, { until, passedOver: line.waiting[kind]?.passedOver ?? 0 }] as const);
  return { ...line, waiting: { ...line.waiting, ...Object.fromEntries(joined) } };
}

function waitingAt({ waiting }: RequestLine, now: number): readonly RequestKind[] {
  return REQUEST_KINDS.filter((kind) => (waiting[kind]?.until ?? 0) > now);
}

/** The most urgent of those that wait, unless another one is owed the turn. */
function nextKind(line: RequestLine, now: number): RequestKind | null {
  const kinds = waitingAt(line, now);
  const [first = null] = kinds;
  if (first === 'send' && line.sendsInARow < SENDS_IN_A_ROW) return first;
  const isOwed = (kind: LessUrgentKind) => kinds.includes(kind) && passedOver(line, kind) >= MOST_PASSED_OVER[kind];
  const [ofTheRest] = OWED_THE_REST.filter(isOwed).toSorted(
    (one, other) => passedOver(line, other) - passedOver(line, one),
  );
  return OWED_IN_ORDER.find(isOwed) ?? ofTheRest ?? first;
}

function passedOver({ waiting }: RequestLine, kind: RequestKind): number {
  return waiting[kind]?.passedOver ?? 0;
}

function afterTurn(line: RequestLine, taken: RequestKind, isMoreWaiting: boolean, now: number): RequestLine {
  const kinds = waitingAt(line, now);
  const waiting = kinds.flatMap((kind) => {
    const { until, passedOver } = line.waiting[kind] ?? { until: 0, passedOver: 0 };
    if (kind !== taken) return [[kind, { until, passedOver: passedOver + 1 }] as const];
    // Other processes with requests of this kind say so again when they ask for the turn after this one.
    return isMoreWaiting ? [[kind, { until, passedOver: 0 }] as const] : [];
  });
  return { ...line, waiting: Object.fromEntries(waiting), sendsInARow: taken === 'send' ? line.sendsInARow + 1 : 0 };
}
