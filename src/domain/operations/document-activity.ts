/**
 * What is counted by the hour: `status` moves into a status · `failure` documents that ended as rejected or failed, by code · `retry` attempts that
 * failed and are repeated, by code · `delivery-time` registered documents by the step of the time since their submission.
 */
export type ActivityMeasure = 'status' | 'failure' | 'retry' | 'delivery-time';

export type ActivityCount = {
  /** The beginning of the hour. */
  readonly hour: number;
  readonly measure: ActivityMeasure;
  readonly label: string;
  readonly documents: number;
};

export const HOUR_MS = 3_600_000;

export function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}
