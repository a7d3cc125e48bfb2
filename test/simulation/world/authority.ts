import { type Authority, createAuthority } from '../../../simulator/authority.ts';
import { createPayloadFaults } from '../../../simulator/faults/payload-faults.ts';
import type { PlannedResponse } from '../../../simulator/faults/planned-response.ts';
import { createRandomFaults } from '../../../simulator/faults/random-faults.ts';
import { addFixtureCompanies } from '../../../simulator/state/add-companies.ts';
import type { RegisteredDocument } from '../../../simulator/state/registered-document.ts';
import { openState, type State } from '../../../simulator/state/state.ts';
import { createRules } from '../../../simulator/unpublished-rules.ts';
import type { HttpRequest } from '../../../src/adapters/ujp/gateway/authority-http.ts';
import { randomUuid } from '../../../src/domain/values/random-values.ts';
import type { Chance } from './chance.ts';
import { ORIGIN, TAXPAYERS } from './taxpayers.ts';
import type { VirtualTime } from './virtual-time.ts';

const UNREADABLE = ['object', 'document', 'jws'] as const;

/** The simulator of the tax authority, called directly, with a clock and with lists of its own that lag behind. */
export type SimulatedAuthority = {
  readonly answer: (request: HttpRequest) => PlannedResponse;
  readonly registered: () => readonly RegisteredDocument[];
  /** How many documents are registered. */
  readonly registrations: () => number;
  /** What is registered until then is served to its buyer in another form than expected, for good. */
  readonly serveUnreadableUntil: (moment: number) => void;
  /** By its clock. */
  readonly now: () => number;
  /** How often its clock was set back. */
  readonly stepsBack: () => number;
  /** Its clock is so much ahead of the true time. */
  readonly setOffset: (ms: number) => void;
  /** A document appears in its lists so long after it was registered. */
  readonly setListLag: (ms: number) => void;
};

export function createSimulatedAuthority(
  time: VirtualTime,
  chance: Chance,
  certificatePem: string,
  { paced = true } = {},
): SimulatedAuthority {
  const state = openState(null);
  let offset = 0;
  let listLagMs = 0;
  let unreadableUntil = 0;
  let registered = 0;
  let stepsBack = 0;
  const now = () => new Date(time.now() + offset);
  /** When a document was registered, or its status changed, by the true time: lists lag behind whatever the clock says. */
  const happenedAt = new Map<string, number>();
  function note(event: StateEvent): void {
    if (event.kind === 'document') registered += 1;
    if (event.kind === 'document') happenedAt.set(event.document.euid, time.now());
    if (event.kind === 'status') happenedAt.set(`${event.change.euid} ${event.change.to}`, time.now());
  }
  const isShown = (what: string) => (happenedAt.get(what) ?? 0) <= time.now() - listLagMs;
  addFixtureCompanies(state);
  for (const { edb, eujpId } of TAXPAYERS) {
    state.record({ kind: 'certificate', certificate: { eujpId, edb, certificatePem } });
  }
  const random = chance.of('euid').random;
  const payloads = createPayloadFaults();
  let isOfBuyer = false;
  // Its sender reads it as usual: without that, nobody could know what became of a lost answer, nor void the document.
  const shapeOf: typeof payloads.shapeOf = (euid) => (isOfBuyer ? payloads.shapeOf(euid) : 'text');
  const authority: Authority = createAuthority(
    lagging(watched(state, note), isShown),
    { host: '127.0.0.1', port: 0, paced, now, newUuid: () => randomUuid(random) },
    { faults: createRandomFaults({}), rules: createRules({}), payloads: { ...payloads, shapeOf } },
    () => ORIGIN,
  );
  return {
    answer({ url, method, headers, body }) {
      const before = registered;
      isOfBuyer = url.pathname.includes('/purchase-invoice/');
      const planned = authority.answer({
        method,
        path: url.pathname,
        query: url.searchParams,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        body: body ?? '',
      });
      if (registered > before && time.now() < unreadableUntil) {
        const { euid } = [...state.documents.all()].at(-1) ?? {};
        if (euid !== undefined) payloads.set(euid, chance.pick(UNREADABLE));
      }
      return planned;
    },
    registered: () => [...state.documents.all()],
    registrations: () => registered,
    serveUnreadableUntil(moment) {
      unreadableUntil = moment;
    },
    now: () => now().getTime(),
    stepsBack: () => stepsBack,
    setOffset(ms) {
      if (ms < offset) stepsBack += 1;
      offset = ms;
    },
    setListLag(ms) {
      listLagMs = ms;
    },
  };
}

type StateEvent = Parameters<State['record']>[0];

function watched(state: State, onEvent: (event: StateEvent) => void): State {
  return {
    ...state,
    record(event) {
      state.record(event);
      onEvent(event);
    },
  };
}

/** Lists show what is said to be shown; a document that is asked for by its EUID is there at once. */
function lagging(state: State, isShown: (what: string) => boolean): State {
  const { documents } = state;
  return {
    ...state,
    documents: {
      ...documents,
      dated: (...range) => documents.dated(...range).filter(({ euid }) => isShown(euid)),
      changes: (...side) =>
        documents.changes(...side).filter(({ euid, to }) => isShown(euid) && isShown(`${euid} ${to}`)),
    },
  };
}
