import { OperatorError } from '../../../src/application/errors/operator-error.ts';
import type { DocUid } from '../../../src/domain/documents/doc-uid.ts';
import type { Replica } from '../replica/replica.ts';
import type { Chance } from '../world/chance.ts';
import { TAXPAYERS } from '../world/taxpayers.ts';
import type { Trace } from '../world/trace.ts';
import type { Model } from './model.ts';

type Needs = {
  readonly chance: Chance;
  readonly trace: Trace;
  readonly model: Model;
  readonly replicas: readonly Replica[];
};

const COMMANDS = ['retry', 'reopen', 'void', 'void', 'tenant set'] as const;
const VOID_REASON = 'S-1';

/** One command of the operator, drawn from the seed, run beside a replica with its clock and its database. */
export function giveCommand({ chance, trace, model, replicas }: Needs): void {
  const replica = chance.pick(replicas);
  const taxpayer = chance.pick(TAXPAYERS);
  const command = chance.pick(COMMANDS);
  const documents = model.documentsOf(taxpayer.edb);
  const docUid = documents.length === 0 ? null : (chance.pick(documents) as DocUid);
  const operator = replica.operator();
  if (operator === null || (docUid === null && command !== 'tenant set')) return;
  const what = `operator at ${replica.name}: ${command} ${command === 'tenant set' ? taxpayer.name : docUid}`;
  const { tenants, requeueOutbound, reopenOutbound, voids } = operator;

  async function run(uid: DocUid): Promise<string> {
    if (command === 'tenant set') return (await tenants.set(taxpayer.edb, { eujpId: taxpayer.eujpId })).name;
    if (command === 'retry') return requeueOutbound(taxpayer.edb, uid);
    if (command === 'reopen') return reopenOutbound(taxpayer.edb, uid);
    return (await voids.request(taxpayer.edb, uid, VOID_REASON, null)).state;
  }

  run(docUid ?? ('' as DocUid)).then(
    (outcome) => trace.add(`${what}: ${outcome}`),
    (error: unknown) => {
      // Refused, or cut off by a fault: the operator sees it and may try again.
      trace.add(`${what}: ${error instanceof OperatorError ? 'refused' : String(error)}`);
    },
  );
}
