import type { FaultRates } from './failures/faults.ts';
import type { CertificateInput } from './state/certificate.ts';
import type { CompanyInput, UserInput } from './state/company.ts';

export type SimulatorOptions = {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Starts in an outage: every call meets HTTP 502 and an HTML page, until somebody ends it. */
  readonly outOfOrder?: boolean;
  /** One request a second per user, else E4007. Off unless asked for; the program on its own asks for it. */
  readonly paced?: boolean;
  /** Where everything registered is kept for the next start; without it, it is forgotten. */
  readonly stateFile?: string;
  /** Known beside the fixture companies. */
  readonly companies?: readonly CompanyInput[];
  readonly users?: readonly UserInput[];
  readonly certificates?: readonly CertificateInput[];
  readonly faults?: Partial<FaultRates>;
  /** How long a buyer may stay silent before a document counts as accepted: 5 days. */
  readonly autoAcceptMs?: number;
  /** How long the buyer of a SIM-BUYER scenario thinks: 2 seconds. */
  readonly buyerDecisionMs?: number;
  /** How late the answer of a SIM-SLOW scenario is: 4 seconds. */
  readonly slowMs?: number;
  /** How long after registration a buyer may allocate purchase VAT: 31 days. */
  readonly purchaseVatPeriodMs?: number;
  readonly now?: () => Date;
};

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

export const PERIODS = {
  autoAcceptMs: 5 * DAY_MS,
  buyerDecisionMs: 2 * SECOND_MS,
  slowMs: 4 * SECOND_MS,
  purchaseVatPeriodMs: 31 * DAY_MS,
};
