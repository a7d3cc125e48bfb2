import type { Edb } from '../../domain/accounts/edb.ts';

/** Stored bytes do not match their checksum: they are neither sent nor served. `place` says which bytes, and nothing of their content. */
export class StoredDamage extends Error {
  override readonly name = 'StoredDamage';
  readonly tenant: Edb;
  readonly place: string;

  constructor(tenant: Edb, place: string) {
    super(`Stored bytes of ${tenant} are damaged, they do not match their SHA-256: ${place}.`);
    this.tenant = tenant;
    this.place = place;
  }
}
