import { type Authority, createAuthority } from '../../../simulator/authority.ts';
import { createPayloadFaults } from '../../../simulator/faults/payload-faults.ts';
import type { PlannedResponse } from '../../../simulator/faults/planned-response.ts';
import { createRandomFaults } from '../../../simulator/faults/random-faults.ts';
import { addFixtureCompanies } from '../../../simulator/state/add-companies.ts';
import type { RegisteredDocument } from '../../../simulator/state/registered-document.ts';
import { openState, type State } from '../../../simulator/state/state.ts';
import { createRules } from '../../../simulator/unpublished-rules.ts';
import type { HttpRequest } from '../../../src/adapters/ujp/gateway/authority-http.ts';
import { randomUuid } from '../../../src/domain/values/random-uuid.ts';
import type { Chance } from './chance.ts';
import { ORIGIN, TAXPAYERS } from './taxpayers.ts';
import type { VirtualTime } from './virtual-time.ts';

const UNREADABLE = ['object', 'document', 'jws'] as const;

/** The simulator of the tax authority, called directly, with a clock and with lists of its own that lag behind. */
export type SimulatedAuthority = {
  readonly answer: (request: HttpRequest) => PlannedResponse;
  readonly registered: () => readonly RegisteredDocument[];
  /** What is registered until then is served to its buyer in another form than expected, for good. */
  readonly serveUnreadableUntil: (moment: number) => void;
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
  const now = () => new Date(time.now() + offset);
  function countRegistered(): void {
    registered += 1;
  }
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
    lagging(counting(state, countRegistered), () => time.now() + offset - listLagMs),
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
    serveUnreadableUntil(moment) {
      unreadableUntil = moment;
    },
    setOffset(ms) {
      offset = ms;
    },
    setListLag(ms) {
      listLagMs = ms;
    },
  };
}

function counting(state: State, onDocument: () => void): State {
  return {
    ...state,
    record(event) {
      state.record(event);
      if (event.kind === 'document') onDocument();
    },
  };
}

/** Lists show what was registered until then; a document that is asked for by its EUID is there at once. */
function lagging(state: State, shownUntil: () => number): State {
  const { documents } = state;
  return {
    ...state,
    documents: {
      ...documents,
      dated: (...range) => documents.dated(...range).filter(({ registeredAt }) => registeredAt <= shownUntil()),
      changes: (...side) => documents.changes(...side).filter(({ at }) => at <= shownUntil()),
    },
  };
}
