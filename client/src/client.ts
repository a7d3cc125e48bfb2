import { type Call, createCalls, type WithSignal } from './call.ts';
import { createChanges } from './changes.ts';
import { createDocuments } from './documents.ts';
import type { Calls } from './generated/calls.ts';
import { createImport } from './import-arrivals.ts';
import { createSend } from './send.ts';
import { type ClientOptions, readSettings } from './settings.ts';
import { createSubmissions } from './submissions.ts';

export type { CallName, CallParameters, WithSignal } from './call.ts';
export type { Change, ChangesOptions, FollowOptions } from './changes.ts';
export { FINAL_STATUSES, type ReadInbound } from './documents.ts';
export { type DownloadedFile, sha256Of } from './downloaded-file.ts';
export {
  DamagedFileError,
  DostavaError,
  type FailedCall,
  LostAnswerError,
  ProblemError,
  UnexpectedAnswerError,
} from './errors.ts';
export type * from './generated/answers.ts';
export type { Calls } from './generated/calls.ts';
export type { Arrival, Imported, ImportOptions } from './import-arrivals.ts';
export type { ClientOptions, DocumentBytes, RetryLimits } from './settings.ts';
export { newIdempotencyKey, type ResumeOptions, type SubmitOptions, type Submitted } from './submissions.ts';

export type Client = ReturnType<typeof createClient>;

/** For one taxpayer. Every method takes an `AbortSignal` and may be called as often at the same time as the traffic limit allows. */
export function createClient(options: ClientOptions) {
  const settings = readSettings(options);
  const call = createCalls(createSend(settings));
  const documents = createDocuments(call, settings);
  return {
    ping: ({ signal }: WithSignal = {}) => call('ping', { signal }),
    readCodeList: (type: Calls['readCodeList']['path']['type'], { signal }: WithSignal = {}) =>
      call('readCodeList', { path: { type }, signal }),
    ...createSubmissions(call),
    ...documents,
    ...createChanges(call, settings),
    importArrivals: createImport(documents),
    call: ((name, parameters) => call(name, parameters)) as Call,
  };
}
