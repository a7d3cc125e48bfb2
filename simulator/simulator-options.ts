import type { FaultRates } from './faults/random-faults.ts';
import type { CertificateInput } from './state/certificate.ts';
import type { CompanyInput, UserInput } from './state/company.ts';
import type { Rules } from './unpublished-rules.ts';

export type SimulatorOptions = {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Every call is answered with HTTP 502 and an HTML page until the outage is ended by the admin API. */
  readonly startInOutage?: boolean;
  /** One request a second per user, else E4007. Off by default; `main.ts` switches it on. */
  readonly paced?: boolean;
  /** Keeps the state for the next start; without a file it is lost when the simulator stops. */
  readonly stateFile?: string;
  /** In addition to the fixture companies. */
  readonly companies?: readonly CompanyInput[];
  readonly users?: readonly UserInput[];
  readonly certificates?: readonly CertificateInput[];
  readonly faults?: Partial<FaultRates>;
  readonly rules?: Partial<Rules>;
  /** Time after which a document counts as accepted if the buyer has not decided: 5 days. */
  readonly autoAcceptMs?: number;
  /** Time after which the buyer of a SIM-BUYER scenario decides: 2 seconds. */
  readonly buyerDecisionMs?: number;
  /** Delay of the answer in a SIM-SLOW scenario: 4 seconds. */
  readonly slowMs?: number;
  /** How long after registration a buyer may allocate purchase VAT: 31 days. */
  readonly purchaseVatPeriodMs?: number;
  readonly now?: () => Date;
  /** A UUID of version 4; its random part becomes that of an EUID. */
  readonly newUuid?: () => string;
};

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

export const PERIODS = {
  autoAcceptMs: 5 * DAY_MS,
  buyerDecisionMs: 2 * SECOND_MS,
  slowMs: 4 * SECOND_MS,
  purchaseVatPeriodMs: 31 * DAY_MS,
};
