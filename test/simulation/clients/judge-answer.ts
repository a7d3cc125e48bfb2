import type { Reply } from '../replica/front.ts';
import type { Model, Submission } from './model.ts';

/**
 * Within this time of the first answer, the same key brings the same answer. The promise is an hour by the clock of the service: where
 * two clocks differ, nobody knows better.
 */
export const SURELY_REMEMBERED_MS = 50 * 60_000;

export function surelyRememberedMs({ authorityAheadMs }: Model): number {
  return SURELY_REMEMBERED_MS - authorityAheadMs;
}

export function itemsOf(reply: Reply | null): readonly { readonly docUid: string }[] {
  if (reply?.status !== 200) return [];
  return (JSON.parse(reply.body.toString()) as { readonly items: readonly { readonly docUid: string }[] }).items;
}

/** Anything of the 500s is no answer: the client does not know what became of its call. */
export function expectStatus(model: Model, reply: Reply | null, expected: readonly number[], what: string): void {
  if (reply === null || reply.status >= 500 || expected.includes(reply.status)) return;
  model.violate('answers as promised', `${what}: ${reply.status} ${reply.body.toString()}`);
}

export function judgeSubmission(model: Model, submission: Submission, { status, body, clockAt }: Reply): void {
  const { key, answered, taxpayer } = submission;
  const rivals = model.submissions.filter((one) => one.taxpayer === taxpayer && one.key === key && one !== submission);
  if (status === 409) {
    if (rivals.length === 0) model.violate('idempotency exact', `${key}: other bytes, though there were none`);
    return;
  }
  if (status !== 200 && status !== 201) {
    model.violate('answers as promised', `submitting ${key}: ${status} ${body.toString()}`);
    return;
  }
  const { docUid } = JSON.parse(body.toString()) as { readonly docUid: string };
  const clocks = [submission, ...rivals].flatMap((one) => one.clocks);
  // By the clock of some process the first answer was forgotten by then.
  const mayBeForgotten = Math.max(...clocks) - Math.min(...clocks) > surelyRememberedMs(model);
  const remembered = (moment: number) => Math.abs(clockAt - moment) < surelyRememberedMs(model);
  for (const [other, at] of [submission, ...rivals].flatMap((one) => [...one.answered])) {
    if (other !== docUid && !mayBeForgotten && remembered(at))
      model.violate('idempotency exact', `${key}: ${docUid} after ${other}`);
  }
  if (!answered.has(docUid)) answered.set(docUid, clockAt);
}
