import { message } from '../../domain/messages/message.ts';
import { tenantNameIn } from '../../domain/tenant-names/tenant-name-in-body.ts';
import { problem } from '../errors/problem.ts';

/** Refuses a body that names a tenant, on calls that ignore their body. */
export function refuseTenantInBody(body: Uint8Array): void {
  const name = tenantNameIn(body);
  if (name === null) return;
  throw problem('ERR-1007', message('tenant-named-in-body', { name: name.slice(0, 40) }));
}
