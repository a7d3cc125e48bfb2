import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import type { TestService } from '../support/service.ts';

export type Submitter = {
  /** Submits under a key of its own and returns the outcome as the corpus names it. */
  readonly submit: (body: Uint8Array<ArrayBuffer>) => Promise<SubmittedOutcome>;
  readonly headers: Readonly<Record<string, string>>;
};

export type SubmittedOutcome = {
  readonly status: number;
  /** `document`, or the code of the refusal. */
  readonly outcome: string;
  readonly docUid: string | null;
  readonly detail: string | null;
};

/** A client of Alfa's without a traffic limit worth mentioning. */
export async function createSubmitter(service: TestService): Promise<Submitter> {
  const { secret } = await service.operator.keys.issue({
    tenant: readEdb('4030026000018'),
    software: 'intake tests',
    callsPerMinute: 100_000_000,
  });
  const headers = { 'X-Api-Key': secret, 'X-Software-Id': 'intake/1.0' };
  let count = 0;
  return {
    headers,
    async submit(body) {
      count += 1;
      const answer = await fetch(`${service.api}/outbound`, {
        method: 'POST',
        headers: { ...headers, 'X-Idempotency-Key': `intake ${count}` },
        body,
      });
      const { docUid = null, code = null, detail = null } = (await answer.json()) as Partial<Record<string, string>>;
      return { status: answer.status, outcome: answer.status === 201 ? 'document' : String(code), docUid, detail };
    },
  };
}
