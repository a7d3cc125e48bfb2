import type { Edb } from '../../domain/accounts/edb.ts';

/** The tenant's sealed key cannot be used in this process. Another process may have the right CREDENTIALS_KEY. */
export class KeyUnopened extends Error {
  override readonly name = 'KeyUnopened';
  readonly tenant: Edb;

  constructor(tenant: Edb, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.tenant = tenant;
  }
}
