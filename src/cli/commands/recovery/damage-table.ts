import type { FoundDamage } from '../../../application/recovery/check-stored-bytes.ts';
import { type Table, table } from '../../table.ts';

export function damageTable(damage: readonly FoundDamage[]): Table {
  const rows = damage.map(({ tenant, what, documents }) => [tenant, what, documents.join(' ')]);
  return table(['EDB', 'DAMAGED', 'DOCUMENTS'], rows);
}
